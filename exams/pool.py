"""Synchronous exam code runs here, called from the consumer: lanes of threads, each for one kind of work.

`database_sync_to_async` serialises everything on one thread of the process, so one hanging model call would stop every
exam. In one lane answers are stored, in another the rest of what takes milliseconds is done: neither waits behind
judging. Those that judge and ask are many, since a vendor's model may keep each of them waiting, but only as many as
there are cores compute at once. Each call gives its database connection back when it ends; together they hold fewer
than the database's pool has.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from typing import Final, ParamSpec, Protocol, TypeVar

from django.conf import settings
from django.db import close_old_connections, connections
from prometheus_client import Gauge

from knowledge.connections import give_connection_back

from .conf import AHEAD_THREADS, ANSWER_THREADS, PLACES_MOST, QUICK_THREADS, SWITCH_SECONDS
from .places import Places

P = ParamSpec("P")
T = TypeVar("T")


UNDER_WAY: Final = Gauge(
    "heydpe_exam_work",
    "Pieces of work of exams that are begun and not ended, those that wait included",
    ["lane"],
)


class _Model(Protocol):
    @property
    def external(self) -> bool: ...


_ANSWERS: Final = "answers"
_QUICK: Final = "quick"
_SLOW: Final = "slow"
_AHEAD: Final = "ahead"
_FIXED: Final = {_ANSWERS: ANSWER_THREADS, _QUICK: QUICK_THREADS, _AHEAD: AHEAD_THREADS}


@cache
def _lane(name: str) -> ThreadPoolExecutor:
    sys.setswitchinterval(min(SWITCH_SECONDS, sys.getswitchinterval()))
    threads = _FIXED.get(name, settings.ENV.answer_workers)
    return ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"exam-{name}")


@cache
def _places() -> Places:
    return Places(min(PLACES_MOST, len(os.sched_getaffinity(0))))


def finish_all() -> None:
    """Wait for everything that was begun."""
    for name in (_ANSWERS, _QUICK, _SLOW, _AHEAD):
        _lane(name).shutdown(wait=True)
    _lane.cache_clear()


@contextmanager
def while_thinking(model: _Model) -> Iterator[None]:
    """While a model thinks others may have the database connection and, if it thinks elsewhere, the place as well."""
    give_connection_back()
    with _places().left() if model.external else nullcontext():
        yield


async def storing(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a student waits for with the eyes on the page: their answer is stored. It goes before everything."""
    with _places().held_back():
        return await _run(_ANSWERS, partial(function, *args, **kwargs))


async def quick(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Database work of milliseconds."""
    return await _run(_QUICK, partial(function, *args, **kwargs))


async def slow(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work that calls a model and may hang as long as its deadline."""
    return await _run(_SLOW, partial(_in_a_place, partial(function, *args, **kwargs)))


async def ahead(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work that nobody waits for: done where nobody who is waited for wants the place."""
    return await _run(_AHEAD, partial(_in_a_place, partial(function, *args, **kwargs), urgent=False))


async def _run(lane: str, work: Callable[[], T]) -> T:
    """A caller that is cancelled leaves behind it what is begun, and that counts until it ends."""
    under_way = UNDER_WAY.labels(lane)
    under_way.inc()
    begun = _lane(lane).submit(_giving_back, work)
    begun.add_done_callback(lambda _: under_way.dec())
    return await asyncio.wrap_future(begun)


def _in_a_place(work: Callable[[], T], *, urgent: bool = True) -> T:
    with _places().taken(urgent=urgent):
        return work()


def _giving_back(work: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return work()
    finally:
        connections.close_all()
