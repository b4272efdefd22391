"""Reads the quantities that a text states: number, unit, comparator, datum, direction, and where they stand.

Every quantity keeps its span, so that a reader can be shown the words. Section numbers, dates, list labels and clock
times are no quantities. It knows no source and gives no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from knowledge.text.numbers import NUMBER_PATTERN, is_in_words, number_from
from knowledge.text.text_cache import cached_by_text
from knowledge.text.tokens import normalize_text
from knowledge.text.units import (
    CANONICAL,
    SAME_AMOUNT,
    are_convertible,
    convert_amount,
    same_amount,
    unit_words,
)

Comparator = Literal["=", ">=", "<=", ">", "<"]
Direction = Literal["above", "below", "horizontal"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount as stated. `unit` is "" for a bare number, `high` is the upper end of a range, and `text` is what
    stands at `span`.

    `datum` is what a height or a time counts from: msl, agl, airport, obstacle, fl, after sunset, before sunrise.
    `direction` is the side of a distance, as in 500 feet below the clouds.
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
        """Whether the amounts are the same, whatever the comparator, datum and direction. A bare number equals the
        same number of any unit. Between two units, rounding is allowed."""
        if (self.high is None) != (other.high is None):
            return False
        convert_units = bool(self.unit and other.unit and self.unit != other.unit)
        if convert_units and not are_convertible(self.unit, other.unit):
            return False
        for ours, theirs in ((self.value, other.value), (self.high, other.high)):
            if ours is None or theirs is None:
                continue
            if convert_units:
                theirs = convert_amount(theirs, other.unit, self.unit)
            if not same_amount(ours, theirs, SAME_AMOUNT if convert_units else 1e-9):
                return False
        return True


_NUMBER_WORD_AHEAD = rf"(?:{NUMBER_PATTERN}|fl ?\d|flight level)"
_FILLER = (
    r"(?:(?:full[ -]stop|solo|instrument|consecutive|preceding|previous|additional|more|full"
    r"|whole|continuous|cumulative|separate|night|day"
    r"|fare-paying|standard|other|practice|u\.s\.|us|flight)[ -])"
)
_SPELLED_UNITS = "|".join(
    re.escape(spelling) for spelling in sorted(CANONICAL, key=len, reverse=True) if spelling != "'"
)
_UNIT = rf"(?:[ -]?{_FILLER}{{0,2}}| of an? |\()(?P<unit>{_SPELLED_UNITS})(?![a-z])"
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
_AFTER = rf"(?:(?:(?: by weight)?,? ?\(?(?P<after>{'|'.join(_AFTER_MEANS)})\)?)(?! of))"
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

_BEFORE_MEANS: dict[str, Comparator] = {"at_least": ">=", "at_most": "<=", "more": ">", "less": "<"}
_BEFORE = re.compile(
    r"(?<![a-z])(?:(?P<at_least>(?:not?|never)(?: be)? (?:less|fewer|lower|shorter|smaller|earlier) than|at least"
    r"|no sooner than|a? ?minimum(?: is)?(?: altitude| visibility)?|at or above|not (?:be )?below|≥|>=)"
    r"|(?P<at_most>(?:not?|never)(?: be)? (?:more|greater|higher|longer|later|larger) than"
    r"|(?:not|never|[a-z]+n't|cannot)(?: to)? exceed(?:ing)?|at most|a? ?maximum(?: is)?|at or below"
    r"|not (?:be )?above|within|(?:in|during) the (?:last|past|preceding|previous)"
    r"|within (?:a )?(?:horizontal )?(?:radius|distance)|limited to|up to(?: and including)?|≤|<=)"
    r"|(?P<more>(?:more|greater|higher|longer|larger|later) than|above|over|exceeds?|exceeding|in excess of|beyond|>)"
    r"|(?P<less>(?:less|fewer|lower|shorter|smaller|earlier) than|below|under|beneath|up to but not including|<))"
    r"(?: (?:of|a|an|the|about|be|for|by|from|altitude of|preceding|past|last|previous|next|total of))*[ :]*$"
)
"""The words of a comparator just before a number."""
_HEIGHT_WORDS = ("above", "below", "over", "under", "beneath", "higher", "lower")
_LIST_JOINTS = frozenset((",", "and", "or", "to", "-", "/", ", and", ", or"))

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


@cached_by_text
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """What the text states in numbers, in the order of the text."""
    prepared = _NO_QUANTITY.sub(lambda match: "§" * len(match.group()), normalize_text(text))
    special = list(_special_amounts_in(prepared))
    rest = list(prepared)
    for one in special:
        start, end = one.span
        rest[start:end] = "§" * (end - start)
    found: list[Quantity] = []
    for one in sorted([*special, *_amounts_in("".join(rest))], key=lambda one: (one.span[0], -one.span[1])):
        start_after = found[-1].span[1] if found else 0
        if one.span[0] >= start_after:
            found.append(one)
    ends = [0, *(one.span[1] for one in found)]
    compared = [_with_comparator(prepared, one, end) for one, end in zip(found, ends, strict=False)]
    with_units = _with_inherited_units(prepared, compared)
    return tuple(replace(one, text=text[slice(*one.span)]) for one in with_units if not _is_noise(one))


def _special_amounts_in(text: str) -> Iterator[Quantity]:
    """Amounts with a form of their own: flight levels, cloud clearances and articles."""
    for match in _LEVEL.finditer(text):
        feet = number_from(match["number"]) * 100
        yield Quantity(feet, "ft", datum="fl", span=match.span(), text=match.group())
    # "500-1000-2000": feet below, above and horizontal, as pilots say the cloud clearances.
    sides: tuple[Direction, ...] = ("below", "above", "horizontal")
    for match in _TRIPLE.finditer(text):
        for side in sides:
            said = match[side]
            mile = said.startswith("1 ") or said.endswith(("sm", "mile"))
            value = 1.0 if mile else number_from(said)
            yield Quantity(value, "sm" if mile else "ft", direction=side, span=match.span(side), text=said)
    # "3-152" and "5-111": visibility, then the cloud clearances above, below and horizontal. 152 is 1,000, 500 and
    # 2,000 feet; 111 is 1,000 and 1,000 feet and 1 mile.
    for match in re.finditer(
        r"(?<![\w.-])(?P<sight>[135])[ /-]{1,3}(?P<clouds>152|111)(?:s|'s)?(?![\w.-])", text
    ):
        yield Quantity(number_from(match["sight"]), "mile", span=match.span("sight"))
        low, start = match["clouds"] == "152", match.start("clouds")
        yield Quantity(1000.0, "ft", direction="above", span=(start, start + 1))
        yield Quantity(500.0 if low else 1000.0, "ft", direction="below", span=(start + 1, start + 2))
        across = (2000.0, "ft") if low else (1.0, "sm")
        yield Quantity(*across, direction="horizontal", span=(start + 2, start + 3))
    # "A mile", "half an hour", "an hour and a half".
    for match in _ARTICLE.finditer(text):
        value = (0.5 if "half" in match["number"] else 1.0) + (0.5 if match["plus"] else 0.0)
        unit, where = CANONICAL[match["unit"]], _direction_from(match["side"])
        yield Quantity(value, unit, direction=where, span=match.span(), text=match.group())


def _amounts_in(text: str) -> Iterator[Quantity]:
    place = 0
    while match := _QUANTITY.search(text, place):
        place = match.end()
        if match["high"] and not _is_range(text, match):
            # A second number that makes no range is read by itself.
            alone = _QUANTITY.fullmatch(text, match.start(), match.end("number"))
            if alone:
                match, place = alone, match.end("number")
        value = number_from(match["number"]) + (0.5 if match["plus"] else 0.0)
        high = number_from(match["high"]) if match["high"] else None
        unit = CANONICAL[match["unit"]] if match["unit"] else ""
        datum = _datum_from(match["datum"] or match["datum2"] or "")
        side = _direction_from(match["side"])
        if not unit and (datum in ("msl", "agl", "airport", "obstacle") or (side and value >= 100)):
            unit = "ft"
        if side == "above" and datum in ("msl", "agl"):
            side = None  # an altitude: "3,000 feet MSL over the Gulf" is no distance above it
        if match["sign"] and unit in ("C", "F"):
            value = -value
        comparator: Comparator = _AFTER_MEANS[match["after"]] if match["after"] else "="
        quantity = Quantity(value, unit, comparator, datum, side, high, match.span(), match.group())
        yield quantity
        if both := _OTHER_SIDE.match(text, place):
            yield replace(quantity, direction=_direction_from(both["side"]), span=both.span("side"))


def _is_range(text: str, match: re.Match[str]) -> bool:
    if match["joint"] == "and":
        return text.endswith(("between ", "between about "), 0, match.start())
    rises = number_from(match["number"]) < number_from(match["high"])
    return bool(match["unit"] or match["joint"] != "-") and rises


def _datum_from(words: str) -> str | None:
    if not words:
        return None
    for event in ("sunset", "sunrise", "twilight"):
        if event in words:
            return f"{'before' if words.startswith(('before', 'prior')) else 'after'} {event}"
    if "obstacle" in words:
        return "obstacle"
    if any(place in words for place in ("airport", "field", "aerodrome")):
        return "airport"
    return "msl" if "sea" in words or words.startswith("m") else "agl"


def _direction_from(words: str | None) -> Direction | None:
    if not words:
        return None
    if words.startswith(("below", "under", "beneath")):
        return "below"
    return "above" if words in ("above", "over", "on top of") else "horizontal"


def _with_comparator(text: str, quantity: Quantity, floor: int) -> Quantity:
    """The quantity with the comparator whose words stand just before it, after the place `floor`."""
    before = text[max(floor, quantity.span[0] - 60) : quantity.span[0]]
    sun = re.search(r"(?P<event>sunset|sunrise) ?(?P<sign>\+|-|plus|minus) ?$", before)
    if sun and quantity.unit in ("hour", "min"):
        side = "after" if sun["sign"] in ("+", "plus") else "before"
        return replace(quantity, datum=f"{side} {sun['event']}")
    found = _BEFORE.search(before)
    if not found or not found.lastgroup:
        return quantity
    height = any(word in found.group() for word in _HEIGHT_WORDS)
    unit = "ft" if height and not quantity.unit and quantity.value >= 500 else quantity.unit
    start = quantity.span[0] - (len(before) - found.start())
    comparator = _BEFORE_MEANS[found.lastgroup]
    return replace(quantity, comparator=comparator, unit=unit, span=(start, quantity.span[1]))


def _with_inherited_units(text: str, quantities: list[Quantity]) -> list[Quantity]:
    """ "500, 1,000 and 2,000 feet": a bare number in a list takes the unit that closes the list."""
    result: list[Quantity] = []
    unit, start = "", len(text)
    for quantity in reversed(quantities):
        joined = text[quantity.span[1] : start].strip() in _LIST_JOINTS
        if not quantity.unit and unit and joined:
            quantity = replace(quantity, unit=unit)
        unit = quantity.unit if re.search(_UNIT, quantity.text) or (joined and unit) else ""
        result.append(quantity)
        start = quantity.span[0]
    return result[::-1]


def _is_noise(quantity: Quantity) -> bool:
    """Bare words such as "one of them", and bare years."""
    if quantity.unit or quantity.direction or quantity.comparator != "=":
        return quantity.unit == "" and is_in_words(quantity.text) and quantity.value == 1
    bare_year = 1950 <= quantity.value <= 2049 and quantity.value != 2000 and "," not in quantity.text
    whole = quantity.value == int(quantity.value)
    return bare_year or (is_in_words(quantity.text) and whole and quantity.value < 13)


_COMPARATOR_WORDS: dict[Comparator, str] = {
    "=": "",
    ">=": "at least ",
    "<=": "not more than ",
    ">": "more than ",
    "<": "less than ",
}
_DATUM_WORDS = {
    "msl": "MSL",
    "agl": "AGL",
    "airport": "above the airport",
    "obstacle": "above the highest obstacle",
}


def format_quantity(quantity: Quantity) -> str:
    """The quantity in words that `quantities_in` reads back as the same quantity."""
    compared = _COMPARATOR_WORDS[quantity.comparator]
    if quantity.datum == "fl":
        return f"{compared}FL{quantity.value / 100:03.0f}"
    number, last = _format_number(quantity.value), quantity.value
    if quantity.high is not None:
        number, last = f"{number} to {_format_number(quantity.high)}", quantity.high
    datum = quantity.datum and _DATUM_WORDS.get(quantity.datum, quantity.datum)
    words = (f"{compared}{number}", unit_words(quantity.unit, last), datum, quantity.direction)
    return " ".join(filter(None, words))


def _format_number(value: float) -> str:
    return f"{value:,.10g}" if value == int(value) else f"{value:.10g}"


def cloud_clearance_of(statement: str) -> tuple[str, str] | None:
    """The distances from clouds that a statement gives for the three sides, as a key and in words:
    "500_below_1000_above_2000_horizontal" and "500 feet below, 1,000 feet above, 2,000 feet horizontal"."""
    sides = [one for one in quantities_in(statement) if one.direction]
    if len({one.direction for one in sides}) != 3 or len(sides) != 3:
        return None
    units = ["" if one.unit == "ft" else f"_{one.unit}" for one in sides]
    key = "_".join(f"{one.value:.0f}{unit}_{one.direction}" for one, unit in zip(sides, units, strict=True))
    return key, ", ".join(map(format_quantity, sides))
