"""The trips that mock oral exams are about: their files, and the scene that one exam makes of one of them.

A trip asserts no rule. Whatever its people, places, and times are called, every trip fills the same slots, so that an
item's stem that hangs on a trip hangs on any; a stem with a slot that only some trips have (a ridge, a lake, a flight
home in the dark) hangs on those. This module knows no database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal

import yaml
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
from knowledge.text.word_tables import read_rows

CODES_BEGIN: Final = {"private": "pa", "commercial": "ca"}
_FOLDER: Final = Path(__file__).parent
_WORDS: Final = {row["list"]: tuple(row["words"].split()) for row in read_rows(_FOLDER / "words.csv")}

Text = Annotated[str, BeforeValidator(one_line), StringConstraints(min_length=2, max_length=400)]
Name = Annotated[str, BeforeValidator(one_line), StringConstraints(min_length=2, max_length=60)]
Pounds = Annotated[int, Field(ge=1, le=6_000)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Airplane(_Part):
    """`called` is how one speaks of it ("the Archer"). Weights are in pounds, fuel in gallons."""

    type: Name
    aircraft_class: AircraftClass = Field(alias="class")
    called: Name
    owner: Name
    equipment: Text
    empty: Pounds
    maximum: Pounds
    usable: int = Field(ge=10, le=400)


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
        return _minute_of_day(self.home) > _minute_of_day(self.sunset)


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
    destination and of what the trip was for."""

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
    events: list[Event] = Field(min_length=2, max_length=3)

    @model_validator(mode="after")
    def _one_field_has_a_tower(self) -> Trip:
        if self.departure.tower == self.destination.tower:
            raise ValueError("one of the two airports has a tower, the other has none")
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
            "airplane_starts": self.airplane.called[0].upper() + self.airplane.called[1:],
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
    return tuple(Trip.model_validate(yaml.safe_load(path.read_text("utf-8"))) for path in files)


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
        raise OrderRefused(
            {
                "class": [
                    f"A mock oral is about one flight, and none is written for {order.certificate} pilots in"
                    f" {order.aircraft_class}. {there_is} Pick another class, or another scope."
                ]
            }
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
        facts=tuple(_facts_of(trip)),
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
    airplane, route = trip.airplane, trip.route
    yield Given(
        name="Airplane",
        value=f"{airplane.type}, from {airplane.owner}. {airplane.equipment} Empty {airplane.empty:,} lb, maximum"
        f" {airplane.maximum:,} lb, usable fuel {airplane.usable} gal.",
    )
    aboard = [f"You, {trip.pilot_weight} lb"]
    aboard += [f"{one.name}, {one.who}, {one.weight} lb" for one in trip.people]
    aboard += [f"{one.what}, {one.weight} lb" for one in trip.bags]
    yield Given(name="On board", value="; ".join([*aboard, f"{trip.fuel} gal of fuel"]) + ".")
    yield Given(
        name="Route",
        value=f"{trip.departure.name} to {trip.destination.name}, {route.miles} NM over {route.over}, cruise"
        f" {route.altitude}, about {route.minutes} minutes.",
    )
    yield Given(
        name="Times",
        value=f"{route.day}. Off at {route.leaves}, there at {route.arrives}, home by {route.home};"
        f" sunset {route.sunset}",
    )
    for place in (trip.departure, trip.destination):
        tower = "tower" if place.tower else "no tower"
        yield Given(
            name=place.name,
            value=f"{place.runway[0].upper()}{place.runway[1:]}; {tower}; elevation {place.elevation:,} ft."
            f" {place.sky}",
        )
    yield Given(name="Weather", value=f"{trip.departure.weather.strip()}\n{trip.destination.weather.strip()}")
    yield Given(
        name="People",
        value=" ".join(f"{one.name} {one.wants}." for one in trip.people)
        + f" {trip.pressure[0].upper()}{trip.pressure[1:]}.",
    )


def _facts_of(trip: Trip) -> Iterator[Fact]:
    """What can be asked about the trip, in words that are found by `words.csv`."""
    airplane, route, words = trip.airplane, trip.route, _WORDS
    for one in trip.people:
        yield _weight_of(one, one.weight)
        yield Fact(about=(_called(one), words["wants"]), say=f"{one.name} {one.wants}.")
        yield Fact(about=(_called(one), ("who",)), say=f"{one.name} is {one.who}; {one.name} {one.wants}.")
    yield Fact(
        about=(("am i", "do i", "my weight", "my own", "pilot"), words["weight"]),
        say=f"You weigh {trip.pilot_weight} pounds.",
    )
    bags = ", ".join(f"{one.what}, {one.weight} pounds" for one in trip.bags)
    yield Fact(about=(words["bags"],), say=f"On board: {bags}." if bags else "There are no bags.")
    fuel = f"You have {trip.fuel} gallons on board; the tanks hold {airplane.usable} usable."
    yield Fact(about=(words["fuel"],), say=fuel)
    yield Fact(about=(words["distance"],), say=f"It is {route.miles} nautical miles.")
    yield Fact(about=(words["duration"],), say=f"You planned about {route.minutes} minutes.")
    yield Fact(about=(words["altitude"],), say=f"You planned {route.altitude}.")
    yield Fact(about=(words["departure"],), say=f"You plan to leave at {route.leaves.removesuffix('.')}.")
    yield Fact(
        about=(words["arrival"], ("when", "what time")),
        say=f"You plan to be there at {route.arrives.removesuffix('.')}.",
    )
    yield Fact(
        about=(words["home"], ("when", "what time")),
        say=f"You mean to be home by {route.home}; sunset {route.sunset}",
    )
    yield Fact(
        about=(words["airplane"],), say=f"It is a {airplane.type} from {airplane.owner}. {airplane.equipment}"
    )
    yield Fact(
        about=(words["limits"], words["weight"]),
        say=f"Empty {airplane.empty:,} pounds, maximum {airplane.maximum:,}.",
    )
    yield Fact(about=(("what day", "date", "month", "season", "time of year"),), say=f"It is {route.day}.")
    yield Fact(about=(("sunset", "dark", "night"),), say=f"Sunset is at {route.sunset.removesuffix('.')}.")
    yield Fact(about=(words["pressure"],), say=f"{trip.pressure[0].upper()}{trip.pressure[1:]}.")
    yield Fact(about=(words["weather"],), say=f"{trip.departure.sky} {trip.destination.sky}")
    for place, here in ((trip.departure, words["here"]), (trip.destination, words["destination"])):
        named = (place.name.lower(), *here)
        tower = "has a tower" if place.tower else "has no tower"
        yield Fact(about=(words["weather"], named), say=place.sky)
        yield Fact(
            about=(words["water" if place.water else "runway"], named), say=f"{place.name}: {place.runway}."
        )
        yield Fact(about=(words["tower"], named), say=f"{place.name} {tower}.")
        yield Fact(
            about=(words["elevation"], named),
            say=f"{place.name} is {place.elevation:,} feet above sea level.",
        )


def _facts_after(event: Event, trip: Trip) -> Iterator[Fact]:
    yield from (_weight_of(one, event.weighs[one.name]) for one in trip.people if one.name in event.weighs)
    if event.about:
        yield Fact(about=tuple(map(tuple, event.about)), say=event.value)


def _weight_of(person: Person, pounds: int) -> Fact:
    return Fact(
        about=((*_called(person), *_WORDS["people"]), _WORDS["weight"]),
        say=f"{person.name} weighs {pounds} pounds.",
    )


def _minute_of_day(time: str) -> int:
    """Of "noon", "9 a.m.", or "7:05 p.m."."""
    if time == "noon":
        return 12 * 60
    read = re.fullmatch(r"(\d{1,2})(?::(\d\d))? ([ap])\.m\.", time)
    if read is None:
        raise ValueError(f"“{time}” is no time of day; write it as 7:05 p.m.")
    return (int(read[1]) % 12 + 12 * (read[3] == "p")) * 60 + int(read[2] or 0)


def _called(person: Person) -> tuple[str, ...]:
    """The words by which a student speaks of a passenger."""
    return (person.name.lower(), person.who.lower().split(",")[0].removeprefix("your ").rpartition("'s ")[2])
