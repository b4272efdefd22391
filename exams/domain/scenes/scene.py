"""The flight that a mock oral is about, as it is stored with the exam: what is given, and what changes on the way.

A change is told before the question that opens the first element it belongs to, and not at all where none is asked:
before another subject it would only distract. Pure: equal input gives equal words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from exams.domain.values import StoredValue

GivenKind = Literal["flight", "change"]

HANGING_LEAST: Final = 0.6
"""Share of a mock's questions that are about its flight (EXAM.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Something about the flight that is shown beside the talk the whole time; a `change` once it has been told."""

    name: str
    value: str
    kind: GivenKind = "flight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What the examiner says when the student asks about the flight.

    The question has a word of each group of `about`.
    """

    about: tuple[tuple[str, ...], ...]
    say: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something unexpected that the examiner tells during the oral.

    `elements` are the codes of the Tasks or elements it belongs to, without the certificate ("I.G", "I.C.K1").
    """

    elements: tuple[str, ...]
    said: str
    given: Given
    facts: tuple[Fact, ...] = ()

    @property
    def subject(self) -> tuple[str, ...]:
        """Words of which a question about the change has one."""
        return self.facts[0].about[0] if self.facts else ()

    def belongs_to(self, code: str) -> bool:
        spoken = code.partition(".")[2]
        return any(spoken == one or spoken.startswith(f"{one}.") for one in self.elements)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene(StoredValue):
    """One flight; `slots` fill the stems that hang on a trip."""

    trip: str
    title: str
    told: str
    slots: Mapping[str, str]
    givens: tuple[Given, ...]
    facts: tuple[Fact, ...]
    changes: tuple[Change, ...]

    def change_before(self, code: str, *, told: Collection[str]) -> Change | None:
        """The change to tell before a question about an element; `told` are the names of the changes' givens that the
        student knows already."""
        ahead = (change for change in self.changes if change.given.name not in told)
        return next((change for change in ahead if change.belongs_to(code)), None)

    def facts_known(self, told: Collection[str]) -> tuple[Fact, ...]:
        """What holds now: what has been told last, then what it left as it was."""
        changed = [change for change in self.changes if change.given.name in told]
        return (*(fact for change in reversed(changed) for fact in change.facts), *self.facts)
