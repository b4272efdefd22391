"""So many threads compute at once, the urgent first; who waits elsewhere, and who stores, is nobody's hindrance."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from exams.places import Places

PATIENCE_SECONDS = 10
SOON_SECONDS = 0.05  # that nothing happens can only be seen by waiting a little


class Guests:
    """Threads that come in and stay until they are sent away; `inside` is the order in which they came in."""

    def __init__(self, places: Places) -> None:
        self.places = places
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
        with self.places.taken(urgent=urgent):
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
            guests = Guests(Places(number))
            yield guests
            guests.close()

        yield lambda number: stack.enter_context(invited(number))


def test_no_more_come_in_than_there_are_places(guests_of: Invite) -> None:
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


def test_the_patient_leave_one_place_free_where_there_are_several(guests_of: Invite) -> None:
    guests = guests_of(2)
    for name in ("patient", "another"):
        guests.invite(name, urgent=False)
        assert guests.are("patient")
    guests.invite("urgent")
    assert guests.are("patient", "urgent")


def test_who_leaves_a_place_lets_another_in_and_gets_one_again(guests_of: Invite) -> None:
    guests = guests_of(1)
    with guests.places.taken():
        with guests.places.left():
            guests.invite("a")
            assert guests.are("a")
            guests.send_away("a")
        guests.invite("b")
        assert guests.are("a")
    assert guests.are("a", "b")


def test_who_has_no_place_leaves_none(guests_of: Invite) -> None:
    guests = guests_of(1)
    with guests.places.left(), guests.places.left():
        guests.invite("a")
        assert guests.are("a")
    guests.invite("b")
    assert guests.are("a")


def test_while_all_are_held_back_nobody_comes_in(guests_of: Invite) -> None:
    guests = guests_of(2)
    with guests.places.held_back():
        with guests.places.held_back():
            guests.invite("a")
            assert guests.are()
        assert guests.are()
    assert guests.are("a")


def test_a_failure_gives_the_place_back(guests_of: Invite) -> None:
    guests = guests_of(1)
    with pytest.raises(ZeroDivisionError), guests.places.taken():
        raise ZeroDivisionError
    guests.invite("a")
    assert guests.are("a")
