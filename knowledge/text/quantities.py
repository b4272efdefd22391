"""A sentence becomes the quantities it states: number, unit, comparator, datum, direction, and where they
stand.

Every quantity keeps its span, so that a reader can be shown the words. Section numbers, dates, list labels
and clock times are no quantities. Pure: no source, no database, no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from knowledge.text.numbers import NUMBER_PATTERN, is_word, number_from, plain
from knowledge.text.text_cache import kept
from knowledge.text.units import CANONICAL, SAME_AMOUNT, convert, convertible, same_amount

Comparator = Literal["=", ">=", "<=", ">", "<"]
Direction = Literal["above", "below", "horizontal"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount as stated. `high` closes a range; `unit` "" is a bare number; `text` is what stands at
    `span`.

    `datum` is what a height or a time counts from: msl, agl, airport, obstacle, fl, after sunset, before
    sunrise... `direction` is the side of a distance, as in 500 feet below the clouds.
    """

    value: float
    unit: str = ""
    comparator: Comparator = "="
    datum: str | None = None
    direction: Direction | None = None
    high: float | None = None
    span: tuple[int, int] = (0, 0)
    text: str = ""

    def same_as(self, other: Quantity) -> bool:
        """Same amount, whatever the comparator, datum and direction. A bare number equals any unit's."""
        if not self.unit or not other.unit:
            return _equal(self, other, exact=True)
        if not convertible(self.unit, other.unit):
            return False
        said = replace(
            other,
            value=convert(other.value, other.unit, self.unit),
            high=None if other.high is None else convert(other.high, other.unit, self.unit),
        )
        return _equal(self, said, exact=self.unit == other.unit)


def _equal(one: Quantity, other: Quantity, exact: bool) -> bool:
    tolerance = 1e-9 if exact else SAME_AMOUNT
    if (one.high is None) != (other.high is None):
        return False
    if one.high is not None and other.high is not None and not same_amount(one.high, other.high, tolerance):
        return False
    return same_amount(one.value, other.value, tolerance)


_NUMBER_WORD_AHEAD = rf"(?:{NUMBER_PATTERN}|fl ?\d|flight level)"
_FILLER = (
    r"(?:(?:full[ -]stop|solo|instrument|consecutive|preceding|previous|additional|more|full"
    r"|whole|continuous|separate|night|day"
    r"|fare-paying|standard|other|practice|u\.s\.|us|flight)[ -])"
)
_SPELLED_UNITS = "|".join(
    re.escape(spelling) for spelling in sorted(CANONICAL, key=len, reverse=True) if spelling != "'"
)
_UNIT = rf"(?:[ -]?{_FILLER}{{0,2}}| of an? |\()(?P<unit>{_SPELLED_UNITS})(?![a-z])"
_AFTER = (
    r"(?:(?:(?: by weight)?,? ?\(?(?P<after>or less|or fewer|or below|or lower|or under|or more"
    r"|or greater|or higher|or above|or better|or longer"
    r"|or earlier|minimum|at least|maximum|at most)\)?)(?! of))"
)
_DATUM = (
    r"(?:,? ?\(?(?P<datum>msl|m\.s\.l\.|above mean sea level|above sea level|mean sea level"
    r"|agl|a\.g\.l\.|above ground level|above (?:the )?(?:earth's )?(?:surface|ground level"
    r"|ground|terrain|earth|water)|off the ground"
    r"|above (?:the )?(?:airport|field|elevation of the airport|aerodrome)(?: elevation)?|above "
    r"the highest obstacle"
    r"|(?:before|after|prior to|following|past|until after) (?:official )?(?:sunset|sunrise)"
    r"|(?:before|after|prior to|following|past) (?:the )?(?:beginning|end|start) of (?:the "
    r")?(?:morning |evening )?civil twilight)\b\)?)"
)
_SIDE_WORDS = (
    r"below|under|underneath|beneath|above|over|on top of|horizontal(?:ly)?|lateral(?:ly)?|sideways"
    r"|off to the sides?|off the sides?|to the sides?|from the sides?"
)
_SIDE = (
    rf"(?:,? (?:vertically |laterally |away |clear )?(?P<side>{_SIDE_WORDS})(?![a-z])"
    rf"(?! (?:a |an |the )?(?>{_NUMBER_WORD_AHEAD})(?! ?(?:feet |foot |ft )?(?:{_SIDE_WORDS})))"
    r"(?! class| that | or | this | which))"
)
_NUMBER = (
    rf"(?<![\w.$§/])(?<![a-z]-)(?P<sign>minus |negative "
    rf"|(?<![\w)])-)?(?P<number>{NUMBER_PATTERN})(?!\d|,\d|\.\d|(?:st|nd|rd|th)\b|[ -]?(?:way|place"
    rf"|stroke|blade|bladed|axis|letter|digit|thirds?|year-old)\b)"
)
_RANGE = rf"(?: ?(?P<joint>-|to|through|thru|and) ?(?P<high>{NUMBER_PATTERN})(?!-\d))?"
_QUANTITY = re.compile(
    rf"{_NUMBER}{_RANGE}(?:{_UNIT})?(?P<plus> and a "
    rf"half)?{_AFTER}?{_DATUM}?{_SIDE}?{_DATUM.replace('<datum>', '<datum2>')}?"
)
_LEVEL = re.compile(rf"(?<![a-z])(?:fl|flight level)[ -]?(?P<number>\d{{2,3}}|{NUMBER_PATTERN})(?![\w])")
_ARTICLE = re.compile(
    rf"(?<![\w-])(?<!quarters of )(?<!quarter of )(?<!fourths of )(?P<number>half an?|a half|an?)[ -]"
    rf"(?:full |whole )?(?P<unit>statute miles?|nautical miles?|mile"
    rf"|hour|minute|week|month|year|calendar month)(?![a-z])(?P<plus> and a half)?{_SIDE}?"
)
_TRIPLE = re.compile(
    r"(?<![\d.,])(?P<below>500|1,?000)(?:/|-|, ?| )(?P<above>500|1,?000)(?:/|-|, ?| "
    r")(?P<horizontal>2,?000|1 ?(?:sm|statute mile|mile))(?![\d,-])"
)

_OTHER_SIDE = re.compile(r" (?:and|or) (?P<side>below|under|above|over)(?![a-z])(?! (?:the |a |an )?[\d])")
"""After "1,000 feet above": the same distance on the other side, too."""
_SHORTHAND = re.compile(r"(?<![\w.-])(?P<sight>[135])[ /-]{1,3}(?P<clouds>152|111)(?:s|'s)?(?![\w.-])")

_BEFORE_WORDS: tuple[tuple[Comparator, str], ...] = (
    (
        ">=",
        r"(?:not?|never)(?: be)? (?:less|fewer|lower|shorter|smaller|earlier) than|at least|no sooner than"
        r"|a? ?minimum(?: is)?(?: altitude| visibility)?|at or above|not (?:be )?below|≥|>=",
    ),
    (
        "<=",
        r"(?:not?|never)(?: be)? (?:more|greater|higher|longer|later|larger) than"
        r"|(?:not|never|[a-z]+n't|cannot)(?: to)? exceed(?:ing)?|at most|a? ?maximum(?: is)?|at or below"
        r"|not (?:be )?above|within|(?:in|during) the (?:last|past|preceding|previous)"
        r"|within (?:a )?(?:horizontal )?(?:radius|distance)|limited to|up to(?: and including)?|≤|<=",
    ),
    (
        ">",
        (
            r"(?:more|greater|higher|longer|larger|later) than|above|over|exceeds?|exceeding|in "
            r"excess of|beyond|>"
        ),
    ),
    (
        "<",
        r"(?:less|fewer|lower|shorter|smaller|earlier) than|below|under|beneath|up to but not including|<",
    ),
)
_LINKS = r"(?: (?:of|a|an|the|about|be|for|by|from|altitude of|preceding|past|last|previous|next|total of))*"
_BEFORE = tuple(
    (comparator, re.compile(rf"(?<![a-z])(?:{words}){_LINKS}[ :]*$")) for comparator, words in _BEFORE_WORDS
)
_AFTER_MEANS: dict[str, Comparator] = {
    "or less": "<=",
    "or fewer": "<=",
    "or below": "<=",
    "or lower": "<=",
    "or under": "<=",
    "or earlier": "<=",
    "maximum": "<=",
    "at most": "<=",
    "or more": ">=",
    "or greater": ">=",
    "or higher": ">=",
    "or above": ">=",
    "or better": ">=",
    "or longer": ">=",
    "minimum": ">=",
    "at least": ">=",
}

_LABELS = (
    r"sections?|parts?|subparts?|appendix|appendices|paragraphs?|chapters?|ch\.|figures?|fig\."
    r"|tables?|pages?|pp?\.|volume|items?|steps?|notes?"
    r"|sfar|sfar no\.|regulation no\.|amdt\.?|amendment|cfr|u\.s\.c\.|far|ac|circular|order|form"
    r"|title|number|nos?\.|category|cat|tso|runway|rwy|docket|doc\."
)
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan\\."
    "|feb\\.|aug\\.|sept?\\.|oct\\.|nov\\.|dec\\."
)
_PARTS = "43|61|67|68|71|73|91|97|99|103|105|107|119|121|125|133|135|137|141|142|145"
_NO_QUANTITY = re.compile(
    rf"(?<!§)§++ ?[\w.()-]+(?:(?:,| and| or| through|-) ?§?[\d][\w.()-]*)*"
    rf"|\b\d+ (?:cfr|u\.s\.c\.|fr)(?: part)? [\d.]+(?:\([a-z0-9]+\))*|\b(?:{_LABELS}) (?:no\. "
    rf")?\d[\w.-]*(?:\([a-z0-9]+\))*(?:(?:, | and | or |, and |, or | through )\d[\d.]*(?![\w,]| "
    rf"[a-z]*(?:feet|mile|hour|day|month)))*"
    rf"|\b(?:{_PARTS})\.\d{{2,4}}[a-z]?(?:\([a-z0-9]+\))*(?![ -]?(?:{_SPELLED_UNITS})(?![a-z]))"
    rf"|(?<=[\w) ])\(\d{{1,2}}\)|^\(\d{{1,2}}\)"
    rf"|\b(?:{_MONTHS}) \d{{1,2}}(?:, \d{{4}})?|\b(?:{_MONTHS}),? \d{{4}}|\b\d{{1,2}} (?:{_MONTHS}) \d{{4}}"
    r"|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{1,2}:\d\d(?: ?[ap]\.?m\b)?|\b\d{4} "
    r"?(?:z|utc|zulu|local|hours local)\b"
    r"|\b[a-z]+(?:-[a-z]+){0,5}-\d+(?:-\d+)*[a-z]?\b(?![ -](?:foot|feet|mile))|\b\d+-\d+[a-z]\b"
    r"|\b\d{6}[ns]\b|\b\d{7}[ew]\b"
)


@kept
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """What the text states in numbers, in the order of the text."""
    prepared = plain(text)
    blank = _NO_QUANTITY.sub(lambda match: "§" * len(match.group()), prepared)
    found: list[Quantity] = []
    special = [*_levels(blank), *_triples(blank), *_shorthand(blank), *_articles(blank)]
    rest = _without(blank, special)
    for quantity in sorted([*special, *_amounts(rest)], key=_by_place):
        if not found or quantity.span[0] >= found[-1].span[1]:
            found.append(quantity)
    compared = [
        _with_comparator(blank, quantity, found[place - 1].span[1] if place else 0)
        for place, quantity in enumerate(found)
    ]
    kept = [quantity for quantity in _with_inherited_units(blank, compared) if not _is_noise(quantity)]
    return tuple(replace(quantity, text=text[slice(*quantity.span)]) for quantity in kept)


def _without(text: str, quantities: list[Quantity]) -> str:
    characters = list(text)
    for quantity in quantities:
        start, end = quantity.span
        characters[start:end] = "§" * (end - start)
    return "".join(characters)


def _by_place(quantity: Quantity) -> tuple[int, int]:
    return quantity.span[0], -quantity.span[1]


def _levels(text: str) -> Iterator[Quantity]:
    for match in _LEVEL.finditer(text):
        yield Quantity(
            number_from(match["number"]) * 100, "ft", datum="fl", span=match.span(), text=match.group()
        )


def _triples(text: str) -> Iterator[Quantity]:
    """500-1000-2000: below, above, horizontal, as pilots say the cloud clearances."""
    sides: tuple[Direction, ...] = ("below", "above", "horizontal")
    for match in _TRIPLE.finditer(text):
        for side in sides:
            said = match[side]
            mile = said.startswith("1 ") or said.endswith(("sm", "mile"))
            value = 1.0 if mile else number_from(said)
            yield Quantity(value, "sm" if mile else "ft", direction=side, span=match.span(side), text=said)


def _shorthand(text: str) -> Iterator[Quantity]:
    """3-152 and 5-111: visibility, then above, below and horizontal in thousands, half thousands and
    miles."""
    for match in _SHORTHAND.finditer(text):
        yield Quantity(number_from(match["sight"]), "mile", span=match.span("sight"))
        metric, start = match["clouds"] == "152", match.start("clouds")
        yield Quantity(1000.0, "ft", direction="above", span=(start, start + 1))
        yield Quantity(500.0 if metric else 1000.0, "ft", direction="below", span=(start + 1, start + 2))
        across = (2000.0, "ft") if metric else (1.0, "sm")
        yield Quantity(*across, direction="horizontal", span=(start + 2, start + 3))


def _articles(text: str) -> Iterator[Quantity]:
    for match in _ARTICLE.finditer(text):
        value = 0.5 if "half" in match["number"] else 1.0
        value += 0.5 if match["plus"] else 0.0
        side = _direction(match["side"])
        yield Quantity(value, CANONICAL[match["unit"]], direction=side, span=match.span(), text=match.group())


def _amounts(text: str) -> Iterator[Quantity]:
    place = 0
    while match := _QUANTITY.search(text, place):
        quantity, place = _amount(text, match)
        yield quantity
        if both := _OTHER_SIDE.match(text, place):
            yield replace(quantity, direction=_direction(both["side"]), span=both.span("side"))


def _amount(text: str, match: re.Match[str]) -> tuple[Quantity, int]:
    """The quantity of a match, and where to go on: a second number that makes no range is read by itself."""
    if match["high"] and not _is_range(text, match):
        alone = _QUANTITY.fullmatch(text, match.start(), match.end("number"))
        return (_quantity(alone), match.end("number")) if alone else (_quantity(match), match.end())
    return _quantity(match), match.end()


_BETWEEN = re.compile(r"\bbetween (?:about )?$")


def _is_range(text: str, match: re.Match[str]) -> bool:
    if match["joint"] == "and":
        return bool(_BETWEEN.search(text[max(0, match.start() - 20) : match.start()]))
    return bool(match["unit"] or match["joint"] != "-") and number_from(match["number"]) < number_from(
        match["high"]
    )


def _quantity(match: re.Match[str]) -> Quantity:
    value = number_from(match["number"]) + (0.5 if match["plus"] else 0.0)
    high = number_from(match["high"]) if match["high"] else None
    unit = CANONICAL[match["unit"]] if match["unit"] else ""
    datum, side = _datum(match["datum"] or match["datum2"]), _direction(match["side"])
    if not unit and (datum in ("msl", "agl", "airport", "obstacle") or (side and value >= 100)):
        unit = "ft"
    if match["sign"] and unit in ("C", "F"):
        value = -value
    comparator: Comparator = _AFTER_MEANS[match["after"]] if match["after"] else "="
    return Quantity(value, unit, comparator, datum, side, high, match.span(), match.group())


def _datum(words: str | None) -> str | None:
    if not words:
        return None
    if "sunset" in words or "sunrise" in words or "twilight" in words:
        side = "before" if words.startswith(("before", "prior")) else "after"
        return f"{side} {'sunset' if 'sunset' in words else 'sunrise' if 'sunrise' in words else 'twilight'}"
    if "obstacle" in words:
        return "obstacle"
    if re.search(r"airport|field|aerodrome", words):
        return "airport"
    return "msl" if "sea" in words or words.startswith("m") else "agl"


def _direction(words: str | None) -> Direction | None:
    if not words:
        return None
    if words.startswith(("below", "under", "beneath")):
        return "below"
    return "above" if words in ("above", "over", "on top of") else "horizontal"


_SUN = re.compile(r"(?P<event>sunset|sunrise)(?: ?(?P<sign>\+|-|plus|minus)| by) ?$")


_HEIGHT = re.compile(r"above|below|over|under|beneath|higher|lower")


def _with_comparator(text: str, quantity: Quantity, floor: int) -> Quantity:
    before = text[max(floor, quantity.span[0] - 60) : quantity.span[0]]
    if quantity.unit in ("hour", "min") and (sun := _SUN.search(before)) and sun["sign"]:
        side = "after" if sun["sign"] in ("+", "plus") else "before"
        return replace(quantity, datum=f"{side} {sun['event']}")
    for comparator, pattern in _BEFORE:
        if found := pattern.search(before):
            start = quantity.span[0] - (len(before) - found.start())
            height = not quantity.unit and quantity.value >= 500 and _HEIGHT.search(found.group())
            unit = "ft" if height else quantity.unit
            return replace(quantity, comparator=comparator, unit=unit, span=(start, quantity.span[1]))
    return quantity


_LIST_JOINT = re.compile(r"^(?:\s*(?:,|and|or|to|-|/|, and|, or)\s*)$")


def _with_inherited_units(text: str, quantities: list[Quantity]) -> list[Quantity]:
    """500, 1,000 and 2,000 feet: a bare number in a list takes the unit that closes the list."""
    result: list[Quantity] = []
    unit, start = "", len(text)
    for quantity in reversed(quantities):
        joined = bool(_LIST_JOINT.match(text[quantity.span[1] : start]))
        if not quantity.unit and unit and joined:
            quantity = replace(quantity, unit=unit)
        unit = quantity.unit if _UNIT_SAID.search(quantity.text) or (joined and unit) else ""
        result.append(quantity)
        start = quantity.span[0]
    return result[::-1]


_UNIT_SAID = re.compile(_UNIT)


def _is_noise(quantity: Quantity) -> bool:
    """Bare words such as "one of them", and bare years."""
    if quantity.unit or quantity.direction or quantity.comparator != "=":
        return quantity.unit == "" and is_word(quantity.text) and quantity.value == 1
    bare_year = 1950 <= quantity.value <= 2049 and quantity.value != 2000 and "," not in quantity.text
    whole = quantity.value == int(quantity.value)
    return bare_year or (is_word(quantity.text) and whole and quantity.value < 13)


_WORDS_FOR: dict[str, str] = {
    "=": "",
    ">=": "at least ",
    "<=": "not more than ",
    ">": "more than ",
    "<": "less than ",
}
_DATUM_WORDS = {
    "msl": " MSL",
    "agl": " AGL",
    "airport": " above the airport",
    "obstacle": " above the highest obstacle",
}


def format_quantity(quantity: Quantity) -> str:
    """The quantity in words that `quantities_in` reads back as the same quantity."""
    if quantity.datum == "fl":
        return f"{_WORDS_FOR[quantity.comparator]}FL{quantity.value / 100:03.0f}"
    number = _number(quantity.value) + (f" to {_number(quantity.high)}" if quantity.high is not None else "")
    words = f"{_WORDS_FOR[quantity.comparator]}{number} {_unit_words(quantity)}".rstrip()
    if quantity.datum:
        words += _DATUM_WORDS.get(quantity.datum, f" {quantity.datum}")
    return words + (f" {quantity.direction}" if quantity.direction else "")


def _number(value: float) -> str:
    return f"{value:,.10g}" if value == int(value) else f"{value:.10g}"


_LONG_NAMES = {
    "in": "inches",
    "m": "meters",
    "yd": "yards",
    "C": "°C",
    "F": "°F",
    "ft": "feet",
    "sm": "statute miles",
    "nm": "nautical miles",
    "mile": "miles",
    "min": "minutes",
    "hour": "hours",
    "kt": "knots",
}


def _unit_words(quantity: Quantity) -> str:
    plural = {
        "day",
        "week",
        "month",
        "calendar month",
        "year",
        "calendar year",
        "second",
        "takeoff",
        "landing",
        "passenger",
        "person",
    }
    if quantity.unit in plural and quantity.value != 1:
        return f"{quantity.unit}s"
    return _LONG_NAMES.get(quantity.unit, quantity.unit)
