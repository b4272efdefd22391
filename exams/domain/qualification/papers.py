"""The folder of papers of a qualification and its outcome, as the exam stores them.

The folder's day is fixed when the exam is created, so a pause does not change which papers are in order. This module
knows no rule: the drawing of the folder decided which papers are out of order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from exams.domain.values import Expectation, StoredValue

Side = Literal["pilot", "airplane"]
Outcome = Literal["", "ready", "not today", "skipped"]

FALSE_ALARMS_MOST: Final = 1
"""Papers in order that a student may call out of order and still have found a fault: who names everything has found
nothing."""
UNSAID_MOST: Final = 2
"""Papers of one half that a student may name without saying their state, so that it is left to the judge whether a
fault was meant: who reads all of them aloud has found nothing."""
IN_ORDER: Final = "Everything that lies here is in order."


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One paper, or one entry of a logbook. `called` are the words by which a student names it.

    `element` is what it shows knowledge of; `why` says of this folder why the paper is in order ("" where it is not),
    `law` what the rule demands, and `rule` where it stands.
    """

    key: str
    side: Side
    name: str
    text: str
    called: tuple[str, ...]
    element: str = ""
    why: str = ""
    law: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is out of order on a card.

    `what` says it about this folder, `law` what the rule demands, `rule` where it stands ("14 CFR 61.39(a)(1)").
    `called` are words that name it where they do not name the card; `accept` are wordings of a student.
    """

    key: str
    card: str
    what: str
    law: str
    rule: str
    called: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """The papers of the pilot and the airplane on the day of the test (ISO date); `flight` names that day and the type.

    `questions` has the items of the bank of which one is asked before a half is opened, in the order drawn, and
    `missed` the codes on the knowledge test report.
    """

    day: str
    flight: str
    cards: tuple[Card, ...]
    faults: tuple[Fault, ...]
    questions: Mapping[Side, tuple[str, ...]] = field(default_factory=dict)
    missed: tuple[str, ...] = ()

    @property
    def elements(self) -> frozenset[str]:
        """What the papers show knowledge of."""
        return frozenset(card.element for card in self.cards)

    def on_side(self, side: Side) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.side == side)

    def expectations_for(self, side: Side | None = None) -> tuple[Expectation, ...]:
        """What an answer about one half of the folder, or about the whole, is expected to say."""
        keys = {card.key for card in self.cards if side in (None, card.side)}
        found = [
            Expectation(key=fault.key, text=fault.what, kind="decide", also=fault.accept)
            for fault in self.faults
            if fault.card in keys
        ]
        return tuple(found) or (Expectation(key="in-order", text=IN_ORDER, kind="decide"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A planted fault when the qualification is over: whether the student found it, and the passage of its rule, as a
    citation is stored, where the library has it."""

    fault: Fault
    card: str
    found: bool
    citation: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseAlarm:
    """A paper that was in order and called out of order, with the passage of its rule as `Judged` has it. One that was
    `corrected` was called in order later."""

    card: Card
    corrected: bool = False
    citation: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Misjudged:
    """A paper that the student was wrong about, for the list of what to study: `told` explains it."""

    element: str
    told: str
    citation: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualification(StoredValue):
    """One qualification: its folder and, when it is over, the `outcome`.

    `may_begin` is what the student said at the end, None where that was not clear; `credited` are the elements that
    right answers showed. `left_out` are the points with their sources that the answers before the halves lacked.
    """

    folder: Folder
    outcome: Outcome = ""
    faults: tuple[Judged, ...] = ()
    alarms: tuple[FalseAlarm, ...] = ()
    may_begin: bool | None = None
    credited: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def sides_at_fault(self) -> set[Side]:
        faulty = {fault.card for fault in self.folder.faults}
        return {card.side for card in self.folder.cards if card.key in faulty}

    @property
    def has_too_many_alarms(self) -> bool:
        return sum(not one.corrected for one in self.alarms) > FALSE_ALARMS_MOST

    @property
    def is_over(self) -> bool:
        return bool(self.outcome)

    @property
    def misjudged(self) -> tuple[Misjudged, ...]:
        """False alarms, also those that were corrected, and faults that were not found."""
        cards = {card.key: card for card in self.folder.cards}
        found = [
            Misjudged(element=cards[one.fault.card].element, told=one.fault.what, citation=one.citation)
            for one in self.faults
            if not one.found
        ]
        found += [
            Misjudged(
                element=one.card.element, told=f"{one.card.name}: {one.card.why}", citation=one.citation
            )
            for one in self.alarms
        ]
        return tuple(one for one in found if one.element)
