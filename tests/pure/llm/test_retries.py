"""Trying again: how often, how long, and never past the deadline."""

from dataclasses import dataclass

import pytest

from llm import conf
from llm.errors import BadKey, ModelError, RateLimited, ServerFailed, TimedOut
from llm.providers.retries import RetryPolicy, call_with_retries
from tests.doubles.vendors import Fails, Says, VendorServer
from tests.pure.llm.cast import GOOD, VENDORS, ChatMaker, Waits, grade_request, policy


@dataclass
class Time:
    """A clock that sleeping moves."""

    now: float = 0.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def policy(self) -> RetryPolicy:
        return RetryPolicy(clock=self.clock, sleep=self.sleep)


@dataclass
class Attempts:
    """Raises its errors in turn, then succeeds; each try takes `takes` seconds."""

    errors: list[ModelError]
    time: Time
    takes: float = 0.0
    tries: int = 0
    left: float = 0.0

    def __call__(self, seconds: float) -> str:
        self.tries += 1
        self.left = seconds
        self.time.now += self.takes
        if self.errors:
            raise self.errors.pop(0)
        return "done"


@pytest.mark.parametrize("chat", VENDORS)
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_passing_failure_is_tried_again(chat: ChatMaker, status: int) -> None:
    with VendorServer(Fails(status), Fails(status), Says(GOOD)) as vendor:
        reply = chat(vendor).complete(grade_request())
    assert "partial" in reply.text
    assert len(vendor.received) == 3


@pytest.mark.parametrize("chat", VENDORS)
@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_lasting_failure_is_not(chat: ChatMaker, status: int) -> None:
    with VendorServer(Fails(status)) as vendor, pytest.raises(ModelError):
        chat(vendor).complete(grade_request())
    assert len(vendor.received) == 1


@pytest.mark.parametrize("chat", VENDORS)
def test_the_vendors_own_wait_is_kept(chat: ChatMaker) -> None:
    waits = Waits()
    with VendorServer(Fails(429, {"retry-after": "3"}), Says(GOOD)) as vendor:
        chat(vendor, retry=policy(waits)).complete(grade_request())
    assert waits.seconds == [3.0]


@pytest.mark.parametrize("chat", VENDORS)
def test_a_wait_that_is_too_long_goes_up_with_its_figure(chat: ChatMaker) -> None:
    waits = Waits()
    with VendorServer(Fails(429, {"retry-after": "3600"})) as vendor, pytest.raises(RateLimited) as raised:
        chat(vendor, retry=policy(waits)).complete(grade_request(timeout=9999.0))
    assert raised.value.retry_after == 3600
    assert waits.seconds == []


def test_waits_grow_and_stay_below_their_limit() -> None:
    waits = Waits()
    attempts = Attempts([ServerFailed("x") for _ in range(9)], Time())
    call_with_retries(attempts, seconds=1000, policy=policy(waits, attempts=10))
    assert len(waits.seconds) == 9
    assert all(0 <= seconds <= conf.BACKOFF_MOST_S for seconds in waits.seconds)


def test_the_last_error_goes_up_after_the_last_try() -> None:
    time = Time()
    attempts = Attempts([ServerFailed(str(number)) for number in range(5)], time)
    with pytest.raises(ServerFailed, match=str(conf.CHAT_ATTEMPTS - 1)):
        call_with_retries(attempts, seconds=1000, policy=time.policy())
    assert attempts.tries == conf.CHAT_ATTEMPTS


def test_each_try_gets_the_time_that_is_left() -> None:
    time = Time()
    attempts = Attempts([ServerFailed("x", retry_after=2.0)], time, takes=3.0)
    call_with_retries(attempts, seconds=10, policy=time.policy())
    assert attempts.left == 5.0


def test_no_try_starts_without_time_for_it() -> None:
    time = Time()
    attempts = Attempts([TimedOut("x")], time, takes=9.5)
    with pytest.raises(TimedOut):
        call_with_retries(attempts, seconds=10, policy=time.policy())
    assert attempts.tries == 1


def test_no_wait_passes_the_deadline() -> None:
    time = Time()
    attempts = Attempts([RateLimited("x", retry_after=9.5)], time)
    with pytest.raises(RateLimited):
        call_with_retries(attempts, seconds=10, policy=time.policy())
    assert time.now == 0


def test_what_is_not_retryable_is_tried_once() -> None:
    time = Time()
    attempts = Attempts([BadKey("x")], time)
    with pytest.raises(BadKey):
        call_with_retries(attempts, seconds=10, policy=time.policy())
    assert attempts.tries == 1
