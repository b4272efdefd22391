"""Divide a key point into clauses, and find opposite words in two texts. Pure: knows no passage and no library.

"Stop, think and slow down; ask ATC" has two clauses, and a quote that supports one supports half the point. Two clauses
on one subject contradict each other if each has one word of a pair of opposites ("onshore", "offshore").
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, stem_word
from knowledge.text.word_tables import read_rows

WORDS_LEAST: Final = 2
"""Least number of content words of a clause."""

_JOINT: Final = re.compile(
    r"\s*[;:—]\s+|,\s+(?:and|or|but|so|not|because|while|which|where|when|with)\s+|,\s+|"
    r"(?<!between)\s+(?:and|or|but|because|so that|while|unless|until|before|after|if|when)\s+",
    re.IGNORECASE,
)


def point_clauses(point: str) -> tuple[str, ...]:
    """The clauses of a point; a part with too few words belongs to the clause before it."""
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
    ours, theirs = _word_stems(clause), _word_stems(said)
    return any(
        (one in ours) != (other in ours)
        and (one in theirs) != (other in theirs)
        and (one in ours) != (one in theirs)
        for one, other in _pairs()
    )


def _word_stems(text: str) -> frozenset[str]:
    return frozenset(stem_word(word) for word in re.findall(r"[a-z]+(?:-[a-z]+)*", text.lower()))


@cache
def opposite_pairs() -> tuple[tuple[str, str], ...]:
    """Pairs of words with opposite meanings."""
    rows = read_rows(Path(__file__).with_name("opposites.csv"))
    return tuple((row["one"], row["other"]) for row in rows)


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    return tuple((stem_word(one), stem_word(other)) for one, other in opposite_pairs())
