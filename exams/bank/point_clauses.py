"""A key point becomes its clauses, so that each can be looked for, and the words that two texts turn round.

"Stop, think and slow down; ask ATC" is two things to bear, and a quote that bears one of them bears half a point. Two
clauses on the same matter that hold one word each of a pair of opposites ("onshore", "offshore") say the contrary.
Pure: knows no passage and no library.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import Final

from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, stem

WORDS_LEAST: Final = 2
"""Content words of a clause that says something by itself."""

_OPPOSITES: Final = Path(__file__).with_name("opposites.csv")
_JOINT: Final = re.compile(
    r"\s*[;:—]\s+|,\s+(?:and|or|but|so|not|because|while|which|where|when|with)\s+|,\s+|"
    r"(?<!between)\s+(?:and|or|but|because|so that|while|unless|until|before|after|if|when)\s+",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z]+(?:-[a-z]+)*")


def point_clauses(point: str) -> tuple[str, ...]:
    """The parts of a point that each say something; one that says too little belongs to the part before it."""
    clauses: list[str] = []
    for sentence in sentences_in(point):
        place = 0
        for joint in (*_JOINT.finditer(sentence.text), None):
            part = sentence.text[place : joint.start() if joint else None]
            rest = sentence.text[joint.end() :] if joint else ""
            enough = len(set(content_words(part))) >= WORDS_LEAST
            if joint and (not enough or len(set(content_words(rest))) < WORDS_LEAST):
                continue
            clauses.append(part.strip(" ,;:."))
            place = joint.end() if joint else place
    return tuple(clauses)


def is_opposed(clause: str, said: str) -> bool:
    """Whether the clause holds one word alone of a pair of opposites and the other text the other alone."""
    ours, theirs = _stems(clause), _stems(said)
    return any(
        (one in ours) != (other in ours)
        and (one in theirs) != (other in theirs)
        and (one in ours) != (one in theirs)
        for one, other in _pairs()
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text.lower()))


@cache
def opposites() -> tuple[tuple[str, str], ...]:
    """Pairs of words of which one says the contrary of the other."""
    with _OPPOSITES.open(encoding="utf-8", newline="") as file:
        return tuple((row["one"], row["other"]) for row in csv.DictReader(file))


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    return tuple((stem(one), stem(other)) for one, other in opposites())
