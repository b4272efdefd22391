"""Whether an answer holds an idea: by the same word, by a word of the same line in the lexicon, or by a near
one.

Nearness of single words comes from the embedding handed in: "gas" for "fuel", "sleepy" for "drowsy". A
word and its opposite are near as well, so words with a direction are never matched by nearness.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from exams import conf
from exams.offline.wording import alike, has_opposite, terms_in, words_in

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


class _All(Container[str]):
    def __contains__(self, _: object) -> bool:
        return True


ALL: Final = _All()


def words_for_nearness(answer: str) -> Container[str]:
    """The words of an answer that may stand for near ones: all of an ordinary one, the first of a very long one."""
    words = dict.fromkeys(word for word in words_in(answer) if len(word) >= SHORTEST_WORD)
    if len(words) <= conf.NEAR_WORDS_MOST:
        return ALL
    return frozenset(islice(words, conf.NEAR_WORDS_MOST))


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of an answer prepared for matching: its words, its ideas with their words, its vector. `near` are the
    words of the answer that may stand for near ones."""

    text: str
    terms: Mapping[str, str]
    vector: Vector
    near: Container[str] = ALL

    @classmethod
    def of(cls, text: str, embed: Embed, near: Container[str] = ALL) -> Stretch:
        return cls(text, terms_in(text), embed(text), near)


def held_share(wanted: Mapping[str, str], stretch: Stretch, embed: Embed) -> float:
    """The share of the wanted ideas that the stretch holds, in [0, 1]."""
    if not wanted:
        return 0.0
    found = (held(one, word, stretch.terms, embed, stretch.near) for one, word in wanted.items())
    return sum(found) / len(wanted)


def held(one: str, word: str, terms: Mapping[str, str], embed: Embed, near: Container[str] = ALL) -> float:
    """1 for the same idea, somewhat less for a near word, 0 for neither."""
    if one in terms or any(alike(one, other) for other in terms):
        return 1.0
    if has_opposite(one) or len(word) < SHORTEST_WORD:
        return 0.0
    return NEAR_WORTH if _is_near(word, terms.items(), embed, near) else 0.0


def _is_near(word: str, terms: Iterable[tuple[str, str]], embed: Embed, near: Container[str]) -> bool:
    mine = embed(word)
    return any(
        cosine(mine, embed(other)) >= NEAR_WORD
        for one, other in terms
        if len(other) >= SHORTEST_WORD and not has_opposite(one) and other in near
    )
