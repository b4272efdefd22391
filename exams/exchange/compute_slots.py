"""Priority semaphore of compute slots: urgent work first, one slot reserved for it, at most one slot per owner.

A thread that waits for a vendor lends its slot to others, and while an answer is stored nobody gets a new one. A slot
held past its time limit goes to the next in line. The thread that held it cannot be killed: it counts as stuck, and its
owner gets no slot until it ends. This module knows only threads and a clock.
"""

import time
from bisect import insort
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock, local


class OutOfTime(Exception):
    """A computation of this owner has held its slot past the time limit; it may not have ended yet."""


@dataclass(order=True, slots=True)
class _Claim:
    """A place in line: urgent work first, then whoever came first."""

    patient: bool
    ticket: int
    owner: Hashable = field(compare=False)
    answered: Event = field(default_factory=Event, compare=False)
    granted: bool = field(default=False, compare=False)
    deadline: float = field(default=0.0, compare=False)


class ComputeSlots:
    """`seconds` is how long one slot may be held in one go."""

    def __init__(self, number: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = number
        self._reserved = min(1, number - 1)
        self._seconds = seconds
        self._clock = clock
        self._storing = 0
        self._queue: list[_Claim] = []
        self._held: dict[Hashable, _Claim] = {}
        self._stuck: dict[Hashable, _Claim] = {}
        self._tickets = count()
        self._guard = Lock()
        self._mine = local()

    @contextmanager
    def hold_slot(self, owner: Hashable, *, urgent: bool = True) -> Iterator[None]:
        """Waits for a slot and holds it for the block. Raises OutOfTime."""
        self._enter_line(owner, urgent)
        try:
            yield
        finally:
            self._leave_slot()

    @contextmanager
    def lend_slot(self) -> Iterator[None]:
        """Lends this thread's slot to others for the block; without a slot does nothing.

        Raises OutOfTime, so that a stuck computation ends here at the latest.
        """
        claim: _Claim | None = getattr(self._mine, "claim", None)
        if claim is None:
            yield
            return
        if not self._leave_slot():
            raise OutOfTime
        try:
            yield
        finally:
            self._enter_line(claim.owner, urgent=True)

    @contextmanager
    def hold_back_slots(self) -> Iterator[None]:
        """Gives out no new slot during the block; slots that are held stay held."""
        with self._guard:
            self._storing += 1
        try:
            yield
        finally:
            with self._guard:
                self._storing -= 1
                self._grant_slots()

    def is_stuck(self, owner: Hashable) -> bool:
        """Whether this owner's computation has lost its slot and not ended yet."""
        with self._guard:
            self._take_back_overdue()
            return owner in self._stuck

    def count_stuck(self) -> int:
        with self._guard:
            self._take_back_overdue()
            return len(self._stuck)

    def _enter_line(self, owner: Hashable, urgent: bool) -> None:
        claim = _Claim(not urgent, next(self._tickets), owner)
        with self._guard:
            if owner in self._stuck:
                raise OutOfTime
            insort(self._queue, claim)
            self._grant_slots()
        while not claim.answered.is_set():
            # The threads that wait look for the next slot that can be overdue; no thread has only that to do.
            with self._guard:
                overdue = min((one.deadline for one in self._held.values()), default=None)
            wait = self._seconds if overdue is None else max(overdue - self._clock(), 0.01)
            if not claim.answered.wait(wait):
                with self._guard:
                    self._take_back_overdue()
        if not claim.granted:
            raise OutOfTime
        self._mine.claim = claim

    def _leave_slot(self) -> bool:
        """False if this thread no longer had a slot."""
        claim: _Claim | None = getattr(self._mine, "claim", None)
        self._mine.claim = None
        if claim is None:
            return False
        with self._guard:
            if self._stuck.get(claim.owner) is claim:
                del self._stuck[claim.owner]
                return False
            del self._held[claim.owner]
            self._free += 1
            self._grant_slots()
            return True

    def _grant_slots(self) -> None:
        """Gives free slots to the first in line, while no answer is being stored."""
        while not self._storing:
            ready = (claim for claim in self._queue if claim.owner not in self._held)
            claim = next((one for one in ready if self._free > self._reserved * one.patient), None)
            if claim is None:
                return
            self._queue.remove(claim)
            self._free -= 1
            self._held[claim.owner] = claim
            claim.deadline = self._clock() + self._seconds
            claim.granted = True
            claim.answered.set()

    def _take_back_overdue(self) -> None:
        now = self._clock()
        for claim in [one for one in self._held.values() if one.deadline <= now]:
            del self._held[claim.owner]
            self._stuck[claim.owner] = claim
            self._free += 1
        for claim in [one for one in self._queue if one.owner in self._stuck]:
            self._queue.remove(claim)
            claim.answered.set()
        self._grant_slots()
