"""The trips that mock oral exams are about: their files, and the scene that one exam makes of one of them.

A trip asserts no rule. Whatever its people, places, and times are called, every trip fills the same slots, so that an
item's stem that hangs on a trip hangs on any; a stem with a slot that only some trips have (a ridge, a lake, a flight
home in the dark) hangs on those. This module knows no database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from exams.bank.schema import Ends, ItemId, Slug, Stage, Stem, Title, one_line
from exams.domain.exam_request import AircraftClass, ExamOrder, OrderRefused
from exams.domain.sampling import draw_lot
from exams.domain.scenes.scene import (
    STAGE_USUAL,
    Change,
    ChangeQuestion,
    Fact,
    Given,
    Moment,
    Scene,
    place_on_flight,
)
from knowledge.text.word_tables import read_rows, read_yaml

CODES_BEGIN: Final = {"private": "pa", "commercial": "ca"}
_FOLDER: Final = Path(__file__).parent
_WORDS: Final = {row["list"]: tuple(row["words"].split()) for row in read_rows(_FOLDER / "words.csv")}
_GIVENS: Final = read_rows(_FOLDER / "givens.csv")
_FACTS: Final = read_rows(_FOLDER / "facts.csv")
_ANSWERS: Final = {row["topic"]: row for row in read_rows(_FOLDER / "answers.csv")}
"""What the examiner shows, and what it says when a student asks; `_ANSWERS` by topic, with the questions that ask for
it, and empty where each trip has its own."""

Text = Annotated[str, BeforeValidator(one_line), StringConstraints(min_length=2, max_length=400)]
Name = Annotated[str, BeforeValidator(one_line), StringConstraints(min_length=2, max_length=60)]
Pounds = Annotated[int, Field(ge=1, le=6_000)]
Training = Literal["complex", "high-performance", "tailwheel"]
"""What a pilot in command has an endorsement for, by 14 CFR 61.31(e), (f), and (i)."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Airplane(_Part):
    """`called` is how one speaks of it ("the Archer"). Weights are in pounds, fuel in gallons. It `takes` training that
    other airplanes of its class do not."""

    type: Name
    aircraft_class: AircraftClass = Field(alias="class")
    called: Name
    owner: Name
    equipment: Text
    empty: Pounds
    maximum: Pounds
    usable: int = Field(ge=10, le=400)
    takes: list[Training] = Field(default_factory=list, max_length=2)


class Person(_Part):
    """A passenger; `who` says who it is to the pilot ("your sister")."""

    name: Name
    who: Name
    weight: Pounds
    wants: Text


class Bags(_Part):
    what: Name
    weight: Pounds


class Place(_Part):
    """An airport, or `water` to take off from and land on. `runway` says what there is of either, `weather` is the
    report or forecast as it is printed, `sky` the same in plain words."""

    name: Name
    water: bool = False
    runway: Text
    elevation: int = Field(ge=0, le=9_000)
    tower: bool
    weather: Annotated[str, StringConstraints(min_length=10, max_length=600)]
    sky: Text


class Route(_Part):
    """`miles` are nautical, `altitude` is in feet. `day` has no year: the weather and the sunset are that day's,
    whenever the oral is."""

    day: Name
    miles: int = Field(ge=20, le=600)
    altitude: Name
    minutes: int = Field(ge=15, le=300)
    leaves: Name
    arrives: Name
    home: Name
    sunset: Name
    over: Text

    @property
    def comes_home_in_the_dark(self) -> bool:
        return minute_of_day(self.home) > minute_of_day(self.sunset)


class Asks(_Part):
    """A question about an event: an item of the bank, worded into it."""

    item: ItemId
    stem: Stem


class Event(_Part):
    """An unexpected change at a `moment` of the flight and a `stage` of it, and the question that follows: the first of
    `asks` that the library supports. `ends` closes it, so that the flight can go on. `weighs` is the new weight of a
    person, where that is what changes."""

    id: Slug
    moment: Moment
    stage: Stage = STAGE_USUAL
    topic: Slug | Literal[""] = ""
    asks: list[Asks] = Field(min_length=1, max_length=6)
    said: Text
    ends: Ends = ""
    name: Name
    value: Text
    about: list[list[Name]] = Field(default_factory=list, max_length=3)
    weighs: dict[Name, Pounds] = Field(default_factory=dict)


class Trip(_Part):
    """One flight with its people. `slots` are those that not every trip has; `between` tells of the landing at the
    destination and of what the trip was for. `answers` are what a student hears who asks about a topic of
    `answers.csv`."""

    id: Slug
    title: Title
    certificates: list[Literal["private", "commercial"]] = Field(min_length=1)
    pilot_weight: Pounds
    airplane: Airplane
    people: list[Person] = Field(min_length=1, max_length=3)
    bags: list[Bags] = Field(max_length=3)
    fuel: int = Field(ge=10, le=400)
    departure: Place
    destination: Place
    route: Route
    pressure: Text
    told: Text
    between: Text
    slots: dict[Name, Text] = Field(default_factory=dict)
    answers: dict[Name, Text] = Field(default_factory=dict)
    events: list[Event] = Field(min_length=2, max_length=3)

    @model_validator(mode="after")
    def _one_field_has_a_tower(self) -> Trip:
        if self.departure.tower == self.destination.tower:
            raise ValueError("one of the two airports has a tower, the other has none")
        return self

    @model_validator(mode="after")
    def _topics_of_answers_are_known(self) -> Trip:
        if unknown := self.answers.keys() - _ANSWERS.keys():
            raise ValueError(
                f"answers.csv has no topic {', '.join(sorted(unknown))}; add its questions there"
            )
        return self

    @model_validator(mode="after")
    def _nobody_lands_on_water_in_the_dark(self) -> Trip:
        if self.departure.water and self.route.comes_home_in_the_dark:
            raise ValueError(
                "it comes home to the water after sunset; be home earlier, or start from a runway"
            )
        return self

    @model_validator(mode="after")
    def _each_event_is_asked_about(self) -> Trip:
        for event in self.events:
            asked = {one.item.split(".")[0] for one in event.asks}
            for certificate in self.certificates:
                if CODES_BEGIN[certificate] not in asked:
                    raise ValueError(f"event {event.id} has no question for {certificate} pilots; add one")
        return self

    @model_validator(mode="after")
    def _events_come_in_order(self) -> Trip:
        places = [place_on_flight(event.moment, event.stage) for event in self.events]
        if places != sorted(places):
            raise ValueError("events stand in the order of the flight; sort them by moment and stage")
        return self

    def last_flown(self, today: date) -> date:
        """Its day in the last year in which it is not ahead of today: papers dated from it are not dated ahead."""
        days = (datetime.strptime(f"{self.route.day}, {today.year - ago}", "%B %d, %Y") for ago in (0, 1))
        return next(day.date() for day in days if day.date() <= today)

    @property
    def asked_on_events(self) -> frozenset[str]:
        """The ids of the items that ask about its events."""
        return frozenset(one.item for event in self.events for one in event.asks)

    @property
    def all_slots(self) -> dict[str, str]:
        """What the stems that hang on this trip are filled with."""
        names = [one.name for one in self.people]
        on_land = not (self.departure.water or self.destination.water)
        dark = self.route.comes_home_in_the_dark
        return {
            **self.slots,
            **({"tonight": "tonight"} if dark else {}),
            **({"airports": "the airports"} if on_land else {}),
            **({"night_field": self.destination.name} if on_land and dark else {}),
            "companion": names[0],
            "companions": " and ".join(names),
            "airplane": self.airplane.called,
            "airplane_starts": _with_capital(self.airplane.called),
            "owner": self.airplane.owner,
            "departure": self.departure.name,
            "destination": self.destination.name,
            "departure_time": self.route.leaves,
            "arrival_time": self.route.arrives,
            "home_time": self.route.home,
            "sunset": self.route.sunset,
            "towered_field": next(one.name for one in (self.departure, self.destination) if one.tower),
            "untowered_field": next(one.name for one in (self.departure, self.destination) if not one.tower),
            "miles": str(self.route.miles),
            "pressure": self.pressure,
        }

    def fits(self, order: ExamOrder) -> bool:
        return order.certificate in self.certificates and order.aircraft_class == self.airplane.aircraft_class


@cache
def read_trips() -> tuple[Trip, ...]:
    """All trips, by id. Raises ValidationError for a file that is no trip."""
    files = sorted(_FOLDER.glob("*.yaml"))
    return tuple(Trip.model_validate(read_yaml(path)) for path in files)


def draw_trip(order: ExamOrder, seed: str) -> Trip | None:
    """The trip of the mock oral `seed`, or of the one it continues; None in other modes. Raises OrderRefused where no
    trip fits."""
    if order.mode != "mock":
        return None
    trip = fitting_trip(order, seed)
    if trip is None:
        classes = sorted(
            {trip.airplane.aircraft_class for trip in read_trips() if order.certificate in trip.certificates}
        )
        there_is = (
            f"There is one for {' and '.join(classes)}." if classes else "There is none for this certificate."
        )
        raise OrderRefused.of(
            "class",
            f"A mock oral is about one flight, and none is written for {order.certificate} pilots in"
            f" {order.aircraft_class}. {there_is} Pick another class, or another scope.",
        )
    return trip


def fitting_trip(order: ExamOrder, seed: str) -> Trip | None:
    """The trip that is drawn for an oral of any mode; None where none is written for its class."""
    fitting = [trip for trip in read_trips() if trip.fits(order)]
    return min(fitting, key=lambda trip: draw_lot(str(order.continues or seed), trip.id), default=None)


def scene_of(trip: Trip) -> Scene:
    """The trip as an exam keeps it."""
    return Scene(
        trip=trip.id,
        title=trip.title,
        told=trip.told,
        slots=trip.all_slots,
        givens=tuple(_givens_of(trip)),
        facts=(
            *(
                fact
                for kind, values in _values_of(trip).items()
                for own in values
                for fact in _facts_about(kind, own)
            ),
            *_answers_of(trip),
        ),
        changes=tuple(
            Change(
                questions=tuple(ChangeQuestion(item=one.item, stem=one.stem) for one in event.asks),
                said=event.said,
                given=Given(name=event.name, value=event.value, kind="change"),
                facts=tuple(_facts_after(event, trip)),
                moment=event.moment,
                stage=event.stage,
                topic=event.topic,
                ends=event.ends,
            )
            for event in trip.events
        ),
        between=trip.between,
    )


def _givens_of(trip: Trip) -> Iterator[Given]:
    values = _values_of(trip)
    for row in _GIVENS:
        for own in values[row["of"]]:
            yield Given(name=row["name"].format_map(own), value=row["value"].format_map(own))


def _facts_about(kind: str, own: Mapping[str, Any]) -> Iterator[Fact]:
    """Of a person, the weight first. In a row, "/" parts the lists of `words.csv`, or words themselves, of which the
    question has one; "name" are those by which a student speaks of the person or place."""
    for row in (one for one in _FACTS if one["of"] == kind):
        groups = row["about"].format_map(own).split("; ")
        about = (
            tuple(
                word
                for one in group.split("/")
                for word in (own["called"] if one == "name" else _WORDS.get(one, (one,)))
            )
            for group in groups
        )
        yield Fact(about=tuple(about), say=row["say"].format_map(own))


def _answers_of(trip: Trip) -> Iterator[Fact]:
    knots = round(trip.route.miles / trip.route.minutes * 60 / 5) * 5
    own = trip.all_slots | {"fuel": trip.fuel, "knots": knots}
    for topic, row in _ANSWERS.items():
        if say := trip.answers.get(topic) or row["say"].format_map(own):
            yield Fact(say=say, asked=tuple(row["asked"].format_map(own).split(" / ")))


def _facts_after(event: Event, trip: Trip) -> Iterator[Fact]:
    for one in trip.people:
        if one.name in event.weighs:
            yield next(_facts_about("person", _values_of_person(one) | {"weight": event.weighs[one.name]}))
    if event.about:
        yield Fact(about=tuple(map(tuple, event.about)), say=event.value)


def _values_of(trip: Trip) -> dict[str, list[dict[str, Any]]]:
    """What the rows about each passenger, the trip itself, and each airport are filled with."""
    aboard = [f"{one.name}, {one.who}, {one.weight} lb" for one in trip.people]
    bags = ", ".join(f"{one.what}, {one.weight} pounds" for one in trip.bags)
    whole = {
        **dict(trip),
        "trip": trip,
        "model": trip.airplane.called.lower().removeprefix("the "),
        "aboard": "; ".join([*aboard, *(f"{one.what}, {one.weight} lb" for one in trip.bags)]),
        "bags": f"On board: {bags}." if bags else "There are no bags.",
        "wishes": " ".join(f"{one.name} {one.wants}." for one in trip.people),
        "pressure": _with_capital(trip.pressure),
        **{name: trip.all_slots[name] for name in ("companions", "towered_field", "untowered_field")},
        **{name: getattr(trip.route, name).removesuffix(".") for name in ("leaves", "arrives", "sunset")},
    }
    places = [
        {
            **dict(place),
            "called": (place.name.lower(), *_WORDS[here]),
            "surface": "water" if place.water else "runway",
            "runway_starts": _with_capital(place.runway),
            "tower": "tower" if place.tower else "no tower",
            "a_tower": "a tower" if place.tower else "no tower",
        }
        for place, here in ((trip.departure, "here"), (trip.destination, "destination"))
    ]
    return {"person": list(map(_values_of_person, trip.people)), "trip": [whole], "place": places}


def _values_of_person(person: Person) -> dict[str, Any]:
    of_whom = person.who.lower().split(",")[0].removeprefix("your ").rpartition("'s ")[2]
    return {**dict(person), "called": (person.name.lower(), of_whom)}


def _with_capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def minute_of_day(time: str) -> int:
    """Of "noon", "9 a.m.", or "7:05 p.m."."""
    if time == "noon":
        return 12 * 60
    read = re.fullmatch(r"(\d{1,2})(?::(\d\d))? ([ap])\.m\.", time)
    if read is None:
        raise ValueError(f"“{time}” is no time of day; write it as 7:05 p.m.")
    return (int(read[1]) % 12 + 12 * (read[3] == "p")) * 60 + int(read[2] or 0)
