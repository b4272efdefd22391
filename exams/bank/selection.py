"""Choose the item to ask about an element, and its givens. Pure: the same exam always gives the same choice.

One of another topic than those of this oral comes first, then one that does not ask again for what was asked in it; in
a mock, then one that hangs on its trip. Then come one near to the place of the plan, one that the student has not met,
else the one met longest ago, one that fits the trip better, one that continues the scene, and one of the level that
suits the difficulty. The exam's seed decides the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final, Literal

from exams.bank.schema import Level, PointRole
from exams.domain.sampling import LAST, asks_again
from exams.domain.scenes.scene import STAGE_USUAL, Moment, is_enough_of, place_on_flight, supposes
from knowledge.text.slots import SlotValue, is_given
from knowledge.text.synonyms import idea_set

LEVELS_BY_DIFFICULTY: Final[Mapping[str, tuple[Level, ...]]] = {
    "recall": ("recall", "apply", "correlate"),
    "standard": ("apply", "correlate", "recall"),
    "hard": ("correlate", "apply", "recall"),
}
"""Which level is asked first. Half or more of all questions apply or correlate (EXAM.md), so the standard starts
there."""

FIELDS_BY_TOWER: Final = ("towered_field", "untowered_field")
"""Slots that either end of a trip may fill."""
OF_FEW_FLIGHTS: Final = frozenset(
    ("ridge", "water", "landing_water", "site", "retractable", "two_passengers", "paying_owner")
)
"""Slots of what few flights have: a stem with one of them is about this flight."""
_AT_HOME: Final[Mapping[str, Moment]] = {"arrival": "landing", "stopover": "landing", "departing": "takeoff"}
_AWAY: Final[Mapping[str, Moment]] = {
    **dict.fromkeys(("preflight", "taxi"), "stopover"),
    **{"takeoff": "departing", "landing": "arrival"},
}
"""Moments at one end of the flight, and what they are at the other."""

Values = Mapping[str, SlotValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointInForce:
    """A key point that a reviewer approved, and the library's words that support it; none if the item's own artifact
    supports it. `quotes` are the rule itself, then its lead-in."""

    key: str
    concept: str
    version: int
    text: str
    role: PointRole
    must: bool
    p0: bool
    accept: tuple[str, ...]
    reject: tuple[str, ...] = ()
    keywords: tuple[tuple[str, ...], ...] = ()
    ask: str
    then: bool = False
    hint: str
    when: Mapping[str, tuple[SlotValue, ...]]
    chunk_id: str = ""
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MixUpKnown:
    """A wrong belief, its correction, and the keys of the points it contradicts."""

    text: str
    answer: str
    contradicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTheTable:
    """An artifact that the student sees with the question."""

    key: str
    kind: str
    title: str
    text: str = ""
    image: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemInForce:
    """An item that can be asked with the library at hand."""

    key: str
    version: int
    task: str
    elements: tuple[str, ...]
    classes: tuple[str, ...] = ()
    level: Level
    stem: str
    again: str
    on_trip: str = ""
    moment: Moment | Literal[""] = ""
    stage: int = STAGE_USUAL
    topic: str = ""
    ends: str = ""
    why: str
    slots: Mapping[str, tuple[SlotValue, ...]]
    cases: tuple[Values, ...]
    points: tuple[PointInForce, ...]
    mixups: tuple[MixUpKnown, ...] = ()
    artifacts: tuple[OnTheTable, ...] = ()
    after: str = ""
    requires: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()

    def moment_on(self, trip: Mapping[str, str]) -> Moment | Literal[""]:
        """When on this trip it plays: one that speaks of the field with the tower, or of that without, plays where that
        field is."""
        fields = [trip.get(name) for name in FIELDS_BY_TOWER if f"{{{name}}}" in self.on_trip]
        if not self.moment or len(fields) != 1 or "{destination}" in self.on_trip:
            return self.moment
        return (_AT_HOME if fields[0] == trip.get("departure") else _AWAY).get(self.moment, self.moment)

    def place_on(self, trip: Mapping[str, str]) -> int | None:
        """Where it plays on this trip; None where it does not hang on it, or plays at no moment."""
        moment = self.moment_on(trip) if self.hangs_on(trip) else ""
        return place_on_flight(moment, self.stage) if moment else None

    @property
    def musts(self) -> frozenset[frozenset[str]]:
        """What its must points want: the ideas of each, its figures, and the times and airspace for which it holds."""
        return frozenset(
            idea_set(one) | _particulars_of(one)
            for one in (point.text for point in self.points if point.must)
        )

    @property
    def is_critical(self) -> bool:
        """Whether a wrong answer to it can fail its Task at once."""
        return any(point.p0 for point in self.points)

    def is_for(self, aircraft_class: str) -> bool:
        """Whether an oral for this class may ask it; for "" whether any may."""
        return is_for_class(self.classes, aircraft_class)

    def hangs_on(self, slots: Collection[str]) -> bool:
        """Whether it can be worded into a trip that fills these slots."""
        own = {*self.slots, *(name for case in self.cases for name in case)}
        return bool(self.on_trip) and set(re.findall(r"\{(\w+)\}", self.on_trip)) <= {*slots, *own}

    def fit_on(self, slots: Collection[str]) -> int:
        """How well it fits a trip that fills these slots, the smaller the better (`sampling.LAST`)."""
        if not self.hangs_on(slots):
            return LAST
        if supposes(self.on_trip):
            return 3
        return 1 if OF_FEW_FLIGHTS & set(re.findall(r"\{(\w+)\}", self.on_trip)) else 2

    def expected_with(self, values: Values) -> tuple[PointInForce, ...]:
        """The points that an answer is expected to convey with these givens, musts first."""
        expected = [point for point in self.points if is_given(point.when, values)]
        return tuple(sorted(expected, key=lambda point: not point.must))


def _particulars_of(text: str) -> frozenset[str]:
    """What parts two musts in otherwise the same words, with a mark before it that no idea has."""
    return frozenset(
        f"#{one}" for one in re.findall(r"\d[\d,.]*\b|\b(?:day|night|class [a-g])\b", text.lower())
    )


def is_for_class(classes: Collection[str], aircraft_class: str) -> bool:
    """Whether an item of these classes may be asked in an oral for this one; no classes are all, "" is any."""
    return not (classes and aircraft_class) or aircraft_class in classes


def choose_item(
    items: Sequence[ItemInForce],
    *,
    met: Mapping[str, int],
    asked: Sequence[str],
    seed: str,
    difficulty: str,
    trip: Mapping[str, str] = MappingProxyType({}),
    musts_asked: Collection[frozenset[str]] = (),
    topics_asked: Sequence[str] = (),
    place: int | None = None,
) -> ItemInForce | None:
    """The item to ask. `met` says when this student met an item (a larger number is later), `asked` has the items of
    this exam in order, `musts_asked` what they require and `topics_asked` their topics, `trip` the slots
    of its trip, if it has one, and `place` is where on it the element is planned. None if there is no item."""
    levels = LEVELS_BY_DIFFICULTY.get(difficulty, LEVELS_BY_DIFFICULTY["standard"])
    fresh = [item for item in items if item.key not in asked] or list(items)
    last = asked[-1] if asked else ""

    def rank_of(item: ItemInForce) -> tuple[bool, bool, bool, int, int, int, bool, bool, int, str]:
        plays = item.place_on(trip)
        return (
            is_enough_of(item.topic, topics_asked),
            asks_again(item.musts, musts_asked),
            bool(trip) and not item.hangs_on(trip),
            abs(plays - place) if plays is not None and place is not None else 0,
            met.get(item.key, -1),
            item.fit_on(trip) if trip else 0,
            item.after != last or not last,
            bool(item.after) and item.after not in asked,
            levels.index(item.level),
            _lot_for(seed, item.key),
        )

    return min(fresh, key=rank_of, default=None)


def draw_values(item: ItemInForce, seed: str) -> dict[str, SlotValue]:
    """A value for each slot of the item."""
    drawn: dict[str, SlotValue] = {}
    if item.cases:
        drawn.update(_draw_from(item.cases, f"{seed}/{item.key}/case"))
    for slot, values in item.slots.items():
        drawn[slot] = _draw_from(values, f"{seed}/{item.key}/{slot}")
    return drawn


def _draw_from(values: Sequence[Any], seed: str) -> Any:
    return values[int(_lot_for(seed, ""), 16) % len(values)]


def _lot_for(seed: str, key: str) -> str:
    return sha256(f"{seed}/{key}".encode()).hexdigest()
