"""The flight of a mock oral as the exam stores it: its facts, and the changes on the way.

A change is told together with a question about it. If no such question can be asked, it is not told, because it would
distract from another subject. Pure: equal input gives equal words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from exams import conf
from exams.domain.values import StoredValue
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)

GivenKind = Literal["flight", "change", "settled"]
Moment = Literal[
    "planning",
    "preflight",
    "taxi",
    "takeoff",
    "en route",
    "arrival",
    "stopover",
    "departing",
    "return",
    "landing",
]
MOMENTS: Final[tuple[Moment, ...]] = get_args(Moment)
"""The moments of a flight in their order."""

ON_THE_GROUND: Final[tuple[Moment, ...]] = ("planning", "preflight")
STAGES: Final = 10
STAGE_USUAL: Final = 5
"""How far into its moment a question plays, 1 to 9, where nothing else is said."""
AFTER_THE_FLIGHT: Final = len(MOMENTS) * STAGES
"""The place of what is not about the flight: it is asked when that is over."""

HANGING_LEAST: Final = 0.6
"""Share of a mock's questions that are about its flight (EXAM.md)."""


def place_on_flight(moment: Moment, stage: int) -> int:
    """A number by which questions are put in the order of the flight."""
    return MOMENTS.index(moment) * STAGES + stage


def supposes(said: str) -> bool:
    """Whether words suppose a situation instead of telling of it."""
    return bool(_PHRASES["supposes"].search(said))


def is_enough_of(topic: str, asked: Sequence[str]) -> bool:
    """Whether a mock that asked about these topics should not ask about another one: most are asked about once, and few
    things fail on one airplane."""
    if not topic:
        return False
    fails = topic.startswith(conf.FAILURES) and sum(one.startswith(conf.FAILURES) for one in asked)
    return asked.count(topic) >= conf.TOPIC_ASKED_MOST or fails >= conf.FAILURES_MOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """When on a flight an element is asked, by its place there, with which item, about which topic, what that requires
    (`sampling.asks_again`), and whether it comes with a change of the flight."""

    place: int
    item: str = ""
    topic: str = ""
    musts: frozenset[frozenset[str]] = frozenset()
    by_change: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Something about the flight that is shown beside the talk the whole time; a `change` once it has been told, and
    `settled` in its place once that has ended."""

    name: str
    value: str
    kind: GivenKind = "flight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What the examiner says when the student asks about the flight.

    The question has a word of each group of `about`, or means what one of the questions `asked` does.
    """

    about: tuple[tuple[str, ...], ...] = ()
    say: str
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeQuestion:
    """The question about a change: an `item` of the bank by its id, worded into what has just happened."""

    item: str
    stem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something unexpected that the examiner tells during the oral, and the questions of which one follows at once.

    `ends` is said before the next question, so that the flight can go on.
    """

    questions: tuple[ChangeQuestion, ...] = ()
    said: str
    given: Given
    facts: tuple[Fact, ...] = ()
    moment: Moment | Literal[""] = ""
    stage: int = STAGE_USUAL
    topic: str = ""
    ends: str = ""

    @property
    def place(self) -> int | None:
        return place_on_flight(self.moment, self.stage) if self.moment else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene(StoredValue):
    """One flight; `slots` fill the stems that hang on a trip. `between` tells of the landing at the destination and
    what the trip was for, before the first question after it."""

    trip: str
    title: str
    told: str
    slots: Mapping[str, str]
    givens: tuple[Given, ...]
    facts: tuple[Fact, ...]
    changes: tuple[Change, ...]
    between: str = ""

    def change_among(
        self, items: Collection[str], *, told: Collection[str], place: int | None = None
    ) -> tuple[Change, ChangeQuestion] | None:
        """The change to tell at this place on the flight (None: anywhere), with its question, where one of these items
        asks about it; `told` are the names of the changes' givens that the student knows already."""
        ahead = (
            change
            for change in self.changes
            if change.given.name not in told and place in (None, change.place)
        )
        asked = ((change, one) for change in ahead for one in change.questions if one.item in items)
        return next(asked, None)

    def facts_known(self, told: Collection[str], *, asked_about: str = "") -> tuple[Fact, ...]:
        """What holds now: what has been told last, then what it left as it was. A change that `ends` holds while it is
        `asked_about`."""
        changed = [
            change
            for change in self.changes
            if change.given.name in told and (not change.ends or change.given.name == asked_about)
        ]
        return (*(fact for change in reversed(changed) for fact in change.facts), *self.facts)
