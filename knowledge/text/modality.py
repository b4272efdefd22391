"""Reads what a clause makes of its subject (must, may, may not, should, not required) and whether it denies.

Two negations cancel: "no person may … unless it is equipped" and "it must be equipped" say the same. Comparators ("not
less than") and standing exceptions ("unless otherwise authorized") are no negations. It knows words, and no sources.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, get_args

from knowledge.text.tokens import normalize_text
from knowledge.text.word_tables import read_phrases

Modality = Literal["not_required", "may_not", "must", "should", "may"]
"""In the order of strength in which they are looked for."""

_PHRASES = read_phrases(Path(__file__).with_name("modality.csv"))
_CLAUSE_END = re.compile(
    r"(?<!\d)[.;!?](?=\s|$)|(?<=\w)[:—](?=\s)|, (?:but|however|although|though|whereas|while"
    r"|so)\b|\b(?:but|however|although|whereas)\b"
)


def modality_of(text: str) -> Modality | None:
    """The strongest modality that the text states; None where it only describes."""
    said = normalize_text(text)
    modalities: tuple[Modality, ...] = get_args(Modality)
    return next((modality for modality in modalities if _PHRASES[modality].search(said)), None)


def clauses_of(text: str) -> tuple[str, ...]:
    """The clauses that can deny or affirm by themselves. Numbers and section numbers are never cut."""
    ends = [match.span() for match in _CLAUSE_END.finditer(normalize_text(text))]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    pieces = (text[start:stop].strip() for start, stop in zip(starts, stops, strict=True))
    return tuple(piece for piece in pieces if piece)


def negations_in(text: str) -> int:
    """How many negations the text holds, without those inside comparators and standing exceptions."""
    said = _PHRASES["standing exception"].sub(" ", normalize_text(text))
    said = re.sub(r"\bneither\b(.*?)\bnor\b", r"not \1", _PHRASES["comparator"].sub(" ", said))
    return len(_PHRASES["negation"].findall(said))


def is_negative(text: str) -> bool:
    """Whether the text, taken as one clause, denies: it holds an odd number of negations."""
    return negations_in(text) % 2 == 1


def is_denied_at(text: str, place: int) -> bool:
    """Whether a negation before `place` in the same part of the clause governs what stands there."""
    clause = _CLAUSE_END.split(normalize_text(text[:place]))[-1]
    without_exceptions = _PHRASES["standing exception"].sub(" ", clause)
    return is_negative(_PHRASES["subordinate"].split(without_exceptions)[-1])
