"""An answer becomes the figures it states: amounts, times, transponder codes and modes, day and night. Pure.

Amounts are read by `knowledge.grounding`; what is no amount (addresses, telephone numbers, paragraph numbers) is
blanked out first, and what only European answers write (1000', 1h, Squawk 2000) is read here. Spans are places in
the text as given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge.text.conditions import conditions_in
from knowledge.text.quantities import Quantity, quantities_in

CODE = "code"
"""The unit of a transponder code: 7000 is no amount, and the next number is not nearly the same."""


@dataclass(frozen=True, slots=True)
class Label:
    """A word or a sign that is the same or is not: a mode, a clock time."""

    kind: str
    value: str
    span: tuple[int, int] = (0, 0)

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.value


@dataclass(frozen=True, slots=True)
class Figures:
    """All that an answer states in numbers and signs."""

    amounts: tuple[Quantity, ...] = ()
    labels: tuple[Label, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.amounts or self.labels)


NO_FIGURES = Figures()

_NO_AMOUNT = re.compile(
    r"""https?://\S+ | www\.\S+ | (?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.\w+ | \b[\w-]+(?:\.[\w-]+)+/\S*   # addresses
      | \+\s?\d[\d\s().-]{6,}\d | \b0\d{2,4}[\s.-]\d[\d\s.-]{4,}\d | \b\d{7,}\b     # telephone numbers
      | \bQN[HE]\s?\d+\b | \b24/7\b | \b365\sdays\b | \bH24\b
      | \bSERA\.\d+\S* | \b(?:ENR|GEN|AD|Doc|Annex|Article|Art\.?|para|section|§|AIC|AIP)\s?\d[\d.]*\b
      | \b\d{1,2}(?:st|nd|rd|th)\b(?:\s\w+)?(?:\s\d{4})? | \b(?:19|20)\d\d-\d\d-\d\d\b
      | \b[A-Z]{2}[RDPT]?-?\d+[A-Z]?\b(?<!FL\d)(?<!FL\d\d)(?<!FL\d\d\d)           # LSR4, LHP1
      | \b(?:[A-Z]{4}|RWY|[Rr]unway)\s[0-3]\d[LRC]?\b(?=\s(?:instrument|approach|ILS|RNP|VOR)\b|[.,;)]|$)  # runways
      | (?m:^[ \t]*+\d{1,2}[.)]\s)""",
    re.VERBOSE,
)
_SLASH = re.compile(r"(?<=[a-zA-Z])/(?=\d)")
_CLOCK = re.compile(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)\s?(LT|UTC|Z|local|hrs?)?\b(?!\s?(?:MHz|NM|ft|m)\b)")
_BOUNDS = re.compile(r"\b(?:sun(?:rise|set)|SR|SS)\b(?:\s?[+-]\s?\d+)?", re.IGNORECASE)
_HOURS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?(?:h|hrs?|Std)\b", re.IGNORECASE)
_FEET = re.compile(r"(?<![\w.,])(\d{1,2}[.,]\d{3}|\d{2,5})\s?(?:['’′]|ft)(?!\w)", re.IGNORECASE)
_MILES = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?miles\b", re.IGNORECASE)
_METRES = re.compile(r"(?<![\w.,])(\d{1,2}[.,]\d{3}|\d{2,5})\s?m(?:et(?:re|er)s?)?\b")
_MHZ = re.compile(r"\b(1[1-3]\d)[.,](\d{1,3})\b")
_OCTAL = re.compile(
    r"(?<![\d.,’'+-])(?<!\d )(?<!QNH )([0-7]{4})(?![\d’'°]|[.,]\d|\s?(?:ft|feet|NM|m\b|AMSL|AGL|MSL|LT|UTC))"
)
_SQUAWKS = re.compile(r"squawk|transponder|listening|\bcodes?\b|ssr|tma|tmz", re.IGNORECASE)
_ASKS_SQUAWKS = re.compile(r"squawk|transponder", re.IGNORECASE)
_LEVEL = re.compile(r"(?:\b(?:above|below|over|under|at|from|up to|to)|[<>≤≥])\s?$", re.IGNORECASE)
_MODE = re.compile(
    r"\bmodes?[ -]((?:a4096|[acs])(?:\s?(?:\+|/|&|and|or|,)\s?(?:mode\s)?[acs])*)\b", re.IGNORECASE
)


def figures_in(text: str, question: str = "") -> Figures:
    """The figures of an answer in the order of their places. What the question asks for tells what a number is."""
    bare = _SLASH.sub(" ", blanked(text, _NO_AMOUNT))
    labels = sorted((*_clock_times(bare), *_modes(text), *_light(text)), key=lambda label: label.span)
    bare = blanked(bare, _CLOCK) if any(label.kind == "time" for label in labels) else bare
    own = [*_codes(bare, question), *_frequencies(bare), *_measures(bare)]
    rest = _without(bare, own)
    found = [*own, *(amount for amount in quantities_in(rest) if _tells(amount, rest))]
    return Figures(tuple(sorted(found, key=lambda amount: amount.span)), tuple(labels))


def blanked(text: str, what: re.Pattern[str]) -> str:
    """The text with spaces in the place of what is found, so that all else stays where it was."""
    return what.sub(lambda found: " " * len(found[0]), text)


def _without(text: str, amounts: list[Quantity]) -> str:
    for amount in amounts:
        start, end = amount.span
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _tells(amount: Quantity, text: str) -> bool:
    """A number without a unit may be anything; a small one counts with what it counts ("Max 3 aircraft")."""
    return bool(amount.unit) or (
        amount.value < 100 and bool(re.match(r"\s[a-z]{3,}", text[amount.span[1] :]))
    )


def _codes(text: str, question: str) -> Iterator[Quantity]:
    if _SQUAWKS.search(text) or re.fullmatch(r"\W*[0-7]{4}\W.*|\W*[0-7]{4}\W*", text.strip(), re.DOTALL):
        yield from (_amount(float(found[1]), CODE, found) for found in _OCTAL.finditer(text))
    elif _ASKS_SQUAWKS.search(question):
        codes = (found for found in _OCTAL.finditer(text) if not _LEVEL.search(text[: found.start()]))
        yield from (_amount(float(found[1]), CODE, found) for found in codes)


def _frequencies(text: str) -> Iterator[Quantity]:
    yield from (_amount(float(f"{found[1]}.{found[2]}"), "MHz", found) for found in _MHZ.finditer(text))


def _measures(text: str) -> Iterator[Quantity]:
    for pattern, unit in ((_HOURS, "hour"), (_FEET, "ft"), (_METRES, "m"), (_MILES, "nm")):
        for found in pattern.finditer(text):
            if _stands_alone(text, found.start()):
                yield _amount(float(re.sub(r"[.,](?=\d{3}\b)", "", found[1])), unit, found)


def _stands_alone(text: str, start: int) -> bool:
    """Not the end of a range or behind a comparator, which the common reader knows better."""
    return not re.search(r"(?:[<>≤≥]\s?|\d\s?(?:-|–|to|and)\s?)$", text[:start])


def _amount(value: float, unit: str, found: re.Match[str]) -> Quantity:
    return Quantity(value=value, unit=unit, span=found.span(), text=found[0])


def _clock_times(text: str) -> Iterator[Label]:
    zoned = bool(re.search(r"\b(?:LT|UTC|local time|hours?)\b|\d:\d\d", text))
    for found in _CLOCK.finditer(text):
        if ":" in found[0] or (zoned and found[3]):
            yield Label("time", f"{int(found[1]):02}:{found[2]}", found.span())
    for found in _BOUNDS.finditer(text):
        name = {"sr": "sunrise", "ss": "sunset"}.get(found[0].lower(), found[0].lower().replace(" ", ""))
        if found[0].isupper() or name.startswith("sun"):
            yield Label("time", name, found.span())


def _modes(text: str) -> Iterator[Label]:
    for found in _MODE.finditer(text):
        letters = re.sub(r"4096|mode|and|or", "", found[1].lower())
        yield from (Label("mode", letter.upper(), found.span()) for letter in "acs" if letter in letters)


def _light(text: str) -> Iterator[Label]:
    """By day, at night: which of them an answer speaks of."""
    yield from (Label("light", time) for time in sorted(conditions_in(text).times))
