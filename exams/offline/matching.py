"""Whether an answer holds an idea: by the same word, by a word of the same line in the lexicon, or by a near
one.

Nearness of single words comes from the embedding handed in: "gas" for "fuel", "sleepy" for "drowsy". A
word and its opposite are near as well, so words with a direction are never matched by nearness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from exams.offline.wording import alike, has_opposite, terms_in

Vector = NDArray[Any]
Embed = Callable[[str], Vector]

NEAR_WORD: Final = 0.66
"""Cosine of two single words from which one may stand for the other (all-MiniLM-L6-v2): gas and fuel 0.76, sleepy and
drowsy 0.68, but flight and landing 0.65, wing and engine 0.43."""
NEAR_WORTH: Final = 0.85
"""What a near word is worth beside 1 for the same idea."""
SHORTEST_WORD: Final = 4
"""Letters of a word that has a meaning of its own to an embedding."""


def cosine(one: Vector, other: Vector) -> float:
    """For vectors of length 1."""
    return float(np.dot(one, other))


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of an answer prepared for matching: its words, its ideas with their words, its vector."""

    text: str
    terms: Mapping[str, str]
    vector: Vector

    @classmethod
    def of(cls, text: str, embed: Embed) -> Stretch:
        return cls(text, terms_in(text), embed(text))


def held_share(wanted: Mapping[str, str], stretch: Stretch, embed: Embed) -> float:
    """The share of the wanted ideas that the stretch holds, in [0, 1]."""
    if not wanted:
        return 0.0
    return sum(held(one, word, stretch.terms, embed) for one, word in wanted.items()) / len(wanted)


def held(one: str, word: str, terms: Mapping[str, str], embed: Embed) -> float:
    """1 for the same idea, somewhat less for a near word, 0 for neither."""
    if one in terms or any(alike(one, other) for other in terms):
        return 1.0
    if has_opposite(one) or len(word) < SHORTEST_WORD:
        return 0.0
    return NEAR_WORTH if _near(word, terms.items(), embed) else 0.0


def _near(word: str, terms: Iterable[tuple[str, str]], embed: Embed) -> bool:
    mine = embed(word)
    return any(
        cosine(mine, embed(other)) >= NEAR_WORD
        for one, other in terms
        if len(other) >= SHORTEST_WORD and not has_opposite(one)
    )
