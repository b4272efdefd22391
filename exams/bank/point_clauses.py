"""Divide a key point into clauses. Pure: knows no passage and no library.

"Stop, think and slow down; ask ATC" has two clauses, and a quote that supports one supports half the point.
"""

from __future__ import annotations

import re
from typing import Final

from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words

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
