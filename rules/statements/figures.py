"""The figures that an answer states: amounts, times, transponder codes and modes, day and night. Pure.

`knowledge.text` reads amounts. Numbers that are not amounts (addresses, phone numbers, paragraph numbers) are blanked
out first; forms that only European answers use (1000', 1h, Squawk 2000) are read here. Spans are positions in the given
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.text.conditions import conditions_in
from knowledge.text.phrases import read_phrase_lists
from knowledge.text.quantities import Quantity, quantities_in

CODE = "code"
"""The unit of a transponder code: 7000 is no amount, and the next number is not nearly the same."""


@dataclass(frozen=True, slots=True)
class Label:
    """A word or sign that is either the same or not: a mode, a clock time."""

    kind: str
    value: str
    span: tuple[int, int] = (0, 0)

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.value


@dataclass(frozen=True, slots=True)
class Figures:
    """All numbers and signs that an answer states."""

    amounts: tuple[Quantity, ...] = ()
    labels: tuple[Label, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.amounts or self.labels)


NO_FIGURES = Figures()

_NO_AMOUNT = re.compile(
    r"""https?://\S+ | www\.\S+ | (?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.\w+ | (?<![\w-])[\w-]+(?:\.[\w-]+)+/\S*  # addresses
      | \+\s?\d[\d\s().-]{6,30}\d | \b0\d{2,4}[\s.-]\d[\d\s.-]{4,30}\d | \b\d{7,}\b     # telephone numbers
      | \bQN[HE]\s?\d+\b | \b24/7\b | \b365\sdays\b | \bH24\b
      | \bSERA\.\d+\S* | \b(?:ENR|GEN|AD|Doc|Annex|Article|Art\.?|para|section|§|AIC|AIP)\s?\d[\d.]*\b
      | \b\d{1,2}(?:st|nd|rd|th)\b(?:\s\w+)?(?:\s\d{4})? | \b(?:19|20)\d\d-\d\d-\d\d\b
      | \b[A-Z]{2}[RDPT]?-?\d+[A-Z]?\b(?<!FL\d)(?<!FL\d\d)(?<!FL\d\d\d)           # LSR4, LHP1
      | \b(?:[A-Z]{4}|RWY|[Rr]unway)\s[0-3]\d[LRC]?\b(?=\s(?:instrument|approach|ILS|RNP|VOR)\b|[.,;)]|$)  # runways
      | (?m:^[ \t]*+\d{1,2}[.)]\s)""",
    re.VERBOSE,
)
_CLOCK = re.compile(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)\s?(LT|UTC|Z|local|hrs?)?\b(?!\s?(?:MHz|NM|ft|m)\b)")
_MEASURES = {
    unit: re.compile(rf"(?<![\w.,])({number})\s?(?:{name})", re.IGNORECASE)
    for unit, number, name in (
        ("hour", r"\d+(?:\.\d+)?", r"(?:h|hrs?|Std)\b"),
        ("ft", r"\d{1,2}[.,]\d{3}|\d{2,5}", r"(?:['’′]|ft)(?!\w)"),
        ("m", r"\d{1,2}[.,]\d{3}|\d{2,5}", r"m(?:et(?:re|er)s?)?\b"),
        ("nm", r"\d+(?:\.\d+)?", r"miles\b"),
        ("MHz", r"1[1-3]\d[.,]\d{1,3}", r"(?=\b)"),
    )
}
_WORDS = read_phrase_lists(Path(__file__).with_name("words.yaml"))
SIGNS = {
    "number": _WORDS["sign of a number"],
    **{label: _WORDS[f"sign of {label}"] for label in ("mode", "light", "time")},
}
"""What may give a figure of this kind, although it was not read as one."""


def figures_in(text: str, question: str = "") -> Figures:
    """The figures of an answer, in order. The question's subject helps to interpret a number."""
    bare = re.sub(r"(?<=[a-zA-Z])/(?=\d)", " ", blank_out(text, _NO_AMOUNT))
    labels = sorted(_find_labels(text, bare), key=lambda label: label.span)
    bare = blank_out(bare, _CLOCK) if any(label.kind == "time" for label in labels) else bare
    amounts = [*_find_codes(bare, question), *_find_measures(bare)]
    for amount in amounts:
        start, end = amount.span
        bare = f"{bare[:start]}{' ' * (end - start)}{bare[end:]}"
    # A number without a unit may be anything; a small one counts with what it counts ("Max 3 aircraft").
    amounts += [
        amount
        for amount in quantities_in(bare)
        if amount.unit or (amount.value < 100 and re.match(r"\s[a-z]{3,}", bare[amount.span[1] :]))
    ]
    return Figures(tuple(sorted(amounts, key=lambda amount: amount.span)), tuple(labels))


def blank_out(text: str, what: re.Pattern[str]) -> str:
    """The text with spaces in place of the matches, so that positions stay valid."""
    return what.sub(lambda found: " " * len(found[0]), text)


def _find_codes(text: str, question: str) -> Iterator[Quantity]:
    small, asked = text.lower(), question.lower()
    of_squawks = (
        any(word in small for word in ("squawk", "transponder", "listening", "ssr", "tma", "tmz"))
        or re.search(r"\bcodes?\b", small) is not None
        or re.match(r"\W*[0-7]{4}(?:\W|$)", text) is not None
    )
    if not of_squawks and "squawk" not in asked and "transponder" not in asked:
        return
    octal = r"(?<![\d.,’'+-])(?<!\d )(?<!QNH )([0-7]{4})(?![\d’'°]|[.,]\d|\s?(?:ft|feet|NM|m\b|AMSL|AGL|MSL|LT|UTC))"
    for found in re.finditer(octal, text):
        before = text[: found.start()].rstrip()
        if of_squawks or not (_WORDS["before a level"].ends(before) or before.endswith(("<", ">", "≤", "≥"))):
            yield Quantity(value=float(found[1]), unit=CODE, span=found.span(), text=found[0])


def _find_measures(text: str) -> Iterator[Quantity]:
    """Not the end of a range or behind a comparator, which the common reader knows better."""
    for unit, pattern in _MEASURES.items():
        for found in pattern.finditer(text):
            in_range = re.search(r"(?:[<>≤≥]\s?|\d\s?(?:-|–|to|and)\s?)$", text[: found.start()])
            number = found[1].replace(",", ".") if unit == "MHz" else re.sub(r"[.,](?=\d{3}\b)", "", found[1])
            if unit == "MHz" or not in_range:
                yield Quantity(value=float(number), unit=unit, span=found.span(), text=found[0])


def _find_labels(text: str, bare: str) -> Iterator[Label]:
    """Clock times, transponder modes, day and night; `bare` is the text without its numbers that are no amounts."""
    zoned = bool(re.search(r"\b(?:LT|UTC|local time|hours?)\b|\d:\d\d", bare))
    for found in _CLOCK.finditer(bare):
        if ":" in found[0] or (zoned and found[3]):
            yield Label("time", f"{int(found[1]):02}:{found[2]}", found.span())
    for found in re.finditer(r"\b(?:sun(?:rise|set)|SR|SS)\b(?:\s?[+-]\s?\d+)?", bare, re.IGNORECASE):
        name = {"sr": "sunrise", "ss": "sunset"}.get(found[0].lower(), found[0].lower().replace(" ", ""))
        if found[0].isupper() or name.startswith("sun"):
            yield Label("time", name, found.span())
    mode = r"\bmodes?[ -]((?:a4096|[acs])(?:\s?(?:\+|/|&|and|or|,)\s?(?:mode\s)?[acs])*)\b"
    for found in re.finditer(mode, text, re.IGNORECASE):
        letters = re.sub(r"4096|mode|and|or", "", found[1].lower())
        yield from (Label("mode", letter.upper(), found.span()) for letter in "acs" if letter in letters)
    yield from (Label("light", time) for time in sorted(conditions_in(text).times))
