"""Thread pools ("lanes") in which the websocket consumer runs synchronous exam code, one for each kind of work.

`database_sync_to_async` runs everything on one thread, so one hanging model call would stop every exam. Here answers
are stored in one lane and other short work is done in another; neither waits behind judging. Judging has many threads,
because a vendor's model may keep each waiting, but only as many compute at once as there are cores. One student has one
of these threads at a time. Each call gives its database connection back; together they hold fewer than the pool has.
"""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from typing import Any, Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections, connections
from prometheus_client import Counter, Gauge

from exams import conf
from exams.exchange.compute_slots import ComputeSlots, OutOfTime
from knowledge.db.connections import give_connection_back
from llm.interfaces import ChatModel, EmbeddingModel

__all__ = ["finish_all", "run_ahead", "run_quick", "run_slow", "run_storing", "while_thinking"]

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

_ANSWERS: Final = "answers"
_QUICK: Final = "quick"
_SLOW: Final = "slow"
_AHEAD: Final = "ahead"
_THREADS: Final = {_ANSWERS: conf.ANSWER_THREADS, _QUICK: conf.QUICK_THREADS, _AHEAD: conf.AHEAD_THREADS}


@cache
def _lane_named(name: str) -> ThreadPoolExecutor:
    threads = _THREADS.get(name, settings.ENV.answer_workers)
    return ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"exam-{name}")


@cache
def _compute_slots() -> ComputeSlots:
    return ComputeSlots(min(conf.SLOTS_MOST, len(os.sched_getaffinity(0))), conf.SLOT_SECONDS)


Gauge(
    "heydpe_stuck_computations",
    "Threads of exams that lost their compute slot at the time limit and have not ended yet",
).set_function(lambda: _compute_slots().count_stuck())


def finish_all() -> None:
    """Waits for all work that has begun; later work gets new threads and new slots."""
    for name in (_ANSWERS, _QUICK, _SLOW, _AHEAD):
        _lane_named(name).shutdown(wait=True)
    _lane_named.cache_clear()
    _compute_slots.cache_clear()


@contextmanager
def while_thinking(model: ChatModel | EmbeddingModel) -> Iterator[None]:
    """Lets others use the database connection while a model works and, if it runs elsewhere, the compute slot."""
    give_connection_back()
    with _compute_slots().lend_slot() if model.external else nullcontext():
        yield


async def run_storing(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs work that stores an answer. The student waits for it, so it goes first."""
    with _compute_slots().hold_back_slots():
        return await _run_in_lane(_ANSWERS, partial(function, *args, **kwargs))


async def run_quick(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs database work of milliseconds."""
    return await _run_in_lane(_QUICK, partial(function, *args, **kwargs))


async def run_slow(owner: Hashable, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs work that computes, or calls a model and may hang as long as its deadline.

    Raises OutOfTime when the computing takes too long; the thread goes on in the background.
    """
    return await _run_in_slot(_SLOW, owner, partial(function, *args, **kwargs), urgent=True)


async def run_ahead(owner: Hashable, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs work that nobody waits for, in slots that urgent work does not need. Raises OutOfTime."""
    return await _run_in_slot(_AHEAD, owner, partial(function, *args, **kwargs), urgent=False)


async def _run_in_lane(lane: str, work: Callable[[], T]) -> T:
    """A caller that is cancelled leaves the work running, and it counts until it ends."""
    return await asyncio.wrap_future(
        _count_work(lane, partial(_lane_named(lane).submit, _release_connections, work))
    )


async def _run_in_slot(lane: str, owner: Hashable, work: Callable[[], T], *, urgent: bool) -> T:
    def compute() -> T:
        with _compute_slots().hold_slot(owner, urgent=urgent):
            return work()

    task = partial(_release_connections, compute)
    future = asyncio.wrap_future(_count_work(lane, partial(_stand_in_line, lane, owner, task)))
    try:
        while not (await asyncio.wait({future}, timeout=conf.SLOT_LOOK_SECONDS))[0]:
            if _compute_slots().is_stuck(owner):
                OUT_OF_TIME.labels(lane).inc()
                raise OutOfTime
        return future.result()
    finally:
        future.cancel()


def _count_work(lane: str, begin: Callable[[], "Future[T]"]) -> "Future[T]":
    """Counts before the work begins: a thread may finish it at once."""
    under_way = UNDER_WAY.labels(lane)
    under_way.inc()
    try:
        begun = begin()
    except RuntimeError:  # the lane has been shut down
        under_way.dec()
        raise
    begun.add_done_callback(lambda _: under_way.dec())
    return begun


def _release_connections(work: Callable[[], T]) -> T:
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
            _lane_named(lane).submit(_serve_line, line)
    return future


def _serve_line(line: tuple[str, Hashable]) -> None:
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
