"""A sentence becomes the conditions under which it holds: day or night, airspace, altitude band, flight
rules, people.

Pure: reads words, looks nothing up. Band keys are those of a claim's key facts (`below_1200_agl`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from knowledge import conf
from knowledge.text.numbers import plain
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.text_cache import kept


@dataclass(frozen=True, slots=True)
class AltitudeBand:
    """Heights in feet between two limits; an open side is None. Datums are msl, agl, airport, or None if
    unsaid."""

    low: float | None = None
    low_datum: str | None = None
    high: float | None = None
    high_datum: str | None = None
    low_included: bool = False

    @property
    def key(self) -> str:
        parts = []
        if self.low is not None:
            parts.append(_limit("at_or_above" if self.low_included else "above", self.low, self.low_datum))
        if self.high is not None:
            parts.append(_limit("below", self.high, self.high_datum))
        return "_".join(parts)


def _limit(side: str, feet: float, datum: str | None) -> str:
    return f"{side}_{feet:.0f}" + (f"_{datum}" if datum else "")


@dataclass(frozen=True, slots=True)
class Conditions:
    """When and for whom a sentence speaks. Empty sets say nothing either way."""

    times: frozenset[str] = frozenset()
    airspace: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    airports: frozenset[str] = frozenset()
    aircraft: frozenset[str] = frozenset()
    persons: frozenset[str] = frozenset()
    carrying_passengers: bool = False
    bands: tuple[AltitudeBand, ...] = ()
    exceptions: tuple[str, ...] = ()

    def words(self) -> tuple[str, ...]:
        """The conditions as plain words, for key facts and for people."""
        named = [
            f"class {letter}" if len(letter) == 1 else f"{letter} airspace"
            for letter in sorted(self.airspace)
        ]
        sets: Iterable[Iterable[str]] = (
            self.times,
            named,
            self.rules,
            self.airports,
            self.aircraft,
            self.persons,
        )
        words = [word for group in sets for word in sorted(group)]
        carrying = ["carrying passengers"] if self.carrying_passengers else []
        return (*words, *carrying, *(band.key for band in self.bands))


_TIMES = {
    "day": r"\bday(?:time|light)?\b|\bsunrise to sunset\b",
    "night": (
        r"\bnight(?:s|time)?\b|\bsunset to sunrise\b|\bafter dark\b|\bafter sunset\b|\bbetween sunset "
        r"and sunrise\b"
    ),
}
_DAY_COUNTED = re.compile(
    r"(?:\d|preceding|calendar|consecutive|last|past|per|each|every|same|one|a|[a-z]+ty|thirty"
    r"|ninety) days?\b(?! vfr| vmc| flight)"
)
_RULES = {
    "special vfr": r"\bspecial vfr\b|\bsvfr\b",
    "vfr": r"(?<!special )\bvfr\b|\bvisual flight rules\b|\bvmc\b|(?<!special )\bvisual conditions\b",
    "ifr": r"\bifr\b|\binstrument flight rules\b|\bimc\b|\binstrument conditions\b",
}
_AIRPORTS = {
    "without tower": (
        r"\bwithout an? (?:operating )?(?:control )?tower\b|\bnon-?towered\b|\buncontrolled "
        r"(?:airport|field)|\bnot having an operating control tower\b|\bno (?:control )?tower\b"
    ),
    "with tower": (
        r"(?<!non)(?<!non-)\btowered\b|\bwith an? (?:operating )?(?:control )?tower\b|\bhas an "
        r"operating control tower\b|(?<!un)\bcontrolled (?:airport|field)"
    ),
}
_AIRCRAFT = {
    "airplane": r"\bair(?:plane)s?\b",
    "helicopter": r"\bhelicopters?\b|\brotorcraft\b",
    "glider": r"\bgliders?\b",
    "balloon": r"\bballoons?\b",
    "airship": r"\bairships?\b",
    "powered parachute": r"\bpowered parachutes?\b",
    "weight-shift-control": r"\bweight-shift",
    "seaplane": r"\bseaplanes?\b",
    "large airplane": r"\blarge (?:or turbine-powered )?airplanes?\b",
    "turbine": r"\bturbine",
    "multiengine": r"\bmulti-?engine\b",
    "tailwheel": r"\btail-?wheel\b",
}
_PERSONS = {
    "pilot in command": r"\bpilot[- ]in[- ]command\b|\bpic\b",
    "second in command": r"\bsecond[- ]in[- ]command\b",
    "student pilot": r"\bstudent pilots?\b",
    "sport pilot": r"\bsport pilots?\b",
    "recreational pilot": r"\brecreational pilots?\b",
    "private pilot": r"\bprivate pilots?\b",
    "commercial pilot": r"\bcommercial pilots?\b",
    "flight instructor": r"\bflight instructors?\b|\bcfi\b",
    "owner or operator": r"\bowner or operator\b|\bregistered owner\b",
    "crewmember": r"\b(?:flight )?crew ?members?\b",
}
_PASSENGERS = re.compile(
    r"\bcarry(?:ing|ies)?(?: [a-z]+){0,2} passengers?\b|\bpassengers? (?:are|is) (?:carried|on "
    r"board|aboard)\b|\bwith passengers\b|\bpassenger-carrying\b"
)
_SPOKEN_CLASS = {"alpha": "A", "bravo": "B", "charlie": "C", "delta": "D", "echo": "E", "golf": "G"}
_CLASS_LIST = re.compile(
    r"\bclass(?:es)? ((?:[a-eg]|alpha|bravo|charlie|delta|echo|golf)\b(?:(?:, ?(?:or |and )?| or "
    r"| and | through | to |-)(?:class )?(?:[b-eg]|bravo|charlie|delta|echo|golf)\b)*)"
)
_SHORT_CLASS = re.compile(
    r"\b(?:(alpha|bravo|charlie|delta|echo|golf|[b-eg])) (?:surface )?(?:airspace|surface area)"
)
_EXCEPTION = re.compile(
    r"\b(?:unless|except|other than|notwithstanding|provided that|provided|with the exception of)\b"
    r"(?:[^.;]|\.(?=\d))*"
)


@kept
def conditions_in(text: str) -> Conditions:
    """The conditions the text names."""
    said = plain(text)
    counted = _DAY_COUNTED.sub(" ", said)
    return Conditions(
        times=_named(_TIMES, counted),
        airspace=_airspace(said),
        rules=_named(_RULES, said),
        airports=_named(_AIRPORTS, said),
        aircraft=_named(_AIRCRAFT, said),
        persons=_named(_PERSONS, said),
        carrying_passengers=bool(_PASSENGERS.search(said)),
        bands=bands_from(quantities_in(text)),
        exceptions=tuple(text[slice(*match.span())].strip(" ,") for match in _EXCEPTION.finditer(said)),
    )


_PARTS = (
    re.compile(
        r",(?= )|;|\.(?= )|\n|:| but | while | whereas | (?:and|or) (?=\d|(?:by|at|during|in)\b"
        r"|[a-z-]+ (?:minutes|hours|miles|feet) )"
    ),
    re.compile(r";|\.(?= |$)|\n"),
)


def local_conditions(text: str, span: tuple[int, int]) -> Conditions:
    """Time of day and airspace in the part of the sentence that holds the span, else in the sentence, if
    each is one."""
    times: frozenset[str] = frozenset()
    airspace: frozenset[str] = frozenset()
    for ends in _PARTS:
        part = plain(_part(text, span, ends))
        times = times or _named(_TIMES, _DAY_COUNTED.sub(" ", part))
        airspace = airspace or frozenset(letter for letter in _airspace(part) if len(letter) == 1)
    return Conditions(
        times=times if len(times) == 1 else frozenset(),
        airspace=airspace if len(airspace) == 1 else frozenset(),
    )


def _part(text: str, span: tuple[int, int], ends: re.Pattern[str]) -> str:
    first, last = max(0, span[0] - conf.PART_REACH), min(len(text), span[1] + conf.PART_REACH)
    start = max((match.end() for match in ends.finditer(text, first, span[0])), default=first)
    end = ends.search(text, span[1], last)
    return text[start : end.start() if end else last]


def _named(table: dict[str, str], said: str) -> frozenset[str]:
    return frozenset(name for name, pattern in table.items() if re.search(pattern, said))


def _airspace(said: str) -> frozenset[str]:
    found = {name for name in ("controlled", "uncontrolled") if re.search(rf"\b{name} airspace\b", said)}
    for match in _CLASS_LIST.finditer(said):
        found |= _letters(match[1])
    found |= {_SPOKEN_CLASS.get(match[1], match[1].upper()) for match in _SHORT_CLASS.finditer(said)}
    return frozenset(found)


def _letters(words: str) -> set[str]:
    letters = [
        _SPOKEN_CLASS.get(word, word.upper())
        for word in re.findall(r"\b(?:alpha|bravo|charlie|delta|echo|golf|[a-eg])\b", words)
    ]
    if len(letters) == 2 and re.search(r" through | to |-", words):
        return {letter for letter in "ABCDEFG" if letters[0] <= letter <= letters[1]} - {"F"}
    return set(letters)


def bands_from(quantities: Iterable[Quantity]) -> tuple[AltitudeBand, ...]:
    """Altitude bands from limits in feet: a lower limit and the upper one after it make one band."""
    bands: list[AltitudeBand] = []
    for quantity in quantities:
        if not _is_limit(quantity):
            continue
        if quantity.comparator in (">", ">="):
            bands.append(
                AltitudeBand(
                    low=quantity.value, low_datum=quantity.datum, low_included=quantity.comparator == ">="
                )
            )
        elif bands and bands[-1].high is None and bands[-1].low is not None:
            last = bands.pop()
            bands.append(
                AltitudeBand(last.low, last.low_datum, quantity.value, quantity.datum, last.low_included)
            )
        else:
            bands.append(AltitudeBand(high=quantity.value, high_datum=quantity.datum))
    return tuple(bands)


def _is_limit(quantity: Quantity) -> bool:
    height = quantity.unit == "ft" and not quantity.direction and quantity.datum not in ("obstacle",)
    return height and quantity.comparator != "=" and (quantity.datum is not None or quantity.value >= 500)
