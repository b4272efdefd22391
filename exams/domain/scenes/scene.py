"""The flight that a mock oral is about, as it is stored with the exam: what is given, and what changes on the way.

A change is told with a question about it, and not at all where none can be asked: before another subject it would only
distract. Pure: equal input gives equal words.
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
class ChangeQuestion:
    """The question about a change: an `item` of the bank by its id, worded into what has just happened."""

    item: str
    stem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something unexpected that the examiner tells during the oral, and the questions of which one follows at once."""

    questions: tuple[ChangeQuestion, ...] = ()
    said: str
    given: Given
    facts: tuple[Fact, ...] = ()


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

    def change_among(
        self, items: Collection[str], *, told: Collection[str]
    ) -> tuple[Change, ChangeQuestion] | None:
        """The change to tell now, with its question, where one of these items asks about it; `told` are the names of
        the changes' givens that the student knows already."""
        ahead = (change for change in self.changes if change.given.name not in told)
        asked = ((change, one) for change in ahead for one in change.questions if one.item in items)
        return next(asked, None)

    def facts_known(self, told: Collection[str]) -> tuple[Fact, ...]:
        """What holds now: what has been told last, then what it left as it was."""
        changed = [change for change in self.changes if change.given.name in told]
        return (*(fact for change in reversed(changed) for fact in change.facts), *self.facts)
