"""Answer from the table of airports what it has: where an airport is, the nearest ones, elevations, distances. Pure.

The table is the package airportsdata: code, name, city, country, position and elevation. Whatever else is asked for is
said not to be in it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from typing import Any, Final

import airportsdata

from knowledge.text.word_tables import read_yaml
from rules import conf
from rules.countries import name_of
from rules.countries.gazetteer import EUROPE, fold_accents
from rules.countries.mentions import mentions_in

_WORDS: Final[dict[str, Any]] = read_yaml(Path(__file__).with_name("airports.yaml"))
_ABSENT_KINDS: Final = (
    *("no runways", "no fuel", "no customs", "no opening hours", "no fees"),
    *("no weather", "no routes", "no frequencies", "no services"),
)
_ABSENT: Final = {word: kind.removeprefix("no ") for kind in _ABSENT_KINDS for word in _WORDS[kind]}
_NOT_OF_A_NAME: Final = re.compile(
    r"\b(airports?|airfield|aerodrome|airpark|international|regional|municipal|airstrip|air base|heliport)\b"
)
SOURCE: Final = (
    f"From the table of airports of airportsdata {airportsdata.__version__}. Check the AIP before a flight."
)


@dataclass(frozen=True, slots=True)
class Airport:
    """A row of the table; position in degrees, elevation in feet."""

    code: str
    name: str
    city: str
    country: str
    latitude: float
    longitude: float
    elevation: float

    def in_words(self) -> str:
        where = ", ".join(filter(None, (self.city, name_of(self.country))))
        return f"{self.code}, {self.name} ({where}), elevation {self.elevation:,.0f} ft"

    def miles_to(self, other: "Airport") -> float:
        """Nautical miles along the great circle."""
        up, down = radians(self.latitude), radians(other.latitude)
        across = radians(other.longitude - self.longitude)
        half = sin((down - up) / 2) ** 2 + cos(up) * cos(down) * sin(across / 2) ** 2
        return 2 * conf.EARTH_RADIUS_NM * asin(sqrt(half))


@cache
def airports_by_code() -> dict[str, Airport]:
    """Those with an ICAO location indicator of four letters."""
    return {
        code: Airport(
            code, row["name"], row["city"], row["country"], row["lat"], row["lon"], row["elevation"]
        )
        for code, row in airportsdata.load("ICAO").items()
        if len(code) == 4 and code.isalpha()
    }


@cache
def _codes_by_place() -> dict[str, tuple[str, ...]]:
    """By the name of a city, each part of "Cannes/Mandelieu" too, and of the airport itself, folded."""
    found: dict[str, list[str]] = defaultdict(list)
    for code, one in airports_by_code().items():
        city, name = fold_accents(one.city), _NOT_OF_A_NAME.sub(" ", fold_accents(one.name))
        for place in dict.fromkeys([city, *city.split("/"), name]):
            found[" ".join(re.findall(r"\w+", place))].append(code)
    return {place: tuple(dict.fromkeys(codes)) for place, codes in found.items() if len(place) > 2}


def airport_facts(message: str, countries: Sequence[str] = ()) -> str:
    """What the table answers to the message; "" if it has nothing to say. `countries` are those that the message is
    about: they decide which of two cities of one name is meant."""
    words = set(re.findall(r"\w+", fold_accents(message)))
    absent = list(
        dict.fromkeys(_ABSENT[word] for word in re.findall(r"\w+", fold_accents(message)) if word in _ABSENT)
    )
    asks = {kind: bool(words & set(_WORDS[kind])) for kind in ("elevation", "distance", "near", "find")}
    places = _places_in(message, countries)
    if places and asks["near"]:
        told = _tell_nearest(places[0])
    elif len(places) > 1 and asks["distance"]:
        miles = places[0][0].miles_to(places[1][0])
        told = [
            f"{places[0][0].in_words()}.",
            f"{places[1][0].in_words()}.",
            f"Distance: {miles:,.0f} NM, great circle.",
        ]
    elif places and (asks["elevation"] or asks["find"]) and not absent:
        told = [f"{one.in_words()}." for place in places for one in place[: conf.AIRPORTS_LISTED]]
    elif countries and asks["find"] and not absent:
        told = list(_tell_countries(countries))
    else:
        return ""
    missing = [f"The table has no data on {', '.join(absent)}."] if absent else []
    return "\n".join([*told, *missing, SOURCE])


def _tell_nearest(place: Sequence[Airport]) -> list[str]:
    """The airports of the place itself, and the nearest others."""
    here = place[0]
    own = {one.code for one in place}
    others = [(here.miles_to(one), one) for one in airports_by_code().values() if one.code not in own]
    near = sorted(others, key=lambda pair: (pair[0], pair[1].code))[: conf.AIRPORTS_NEAR]
    lines = [f"{one.in_words()}." for one in place[: conf.AIRPORTS_LISTED]]
    return [
        *lines,
        f"Nearest to {here.code}:",
        *(f"{miles:,.0f} NM: {one.in_words()}." for miles, one in near),
    ]


def _tell_countries(countries: Sequence[str]) -> Iterator[str]:
    for country in countries:
        rows = [one for one in airports_by_code().values() if one.country == country]
        if len(rows) <= conf.AIRPORTS_LISTED:
            yield from (f"{one.in_words()}." for one in rows)
        else:
            yield (
                f"The table has {len(rows):,} airports in {name_of(country)}. Name a city or an airport to see those"
                " near it."
            )


def _places_in(message: str, countries: Sequence[str]) -> list[list[Airport]]:
    """The airports of each place that the message names, in its order: by code, or by the name of a city or airport."""
    named = mentions_in(message)
    found: list[tuple[int, list[Airport]]] = []
    taken: set[int] = set()
    for one in named:
        taken.update(range(one.start, one.end))
        code = message[one.start : one.end].upper()
        if one.kind == "airport" and code in airports_by_code():
            found.append((one.start, [airports_by_code()[code]]))
    words = list(re.finditer(r"\w+", fold_accents(message)))
    at = 1
    while at < len(words):
        before, length = words[at - 1][0], 0
        if before in _WORDS["before_a_name"] and words[at].start() not in taken:
            length = _length_of_name([word[0] for word in words[at : at + 4]])
        if length:
            name = " ".join(word[0] for word in words[at : at + length])
            airports = [airports_by_code()[code] for code in _codes_by_place()[name]]
            # Those in the countries that are meant, else in Europe, else anywhere.
            meant = [one for one in airports if one.country in countries]
            meant = meant or [one for one in airports if one.country in EUROPE] or airports
            found.append((words[at].start(), meant))
        at += max(1, length)
    return [airports for _, airports in sorted(found, key=lambda pair: pair[0])]


def _length_of_name(words: Sequence[str]) -> int:
    """How many of these words are the longest name of a place that they begin with."""
    for length in range(len(words), 0, -1):
        name = " ".join(words[:length])
        if name in _codes_by_place() and name not in _WORDS["no_name"]:
            return length
    return 0
