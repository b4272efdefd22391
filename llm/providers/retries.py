"""Retry calls to vendors, in one place for all of them, and never past the deadline.

A retryable error is tried again after a growing, jittered wait, or after the wait that the vendor asked for. Where that
wait is too long, or no time is left, the error itself is raised. The SDKs' own retries are off.
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
    own_wait = wait_random_exponential(multiplier=policy.first_wait, max=policy.longest_wait)
    waits: dict[int, float] = {}  # by attempt, so that deciding and waiting agree

    def wait_after(state: RetryCallState) -> float:
        asked = _error_of(state).retry_after
        return waits.setdefault(state.attempt_number, float(own_wait(state)) if asked is None else asked)

    def give_up(state: RetryCallState) -> bool:
        retry_after = _error_of(state).retry_after
        too_long = retry_after is not None and retry_after > policy.longest_retry_after
        left = deadline - policy.clock() - wait_after(state)
        return state.attempt_number >= policy.attempts or too_long or left < conf.ATTEMPT_LEAST_S

    def try_once() -> T:
        left = deadline - policy.clock()
        if left <= 0:
            raise TimedOut("no time is left for this request")
        return attempt(left)

    may_help = retry_if_exception(lambda error: isinstance(error, ModelError) and error.retryable)
    retrying = Retrying(retry=may_help, stop=give_up, wait=wait_after, sleep=policy.sleep, reraise=True)
    return retrying(try_once)


def _error_of(state: RetryCallState) -> ModelError:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, ModelError) else ModelError(str(error))
