"""Many clients of one user at once have no more calls than one after the other: each call counts, in Redis itself."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import RequestFactory

from desk.api_limits import AddressRate, ScopeRate, UserRate
from knowledge.access.throttling import Door, seconds_to_wait
from rules.limits import SCOPE

CLIENTS, CALLS = 5, 20


@pytest.fixture(autouse=True)
def empty() -> None:
    cache.clear()


@pytest.fixture(autouse=True)
def rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a clock that takes a moment: who counts around it counts for others, too."""
    rates = {"rules": "30/min", "user": "30/min", "anon": "30/min"}
    for kind in (ScopeRate, UserRate, AddressRate):
        monkeypatch.setattr(kind, "THROTTLE_RATES", rates)
        monkeypatch.setattr(kind, "timer", staticmethod(_slow_clock))


def _slow_clock() -> float:
    time.sleep(0.005)
    return time.time()


def call(user: int = 1) -> Any:
    request = RequestFactory().post("/rules/ask/")
    request.user = SimpleNamespace(pk=user, is_authenticated=bool(user))  # type: ignore[assignment]
    return request


def at_once(ask: Any) -> list[Any]:
    """What several clients get who begin together."""
    together = Barrier(CLIENTS)

    def client(_: int) -> list[Any]:
        together.wait(timeout=30)
        return [ask() for _ in range(CALLS)]

    with ThreadPoolExecutor(CLIENTS) as pool:
        return [one for some in pool.map(client, range(CLIENTS)) for one in some]


@pytest.mark.parametrize(("kind", "user"), [(ScopeRate, 1), (UserRate, 1), (AddressRate, 0)])
def test_calls_at_once_are_all_counted(kind: Any, user: int) -> None:
    door = SimpleNamespace(throttle_scope="rules")
    assert at_once(lambda: kind().allow_request(call(user), door)).count(True) == 30


def test_questions_on_the_pages_at_once_are_all_counted() -> None:
    waits = at_once(lambda: seconds_to_wait(call(), Door(SCOPE)))
    assert waits.count(0) == 30
    assert all(0 <= one <= 60 for one in waits)


def test_another_user_and_the_next_window_begin_at_none() -> None:
    door: Any = SimpleNamespace(throttle_scope="rules")  # all that a rate asks of a view
    assert sum(ScopeRate().allow_request(call(), door) for _ in range(31)) == 30
    assert ScopeRate().allow_request(call(2), door)
    cache.delete("throttle_rules_1:until")  # as its end does
    assert ScopeRate().allow_request(call(), door)
