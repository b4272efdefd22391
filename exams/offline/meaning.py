"""How much of a statement's meaning an answer carries, as a few plain figures.

`coverage` counts the statement's ideas that the question did not give away and the answer holds. `nearness` is the
cosine between the statement and the nearest stretch of the answer, by whatever embedding is handed in. What the figures
mean for a verdict is decided in `judging.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from exams.offline.matching import Embed, cosine
from exams.offline.wording import alike, ideas_in
from knowledge.grounding.sentences import sentences_in

STRETCHES_MOST: Final = 40
"""Stretches of one answer that are compared: a minute of speech; each costs a few milliseconds."""
_CLAUSE: Final = re.compile(r"(?<!\d),\s+|(?<=\d),\s+(?!\d)|\s*;\s*|\s+(?:and|or|so|but)\s+", re.IGNORECASE)

GIVEN_AWAY: Final = 0.15
"""Weight of an idea that the question already holds, beside 1 for a new one: repeating it shows little."""

_PALE: Final = frozenset(
    ["require", "allow", "fly", "aircraft", "pilot", "make", "use", "act", "keep", "have", "person", "pic", "passenger", "civil", "certificat", "perform", "under", "certain", "carry", "own", "such", "within", "part", "time", "operation", "rule", "case", "either", "among", "also", "must", "hav", "number", "kind", "sufficient", "normal", "usual"]
)
WHO: Final = "who"
_PERSONS: Final = frozenset(
    ("pic", "pilot", "atc", "owner", "operator", "instructor", "mechanic", "passenger")
)
PALE: Final = 0.35
"""Weight of ideas that stand in most rules and tell one from another hardly."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """`coverage`, `precision` in [0, 1]; `nearness`, `baseline` cosines; `new` the count of new ideas covered.

    `nearness` is of the answer to the statement, `with_question` of question and answer together, `baseline` of the
    question alone. `stretch` is the part of the answer that came nearest.
    """

    coverage: float
    precision: float
    nearness: float
    with_question: float
    baseline: float
    new: int
    stretch: str


def meaning_of(statement: str, question: str, answer: str, embed: Embed) -> Meaning:
    """Compare a whole statement with a whole answer."""
    asked = asked_in(question)
    said = tuple(dict.fromkeys(ideas_in(answer)))
    wanted = tuple(dict.fromkeys(ideas_in(statement)))
    weights = {one: weight_of(one, asked) for one in wanted}
    held = {one for one in wanted if _holds(said, one)}
    total = sum(weights.values())
    target = embed(statement)
    stretch, nearness = _nearest(answer, target, embed)
    return Meaning(
        coverage=sum(weights[one] for one in held) / total if total else 0.0,
        precision=_precision(said, wanted, asked),
        nearness=nearness,
        with_question=cosine(embed(f"{question} {answer}"), target) if question else nearness,
        baseline=cosine(embed(question), target) if question else 0.0,
        new=sum(1 for one in held if weights[one] >= PALE),
        stretch=stretch,
    )


def asked_in(question: str) -> frozenset[str]:
    """The ideas a question gives away; "who" among them where it asks for a person."""
    person = {WHO} if re.search(r"\b(?:who|whose|whom)\b", question.lower()) else set()
    return frozenset(ideas_in(question)) | person


def weight_of(idea: str, asked: frozenset[str]) -> float:
    """What covering one idea is worth."""
    if _holds(asked, idea):
        return GIVEN_AWAY
    if idea in _PERSONS and WHO in asked:
        return 1.0
    return PALE if idea in _PALE else 1.0


def stretches_of(answer: str) -> tuple[str, ...]:
    """The whole answer, each sentence, each two neighbouring ones, and the clauses, as many as are worth comparing."""
    sentences = [sentence.text for sentence in sentences_in(answer)]
    pairs = [f"{one} {other}" for one, other in pairwise(sentences)]
    clauses = [
        piece.strip() for sentence in sentences for piece in _CLAUSE.split(sentence) if len(piece.split()) > 1
    ]
    return tuple(dict.fromkeys([" ".join(answer.split()), *sentences, *pairs, *clauses]))[:STRETCHES_MOST]


def _nearest(answer: str, target: Sequence[float], embed: Embed) -> tuple[str, float]:
    whole = [sentence.text for sentence in sentences_in(answer)]
    scored = [
        (cosine(embed(stretch), target), stretch)
        for stretch in dict.fromkeys([" ".join(answer.split()), *whole])
    ]
    score, stretch = max(scored)
    return stretch, score


def _holds(ideas: Sequence[str] | frozenset[str], one: str) -> bool:
    return any(alike(one, other) for other in ideas)


def _precision(said: Sequence[str], wanted: Sequence[str], asked: frozenset[str]) -> float:
    new = [one for one in said if not _holds(asked, one)]
    return sum(_holds(wanted, one) for one in new) / len(new) if new else 0.0
