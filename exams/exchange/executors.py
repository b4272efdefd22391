"""Synchronous exam code runs here, called from the consumer: lanes of threads, each for one kind of work.

`database_sync_to_async` serialises everything on one thread of the process, so one hanging model call would stop every
exam. In one lane answers are stored, in another the rest of what takes milliseconds is done: neither waits behind
judging. Those that judge and ask are many, since a vendor's model may keep each of them waiting, but only as many as
there are cores compute at once, and one student has one of these threads: further work of theirs waits behind it. Each
call gives its database connection back when it ends; together they hold fewer than the database's pool has.
"""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from django.conf import settings
from django.db import close_old_connections, connections
from prometheus_client import Counter, Gauge

from exams.conf import (
    AHEAD_THREADS,
    ANSWER_THREADS,
    QUICK_THREADS,
    SLOT_LOOK_SECONDS,
    SLOT_SECONDS,
    SLOTS_MOST,
)
from exams.exchange.compute_slots import ComputeSlots, OutOfTime
from knowledge.db.connections import give_connection_back

__all__ = ["OutOfTime", "ahead", "finish_all", "quick", "slow", "storing", "while_thinking"]

P = ParamSpec("P")
T = TypeVar("T")


UNDER_WAY: Final = Gauge(
    "heydpe_exam_work",
    "Pieces of work of exams that are begun and not ended, those that wait included",
    ["lane"],
)
OUT_OF_TIME: Final = Counter(
    "heydpe_exam_work_out_of_time", "Pieces of work of exams that were given up at the time limit", ["lane"]
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
    threads = _FIXED.get(name, settings.ENV.answer_workers)
    return ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"exam-{name}")


@cache
def _slots() -> ComputeSlots:
    return ComputeSlots(min(SLOTS_MOST, len(os.sched_getaffinity(0))), SLOT_SECONDS)


Gauge(
    "heydpe_stuck_computations",
    "Threads of exams that lost their compute slot at the time limit and have not ended yet",
).set_function(lambda: _slots().count_stuck())


def finish_all() -> None:
    """Wait for everything that was begun; what comes afterwards begins with new threads and new slots."""
    for name in (_ANSWERS, _QUICK, _SLOW, _AHEAD):
        _lane(name).shutdown(wait=True)
    _lane.cache_clear()
    _slots.cache_clear()


@contextmanager
def while_thinking(model: _Model) -> Iterator[None]:
    """While a model thinks others may have the database connection and, if it thinks elsewhere, the slot as well."""
    give_connection_back()
    with _slots().left() if model.external else nullcontext():
        yield


async def storing(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a student waits for with the eyes on the page: their answer is stored. It goes before everything."""
    with _slots().held_back():
        return await _run(_ANSWERS, partial(function, *args, **kwargs))


async def quick(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Database work of milliseconds."""
    return await _run(_QUICK, partial(function, *args, **kwargs))


async def slow(owner: Hashable, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work that computes, or calls a model and may hang as long as its deadline. Raises OutOfTime when the computing
    takes too long; the thread goes on behind it."""
    return await _run_in_a_slot(_SLOW, owner, partial(function, *args, **kwargs), urgent=True)


async def ahead(owner: Hashable, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work that nobody waits for: done where nobody who is waited for wants the slot. Raises OutOfTime."""
    return await _run_in_a_slot(_AHEAD, owner, partial(function, *args, **kwargs), urgent=False)


async def _run(lane: str, work: Callable[[], T]) -> T:
    """A caller that is cancelled leaves behind it what is begun, and that counts until it ends."""
    return await asyncio.wrap_future(_counted(lane, partial(_lane(lane).submit, _giving_back, work)))


async def _run_in_a_slot(lane: str, owner: Hashable, work: Callable[[], T], *, urgent: bool) -> T:
    task = partial(_giving_back, partial(_in_a_slot, owner, work, urgent))
    told = asyncio.wrap_future(_counted(lane, partial(_stand_in_line, lane, owner, task)))
    try:
        while not (await asyncio.wait({told}, timeout=SLOT_LOOK_SECONDS))[0]:
            if _slots().is_stuck(owner):
                OUT_OF_TIME.labels(lane).inc()
                raise OutOfTime
        return told.result()
    finally:
        told.cancel()


def _counted(lane: str, begin: Callable[[], "Future[T]"]) -> "Future[T]":
    """Counted before it begins: a thread may be done with it at once."""
    under_way = UNDER_WAY.labels(lane)
    under_way.inc()
    try:
        begun = begin()
    except RuntimeError:  # the lane has been shut down
        under_way.dec()
        raise
    begun.add_done_callback(lambda _: under_way.dec())
    return begun


def _in_a_slot(owner: Hashable, work: Callable[[], T], urgent: bool) -> T:
    with _slots().taken(owner, urgent=urgent):
        return work()


def _giving_back(work: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return work()
    finally:
        connections.close_all()


# --- one thread a student ------------------------------------------------------------------------------------------

_lines: Final[dict[tuple[str, Hashable], deque[tuple[Future[Any], Callable[[], Any]]]]] = {}
_lines_guard: Final = threading.Lock()


def _stand_in_line(lane: str, owner: Hashable, work: Callable[[], T]) -> "Future[T]":
    """Work of one owner in one lane is done by one thread, one piece after the other."""
    future: Future[T] = Future()
    line = (lane, owner)
    with _lines_guard:
        waiting = _lines.setdefault(line, deque())
        waiting.append((future, work))
        if len(waiting) == 1:
            _lane(lane).submit(_serve, line)
    return future


def _serve(line: tuple[str, Hashable]) -> None:
    while True:
        future, work = _lines[line][0]
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
        with _lines_guard:
            _lines[line].popleft()
            if not _lines[line]:
                del _lines[line]
                return
