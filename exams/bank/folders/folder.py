"""The folders of papers that qualifications are about: their files, and the folder that one exam draws from them.

A file has the papers of one certificate's applicant and of the airplane, all in order, and faults that may be planted:
each changes what its card says. Dates are counted in calendar months from the day of the test, as the rules count them.
The same exam draws the same folder. This module knows no database.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from exams.bank.schema import (
    ItemId,
    SlotName,
    Slug,
    SourceText,
    Statement,
    Title,
    Wording,
    one_line,
)
from exams.bank.trips.trip import CODES_BEGIN, Training, Trip
from exams.domain.exam_request import AircraftClass
from exams.domain.qualification.papers import Card, Fault, Folder, Side
from exams.domain.sampling import draw_lot
from knowledge.text.slots import fill_slots
from knowledge.text.word_tables import read_yaml

_FOLDER: Final = Path(__file__).parent
FAULTS_OF_FOUR: Final = (0, 1, 1, 2)
"""How many faults four folders have."""
_BIRTHDAY_DAYS: Final = 300
"""Days since the last birthday, at most, so that the age in years is certain."""

_Line = Annotated[str, BeforeValidator(one_line), StringConstraints(min_length=2, max_length=200)]
_Range = tuple[int, int]
Values = dict[str, Any]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    def needs(self) -> tuple[str, ...]:
        """The slots that are drawn before this one."""
        return ()


class NumberSlot(_Part):
    """A number from a range, in tenths where `tenths`, added to other slots."""

    number: _Range
    tenths: bool = False
    plus: tuple[SlotName, ...] = ()

    def needs(self) -> tuple[str, ...]:
        return self.plus

    def draw(self, lot: int, values: Values, day: date) -> Any:
        low, high = (10 * end if self.tenths else end for end in self.number)
        drawn = low + lot % (high - low + 1)
        number = Decimal(drawn).scaleb(-1) if self.tenths else drawn
        return sum((values[name] for name in self.plus), start=number)


class DateSlot(_Part):
    """A day so many calendar months before the test, after it where negative; `last` is the last day of that month."""

    months_ago: _Range
    last: bool = False

    def draw(self, lot: int, values: Values, day: date) -> date:
        low, high = self.months_ago
        back = low + lot % (high - low + 1)
        month = month_from(day, -back)
        days = monthrange(month.year, month.month)[1]
        if self.last:
            return month.replace(day=days)
        days = day.day if back == 0 else days
        return month.replace(day=1 + lot // 97 % days)


class EndSlot(_Part):
    """The last day of the month that is so many calendar months after another slot's day."""

    months_after: tuple[SlotName, int]

    def needs(self) -> tuple[str, ...]:
        return self.months_after[:1]

    def draw(self, lot: int, values: Values, day: date) -> date:
        name, months = self.months_after
        month = month_from(values[name], months)
        return month.replace(day=monthrange(month.year, month.month)[1])


class BirthSlot(_Part):
    """The birthday of somebody who was so many years old on a day; both are slots."""

    born_before: SlotName
    years: SlotName

    def needs(self) -> tuple[str, ...]:
        return (self.born_before, self.years)

    def draw(self, lot: int, values: Values, day: date) -> date:
        then: date = values[self.born_before]
        years = then.year - values[self.years]
        turned = then.replace(year=years, day=min(then.day, 28))
        return turned - timedelta(days=1 + lot % _BIRTHDAY_DAYS)


class WordSlot(_Part):
    one_of: list[_Line] = Field(min_length=1, max_length=12)

    def draw(self, lot: int, values: Values, day: date) -> str:
        return self.one_of[lot % len(self.one_of)]


Slot = NumberSlot | DateSlot | EndSlot | BirthSlot | WordSlot
Slots = dict[SlotName, Slot]


class CardText(_Part):
    """A paper as it lies there when it is in order; one that `takes` some training only where the airplane does.
    `element` is a code without its certificate. The other fields are those of `papers.Card`."""

    id: Slug
    side: Side
    name: Title
    text: Annotated[str, StringConstraints(min_length=10, max_length=900)]
    called: list[Wording] = Field(min_length=1, max_length=16)
    takes: Training | None = None
    element: Annotated[str, StringConstraints(pattern=r"^[IVX]+\.[A-Z]\.K\d+[a-z]?$")]
    why: Statement
    law: Statement
    rule: SourceText

    def lies_there(self, trip: Trip) -> bool:
        return self.takes is None or self.takes in trip.airplane.takes


class FaultText(_Part):
    """What is out of order: other slots, or another text, of its card. The fields are those of `papers.Fault`."""

    id: Slug
    card: Slug
    slots: Slots = Field(default_factory=dict)
    text: str = Field(default="", max_length=900)
    what: Statement
    law: Statement
    rule: SourceText
    called: list[Wording] = Field(default_factory=list, max_length=12)
    accept: list[Wording] = Field(default_factory=list, max_length=12)

    @model_validator(mode="after")
    def _changes_something(self) -> FaultText:
        if not self.slots and not self.text:
            raise ValueError("a fault changes slots or the text of its card")
        return self


class FolderText(_Part):
    """One file, for an applicant in one class. Of `cases` one row of slots is drawn; of the bank's `questions` one for
    each half."""

    certificate: Literal["private", "commercial"]
    aircraft_class: AircraftClass
    questions: dict[Side, list[ItemId]] = Field(default_factory=dict)
    slots: Slots
    cases: list[Slots] = Field(default_factory=list, max_length=6)
    cards: list[CardText] = Field(min_length=6, max_length=30)
    faults: list[FaultText] = Field(min_length=4, max_length=40)

    @model_validator(mode="after")
    def _faults_are_on_cards(self) -> FolderText:
        cards = {card.id for card in self.cards}
        for fault in self.faults:
            if fault.card not in cards:
                raise ValueError(f"fault “{fault.id}” is on “{fault.card}”, which is no card")
        return self

    def draw(
        self,
        trip: Trip,
        day: date,
        seed: str,
        planted: tuple[str, ...] | None = None,
        missed: Sequence[str] = (),
    ) -> Folder:
        """The folder of one exam; `planted` names the faults and `missed` the codes of the knowledge test report, which
        else are drawn."""
        cards = [card for card in self.cards if card.lies_there(trip)]
        there = {card.id for card in cards}
        fitting = [fault for fault in self.faults if fault.card in there]
        faults = [one for one in fitting if planted is not None and one.id in planted]
        if planted is None:
            faults = list(_draw_faults(fitting, seed))
        values = self._draw_values(day, seed, faults)
        if missed:
            values["missed"] = ", ".join(missed)
        given = {**values, **trip.all_slots, "type": trip.airplane.type, "day": day}
        faulty = {fault.card for fault in faults}
        instead = {fault.card: fault.text for fault in faults if fault.text}
        written = {name: in_words(value) for name, value in given.items()}
        return Folder(
            day=day.isoformat(),
            flight=f"{in_words(day)}, in the {trip.airplane.type}",
            cards=tuple(
                Card(
                    key=card.id,
                    side=card.side,
                    name=card.name,
                    text=(instead.get(card.id) or card.text).format_map(written).strip(),
                    called=tuple(card.called),
                    element=f"{CODES_BEGIN[self.certificate].upper()}.{card.element}",
                    why="" if card.id in faulty else card.why.format_map(written),
                    law=card.law.format_map(written),
                    rule=card.rule,
                )
                for card in cards
            ),
            faults=tuple(
                Fault(
                    key=fault.id,
                    card=fault.card,
                    what=fault.what.format_map(written),
                    law=fault.law,
                    rule=fault.rule,
                    called=tuple(fault.called),
                    accept=tuple(fault.accept),
                )
                for fault in faults
            ),
            questions={
                side: tuple(sorted(items, key=lambda item: draw_lot(seed, item)))
                for side, items in self.questions.items()
            },
            missed=tuple(str(values["missed"]).split(", ")),
        )

    def _draw_values(self, day: date, seed: str, faults: list[FaultText]) -> Values:
        """A value for each slot, those that others need first."""
        case = self.cases[_lot_for(seed, "case") % len(self.cases)] if self.cases else {}
        slots: Slots = {**self.slots, **case}
        for fault in faults:
            slots |= fault.slots
        values: Values = {}

        def draw(name: str) -> None:
            if name not in values:
                for needed in slots[name].needs():
                    draw(needed)
                values[name] = slots[name].draw(_lot_for(seed, name), values, day)

        for name in slots:
            draw(name)
        return values


@cache
def read_folders() -> tuple[FolderText, ...]:
    """All folders, one of each file and class, with the common slots, cards, and faults, `without` some of these cards.
    Raises ValidationError for a file that is no folder."""
    read = {path.stem: read_yaml(path) for path in sorted(_FOLDER.glob("*.yaml"))}
    common = read.pop("common")
    return tuple(
        FolderText.model_validate(_folder_in(own, common, aircraft_class, words))
        for own in read.values()
        for aircraft_class, words in own["classes"].items()
    )


def _folder_in(
    own: Values, common: Values, aircraft_class: AircraftClass, words: Mapping[str, str]
) -> Values:
    """The folder of a file in a class, with its `words` and the common ones filled in."""
    lies_there = [
        card["id"] for card in (*common["cards"], *own["cards"]) if card["id"] not in own.get("without", [])
    ]
    whole = {
        "certificate": own["certificate"],
        "aircraft_class": aircraft_class,
        "questions": own["questions"],
        "slots": {**common["slots"], **own["slots"]},
        "cases": common["cases"],
        "cards": [card for card in (*common["cards"], *own["cards"]) if card["id"] in lies_there],
        "faults": [fault for fault in (*own["faults"], *common["faults"]) if fault["card"] in lies_there],
    }
    filled: Values = _fill({**common["classes"][aircraft_class], **words}, whole)
    return filled


def _fill(words: Mapping[str, str], value: Any) -> Any:
    """The value with these words in place of their slots, in every text of it."""
    if isinstance(value, dict):
        return {key: _fill(words, one) for key, one in value.items()}
    if isinstance(value, list):
        return [_fill(words, one) for one in value]
    return fill_slots(value, words) if isinstance(value, str) else value


def folder_for(certificate: str, aircraft_class: str) -> FolderText | None:
    """The folder's file for an applicant in this class; None where none is written."""
    fitting = (
        one
        for one in read_folders()
        if (one.certificate, one.aircraft_class) == (certificate, aircraft_class)
    )
    return next(fitting, None)


def month_from(day: date, months: int) -> date:
    """The first day of the month so many months after that of `day`, before it where negative."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


def _draw_faults(faults: Sequence[FaultText], seed: str) -> Iterator[FaultText]:
    """So many of these faults as the lot says, each on a card of its own and with slots of its own."""
    left = FAULTS_OF_FOUR[_lot_for(seed, "how many faults") % len(FAULTS_OF_FOUR)]
    taken: set[str] = set()
    for fault in sorted(faults, key=lambda one: draw_lot(seed, one.id)):
        touched = {fault.card, *fault.slots}
        if left and not touched & taken:
            yield fault
            taken |= touched
            left -= 1


def _lot_for(seed: str, name: str) -> int:
    return int(draw_lot(seed, f"folder/{name}"), 16)


def in_words(value: Any) -> str:
    """A value as a card says it: "November 28, 2026" of a date."""
    return f"{value:%B} {value.day}, {value.year}" if isinstance(value, date) else str(value)
