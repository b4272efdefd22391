"""Trying again, in one place for every vendor, and never past the deadline.

An error that says it is retryable is tried again after a growing, jittered wait, or after the wait that the
vendor asked for. Where that wait is too long, or no time is left, the error itself goes up. The SDKs' own
retries are off.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception
from tenacity.wait import wait_random_exponential

from llm import conf
from llm.errors import ModelError, TimedOut

T = TypeVar("T")

Clock = Callable[[], float]
Sleep = Callable[[float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how patiently. `clock` is monotonic seconds."""

    attempts: int = conf.CHAT_ATTEMPTS
    first_wait: float = conf.BACKOFF_FIRST_S
    longest_wait: float = conf.BACKOFF_MOST_S
    longest_retry_after: float = conf.RETRY_AFTER_MOST_S
    clock: Clock = time.monotonic
    sleep: Sleep = time.sleep


def call_with_retries(attempt: Callable[[float], T], *, seconds: float, policy: RetryPolicy) -> T:
    """`attempt(remaining seconds)`, again while that may help. Raises the last ModelError."""
    deadline = policy.clock() + seconds
    wait = _Wait(policy)

    def give_up(state: RetryCallState) -> bool:
        left = deadline - policy.clock() - wait(state)
        error = _error_of(state)
        too_long = error.retry_after is not None and error.retry_after > policy.longest_retry_after
        return state.attempt_number >= policy.attempts or too_long or left < conf.ATTEMPT_LEAST_S

    def once() -> T:
        return attempt(_time_left(deadline - policy.clock()))

    retrying = Retrying(
        retry=retry_if_exception(_may_help), stop=give_up, wait=wait, sleep=policy.sleep, reraise=True
    )
    return retrying(once)


class _Wait:
    """Seconds before the next try: chosen once for each, so that deciding and waiting agree."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._own = wait_random_exponential(multiplier=policy.first_wait, max=policy.longest_wait)
        self._chosen: dict[int, float] = {}

    def __call__(self, state: RetryCallState) -> float:
        return self._chosen.setdefault(state.attempt_number, self._choose(state))

    def _choose(self, state: RetryCallState) -> float:
        asked = _error_of(state).retry_after
        return float(self._own(state)) if asked is None else asked


def _may_help(error: BaseException) -> bool:
    return isinstance(error, ModelError) and error.retryable


def _error_of(state: RetryCallState) -> ModelError:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, ModelError) else ModelError(str(error))


def _time_left(seconds: float) -> float:
    if seconds <= 0:
        raise TimedOut("no time is left for this request")
    return seconds
