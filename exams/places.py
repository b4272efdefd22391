"""So many threads may compute at once; the others wait for a place, the urgent first, and one place is theirs alone.

A thread that waits for somebody far away leaves its place meanwhile. While an answer is being stored nobody begins:
that takes milliseconds, and a student is looking at the page. It knows threads and nothing of what they do.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count


@dataclass(order=True, slots=True)
class _Waiting:
    """First the urgent, then whoever came first."""

    patient: bool
    ticket: int
    called: threading.Event = field(default_factory=threading.Event, compare=False)


class Places:
    def __init__(self, number: int) -> None:
        self._free = number
        self._for_urgent = min(1, number - 1)
        self._ahead = 0
        self._queue: list[_Waiting] = []
        self._tickets = count()
        self._guard = threading.Lock()
        self._mine = threading.local()

    @contextmanager
    def taken(self, *, urgent: bool = True) -> Iterator[None]:
        """Wait for a place and keep it meanwhile."""
        self._enter(urgent)
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def left(self) -> Iterator[None]:
        """Others may have this thread's place meanwhile; if it has none nothing happens."""
        if not getattr(self._mine, "held", False):
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter(urgent=True)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Whoever has a place keeps it, and nobody gets one meanwhile."""
        with self._guard:
            self._ahead += 1
        try:
            yield
        finally:
            with self._guard:
                self._ahead -= 1
                self._call()

    def _enter(self, urgent: bool) -> None:
        me = _Waiting(not urgent, next(self._tickets))
        with self._guard:
            heappush(self._queue, me)
            self._call()
        me.called.wait()
        self._mine.held = True

    def _leave(self) -> None:
        self._mine.held = False
        with self._guard:
            self._free += 1
            self._call()

    def _call(self) -> None:
        while self._queue and not self._ahead and self._free > self._for_urgent * self._queue[0].patient:
            self._free -= 1
            heappop(self._queue).called.set()
