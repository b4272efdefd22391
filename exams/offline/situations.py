"""A claim's conditions become the words of a situation: which airspace, what hour, a height inside the band.

A height is never the limit itself, so that the student has to know the limit. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from exams.offline.asking import ClaimMaterial
from exams.question_rules import figures_in
from knowledge.grounding.facts import AltitudeBand, conditions_in

Slots = Mapping[str, str]

_BAND: Final = re.compile(r"(at_or_above|at_or_below|above|below)_(\d+)(?:_(agl|msl|airport))?")
_DATUM: Final = {"agl": "above the ground", "airport": "above the airport", "msl": "MSL"}
_SIGNAL: Final = re.compile(
    r"\b(steady|flashing|alternating) (red and green|green|red|white)\b", re.IGNORECASE
)
_CATEGORY: Final = re.compile(r"^(?:.*?, )?an? (balloon|glider|airship|aircraft towing)", re.IGNORECASE)
_HIGH: Final = 12_000
"""Feet above which small steps decide (the oxygen rules)."""
_ROOM: Final = 3_000
"""Feet that two limits of different datums must lie apart for a height to be surely between them."""
_HOURS: Final = {"night": " at night", "day": " by day"}


def slots_of(claim: ClaimMaterial, lot: int) -> Slots:
    """The words that forms may ask for; what the claim does not say is absent."""
    statement = claim.statement
    found = {"at_time": _time(claim), **_airspace(claim, lot), **_height(claim)}
    if signal := _SIGNAL.search(statement):
        found["signal"] = _signal(signal[1].lower(), signal[2].lower())
    if category := _CATEGORY.search(statement):
        found["category"] = category[1].lower()
    return found


def _signal(manner: str, color: str) -> str:
    return f"a light that changes between {color}" if manner == "alternating" else f"a {manner} {color} light"


def _time(claim: ClaimMaterial) -> str:
    told = str(claim.facts.get("day_night", ""))
    if told:
        return _HOURS.get(told, "")
    times = conditions_in(claim.statement).times
    return _HOURS[next(iter(times))] if len(times) == 1 else ""


def _airspace(claim: ClaimMaterial, lot: int) -> dict[str, str]:
    letters = _letters(claim.facts.get("airspace_class")) or sorted(
        letter for letter in conditions_in(claim.statement).airspace if len(letter) == 1
    )
    if not letters:
        return {}
    letter = letters[lot % len(letters)]
    return {"airspace": f"Class {letter} airspace", "class": f"Class {letter}"}


def _letters(told: Any) -> list[str]:
    if isinstance(told, str):
        return [told] if len(told) == 1 else []
    return [str(letter) for letter in told] if isinstance(told, Sequence) else []


def _height(claim: ClaimMaterial) -> dict[str, str]:
    inside = (words for words in _heights(_bands(claim)) if not _is_limit(words, claim.statement))
    words = next(inside, "")
    return {"height": words, "at_height": f", {words},"} if words else {"at_height": ""}


def _bands(claim: ClaimMaterial) -> list[tuple[str, float, str]]:
    """(side, feet, datum) of each limit."""
    told = claim.facts.get("altitude_band")
    if isinstance(told, str) and told != "any":
        return [(side, float(feet), datum or "msl") for side, feet, datum in _BAND.findall(told)]
    if told == "any":
        return []
    bands = conditions_in(claim.statement).bands
    return [limit for band in bands[:1] for limit in _limits(band)]


def _limits(band: AltitudeBand) -> list[tuple[str, float, str]]:
    low = [("above", band.low, band.low_datum or "msl")] if band.low is not None else []
    high = [("below", band.high, band.high_datum or "msl")] if band.high is not None else []
    return [*low, *high]


def _heights(limits: Sequence[tuple[str, float, str]]) -> Iterator[str]:
    """Heights inside the limits, as a pilot says them."""
    lows = [(feet, datum) for side, feet, datum in limits if side.endswith("above")]
    highs = [(feet, datum) for side, feet, datum in limits if side.endswith("below")]
    if lows and highs:
        yield from _between(lows[0], highs[0])
    elif lows:
        feet, datum = lows[0]
        yield from (_feet(feet + more, datum) for more in ((500, 1000) if feet >= _HIGH else (1500, 2500)))
    elif highs:
        feet, datum = highs[0]
        yield from (_feet(feet * share, datum) for share in (0.75, 0.65))


def _between(low: tuple[float, str], high: tuple[float, str]) -> Iterator[str]:
    if low[1] == high[1]:
        yield from (_feet(low[0] + (high[0] - low[0]) * share, low[1]) for share in (0.5, 0.3))
    elif high[0] > low[0] + _ROOM:
        yield from (f"{_feet(low[0] + more, low[1])} over low country" for more in (1300, 800))


def _feet(feet: float, datum: str) -> str:
    step = 100 if feet < 3000 else 500
    return f"{round(feet / step) * step:,} feet {_DATUM.get(datum, '')}".strip()


def _is_limit(words: str, statement: str) -> bool:
    """A height that happens to be one of the claim's own figures is no situation."""
    answers = figures_in(statement)
    return any(figure.same_as(answer) for figure in figures_in(words) for answer in answers)
