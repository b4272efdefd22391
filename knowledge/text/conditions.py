"""Reads under which conditions a sentence holds: day or night, airspace, altitude band, flight rules, people.

It reads words and looks nothing up. The wordings stand in `conditions.csv`, and keys of bands are those of a claim's
key facts (`below_1200_agl`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from knowledge import conf
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.text_cache import cached_by_text
from knowledge.text.tokens import normalize_text
from knowledge.text.word_tables import read_phrases


@dataclass(frozen=True, slots=True)
class AltitudeBand:
    """Heights in feet between two limits. An open side is None, and so is a datum that is not said (else msl, agl or
    airport).
    """

    low: float | None = None
    low_datum: str | None = None
    high: float | None = None
    high_datum: str | None = None
    low_included: bool = False

    @property
    def key(self) -> str:
        above = "at_or_above" if self.low_included else "above"
        limits = ((above, self.low, self.low_datum), ("below", self.high, self.high_datum))
        return "_".join(
            f"{side}_{feet:.0f}" + (f"_{datum}" if datum else "")
            for side, feet, datum in limits
            if feet is not None
        )


@dataclass(frozen=True, slots=True)
class Conditions:
    """When and for whom a sentence speaks. An empty set says nothing either way."""

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
        """The conditions in plain words, for key facts and for people."""
        airspace = (
            f"class {letter}" if len(letter) == 1 else f"{letter} airspace"
            for letter in sorted(self.airspace)
        )
        others = (self.rules, self.airports, self.aircraft, self.persons)
        carrying = ["carrying passengers"] if self.carrying_passengers else []
        return (
            *sorted(self.times),
            *airspace,
            *(word for group in others for word in sorted(group)),
            *carrying,
            *(band.key for band in self.bands),
        )


_PHRASES = read_phrases(Path(__file__).with_name("conditions.csv"))
_NAMES = {
    kind: [
        (meaning.removeprefix(kind), pattern)
        for meaning, pattern in _PHRASES.items()
        if meaning.startswith(kind)
    ]
    for kind in ("times:", "rules:", "airports:", "aircraft:", "persons:", "airspace:")
}
SPOKEN_CLASSES = {"alpha": "A", "bravo": "B", "charlie": "C", "delta": "D", "echo": "E", "golf": "G"}
"""The classes of airspace as they are said."""
_CLASS_NAME = "alpha|bravo|charlie|delta|echo|golf"
_CLASS_LIST = re.compile(
    rf"\bclass(?:es)? ((?:[a-eg]|{_CLASS_NAME})\b(?:(?:, ?(?:or |and )?| or | and | through | to |-)(?:class )?"
    r"(?:[b-eg]|bravo|charlie|delta|echo|golf)\b)*)"
)
_ENDS_OF_PARTS = (
    re.compile(
        r",(?= )|;|\.(?= )|\n|:| but | while | whereas | (?:and|or) (?=\d|(?:by|at|during|in)\b"
        r"|[a-z-]+ (?:minutes|hours|miles|feet) )"
    ),
    re.compile(r";|\.(?= |$)|\n"),
)
"""Of the nearest part of a sentence, and of the sentence."""


@cached_by_text
def conditions_in(text: str) -> Conditions:
    """The conditions that the text names."""
    said = normalize_text(text)
    return Conditions(
        times=_times_in(said),
        airspace=_airspace_in(said),
        rules=_names_found("rules:", said),
        airports=_names_found("airports:", said),
        aircraft=_names_found("aircraft:", said),
        persons=_names_found("persons:", said),
        carrying_passengers=bool(_PHRASES["passengers"].search(said)),
        bands=_bands_from(quantities_in(text)),
        exceptions=tuple(_exceptions_in(text, said)),
    )


def _exceptions_in(text: str, said: str) -> Iterator[str]:
    """Exceptions without the rule that goes on after them: each up to the end of the bracket in which it stands, or to
    a comma before a subject with its verb or another condition. "Unless it is equipped" is a condition of the rule, no
    exception. `said` is the text, normalized."""
    place = 0
    while found := _PHRASES["exception"].search(said, place):
        words = found.group()
        rule = _PHRASES["rule goes on"].search(words)
        end = rule.start() if rule else len(words)
        depth = 0
        for at, sign in enumerate(words[:end]):
            depth += (sign == "(") - (sign == ")")
            if depth < 0:
                end = at
                break
        if not _PHRASES["only a condition"].match(words):
            yield text[found.start() : found.start() + end].strip(" ,")
        place = found.start() + max(end, 1)


def local_conditions(text: str, span: tuple[int, int]) -> Conditions:
    """Time of day and class of airspace in the part of the sentence that holds the span, else in the sentence. Two
    times or two classes say nothing."""
    times: frozenset[str] = frozenset()
    airspace: frozenset[str] = frozenset()
    first, last = max(0, span[0] - conf.PART_REACH), min(len(text), span[1] + conf.PART_REACH)
    for ends in _ENDS_OF_PARTS:
        start = max((match.end() for match in ends.finditer(text, first, span[0])), default=first)
        end = ends.search(text, span[1], last)
        part = normalize_text(text[start : end.start() if end else last])
        times = times or _times_in(part)
        airspace = airspace or frozenset(letter for letter in _airspace_in(part) if len(letter) == 1)
    return Conditions(
        times=times if len(times) == 1 else frozenset(),
        airspace=airspace if len(airspace) == 1 else frozenset(),
    )


def _names_found(kind: str, said: str) -> frozenset[str]:
    return frozenset(name for name, pattern in _NAMES[kind] if pattern.search(said))


def _times_in(said: str) -> frozenset[str]:
    """Day and night. "Within 90 days" is no time of day."""
    return _names_found("times:", _PHRASES["counted day"].sub(" ", said))


def _airspace_in(said: str) -> frozenset[str]:
    found = set(_names_found("airspace:", said))
    for match in _CLASS_LIST.finditer(said):
        letters = [_letter_of(word) for word in re.findall(rf"\b(?:{_CLASS_NAME}|[a-eg])\b", match[1])]
        if len(letters) == 2 and re.search(
            r" through | to |-", match[1]
        ):  # "b through d": those between, too
            letters = [letter for letter in "ABCDEG" if letters[0] <= letter <= letters[1]]
        found.update(letters)
    short = re.findall(rf"\b({_CLASS_NAME}|[b-eg]) (?:surface )?(?:airspace|surface area)", said)
    return frozenset(found.union(map(_letter_of, short)))


def _letter_of(word: str) -> str:
    return SPOKEN_CLASSES.get(word, word.upper())


def _bands_from(quantities: Iterable[Quantity]) -> tuple[AltitudeBand, ...]:
    """Altitude bands from limits in feet. A lower limit and the upper one after it make one band."""
    bands: list[AltitudeBand] = []
    for one in quantities:
        is_height = one.unit == "ft" and not one.direction and (one.datum is not None or one.value >= 500)
        if not is_height or one.comparator == "=" or one.datum == "obstacle":
            continue
        if one.comparator in (">", ">="):
            bands.append(
                AltitudeBand(low=one.value, low_datum=one.datum, low_included=one.comparator == ">=")
            )
        elif bands and bands[-1].high is None and bands[-1].low is not None:
            bands[-1] = replace(bands[-1], high=one.value, high_datum=one.datum)
        else:
            bands.append(AltitudeBand(high=one.value, high_datum=one.datum))
    return tuple(bands)
