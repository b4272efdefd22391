"""So many threads compute at once, the urgent first; who waits elsewhere, and who stores, is nobody's hindrance."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from exams.exchange.compute_slots import ComputeSlots, OutOfTime

PATIENCE_SECONDS = 10
SOON_SECONDS = 0.05  # that nothing happens can only be seen by waiting a little


class Guests:
    """Threads that come in and stay until they are sent away; `inside` is the order in which they came in."""

    def __init__(self, slots: ComputeSlots) -> None:
        self.slots = slots
        self.inside: list[str] = []
        self.changed = threading.Condition()
        self.may_go: dict[str, threading.Event] = {}
        self.threads: list[threading.Thread] = []

    def invite(self, name: str, *, urgent: bool = True) -> None:
        self.may_go[name] = threading.Event()
        thread = threading.Thread(target=self._stay, args=(name, urgent))
        self.threads.append(thread)
        thread.start()

    def _stay(self, name: str, urgent: bool) -> None:
        with self.slots.hold_slot(name, urgent=urgent):
            self._note(name)
            self.may_go[name].wait(PATIENCE_SECONDS)

    def _note(self, name: str) -> None:
        with self.changed:
            self.inside.append(name)
            self.changed.notify_all()

    def are(self, *names: str) -> bool:
        """Whether these have come in, in this order, and nobody else has."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.inside) >= len(names), PATIENCE_SECONDS)
            self.changed.wait_for(lambda: len(self.inside) > len(names), SOON_SECONDS)
            return tuple(self.inside) == names

    def send_away(self, *names: str) -> None:
        for name in names:
            self.may_go[name].set()

    def close(self) -> None:
        self.send_away(*self.may_go)
        for thread in self.threads:
            thread.join(PATIENCE_SECONDS)


Invite = Callable[[int], Guests]


@pytest.fixture
def guests_of() -> Iterator[Invite]:
    with ExitStack() as stack:

        @contextmanager
        def invited(number: int) -> Iterator[Guests]:
            guests = Guests(ComputeSlots(number, PATIENCE_SECONDS * 10))
            yield guests
            guests.close()

        yield lambda number: stack.enter_context(invited(number))


def test_no_more_come_in_than_there_are_slots(guests_of: Invite) -> None:
    guests = guests_of(2)
    for name in ("a", "b"):
        guests.invite(name)
        assert guests.are(*"ab"[: "ab".index(name) + 1])
    guests.invite("c")
    assert guests.are("a", "b")
    guests.send_away("a")
    assert guests.are("a", "b", "c")


def test_the_urgent_come_first_and_then_whoever_came_first(guests_of: Invite) -> None:
    guests = guests_of(1)
    guests.invite("a")
    assert guests.are("a")
    for name, urgent in (("patient", False), ("b", True), ("c", True)):
        guests.invite(name, urgent=urgent)
        assert guests.are("a")
    guests.send_away("a", "b", "c")
    assert guests.are("a", "b", "c", "patient")


def test_the_patient_leave_one_slot_free_where_there_are_several(guests_of: Invite) -> None:
    guests = guests_of(2)
    for name in ("patient", "another"):
        guests.invite(name, urgent=False)
        assert guests.are("patient")
    guests.invite("urgent")
    assert guests.are("patient", "urgent")


def test_who_leaves_a_slot_lets_another_in_and_gets_one_again(guests_of: Invite) -> None:
    guests = guests_of(1)
    with guests.slots.hold_slot("me"):
        with guests.slots.lend_slot():
            guests.invite("a")
            assert guests.are("a")
            guests.send_away("a")
        guests.invite("b")
        assert guests.are("a")
    assert guests.are("a", "b")


def test_who_has_no_slot_leaves_none(guests_of: Invite) -> None:
    guests = guests_of(1)
    with guests.slots.lend_slot(), guests.slots.lend_slot():
        guests.invite("a")
        assert guests.are("a")
    guests.invite("b")
    assert guests.are("a")


def test_while_all_are_held_back_nobody_comes_in(guests_of: Invite) -> None:
    guests = guests_of(2)
    with guests.slots.hold_back_slots():
        with guests.slots.hold_back_slots():
            guests.invite("a")
            assert guests.are()
        assert guests.are()
    assert guests.are("a")


def test_a_failure_gives_the_slot_back(guests_of: Invite) -> None:
    guests = guests_of(1)
    with pytest.raises(ZeroDivisionError), guests.slots.hold_slot("me"):
        raise ZeroDivisionError
    guests.invite("a")
    assert guests.are("a")


# --- one slot an owner, and no longer than the time limit --------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def waits(slots: ComputeSlots, owner: str) -> threading.Event:
    """A thread that takes a slot, tells so, and ends."""
    came_in = threading.Event()

    def work() -> None:
        with slots.hold_slot(owner):
            came_in.set()

    threading.Thread(target=work, daemon=True).start()
    return came_in


def test_who_holds_a_slot_waits_behind_himself_and_not_others() -> None:
    slots = ComputeSlots(2, PATIENCE_SECONDS * 10)
    with slots.hold_slot("greedy"):
        again = waits(slots, "greedy")
        assert not again.wait(SOON_SECONDS)
        assert waits(slots, "other").wait(PATIENCE_SECONDS)
        assert not again.is_set()
    assert again.wait(PATIENCE_SECONDS)


def test_a_slot_held_too_long_goes_to_whoever_waits_and_comes_back_once() -> None:
    clock = Clock()
    slots = ComputeSlots(1, 10, clock)
    begun, end, ended = threading.Event(), threading.Event(), threading.Event()

    def endless() -> None:
        with slots.hold_slot("stuck"):
            begun.set()
            end.wait(PATIENCE_SECONDS)
        ended.set()

    threading.Thread(target=endless, daemon=True).start()
    assert begun.wait(PATIENCE_SECONDS)
    clock.now = 11
    assert slots.is_stuck("stuck")
    assert slots.count_stuck() == 1
    assert waits(slots, "other").wait(PATIENCE_SECONDS)
    end.set()
    assert ended.wait(PATIENCE_SECONDS)
    assert slots.count_stuck() == 0
    with slots.hold_slot("a"):  # there is still one slot, and one only
        assert not waits(slots, "b").wait(SOON_SECONDS / 2)


def test_who_is_stuck_gets_no_other_slot_until_it_ends() -> None:
    clock = Clock()
    slots = ComputeSlots(2, 10, clock)
    with slots.hold_slot("stuck"):
        clock.now = 11
        refused: list[BaseException] = []

        def again() -> None:
            try:
                with slots.hold_slot("stuck"):
                    pass
            except OutOfTime as error:
                refused.append(error)

        assert slots.is_stuck("stuck")
        thread = threading.Thread(target=again)
        thread.start()
        thread.join(PATIENCE_SECONDS)
        assert len(refused) == 1
    assert not slots.is_stuck("stuck")
    with slots.hold_slot("stuck"):
        pass


def test_who_waited_behind_a_computation_that_got_stuck_is_told() -> None:
    slots = ComputeSlots(2, 0.2)
    told: list[str] = []

    def again() -> None:
        try:
            with slots.hold_slot("stuck"):
                told.append("came in")
        except OutOfTime:
            told.append("out of time")

    with slots.hold_slot("stuck"):
        thread = threading.Thread(target=again)
        thread.start()
        thread.join(PATIENCE_SECONDS)
    assert told == ["out of time"]


def test_a_stuck_computation_ends_where_it_would_lend_its_slot() -> None:
    clock = Clock()
    slots = ComputeSlots(1, 10, clock)

    def endless() -> None:
        with slots.hold_slot("stuck"):
            clock.now = 11
            assert slots.is_stuck("stuck")
            with slots.lend_slot():
                pytest.fail("its slot was gone")

    with pytest.raises(OutOfTime):
        endless()
    assert slots.count_stuck() == 0
    assert waits(slots, "other").wait(PATIENCE_SECONDS)


def test_time_spent_elsewhere_does_not_count() -> None:
    clock = Clock()
    slots = ComputeSlots(1, 10, clock)
    with slots.hold_slot("patient"):
        clock.now = 9
        with slots.lend_slot():
            clock.now = 100
        clock.now = 109
        assert not slots.is_stuck("patient")
