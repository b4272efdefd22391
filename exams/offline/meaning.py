"""Which stretch of an answer comes nearest to a statement, and what each idea of a statement is worth.

An idea that the question gives away shows little; one that stands in most rules tells hardly one from
another. What the figures mean for a verdict is decided in `judging.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

from exams import conf
from exams.offline.lexicon import table_words
from exams.offline.matching import Embed, cosine, held, words_for_nearness
from exams.offline.wording import alike, ideas_in, terms_in
from knowledge.grounding.sentences import sentences_in

STRETCHES_MOST: Final = 40
"""Stretches of one answer that are compared: a minute of speech; each costs a few milliseconds."""
_CLAUSE: Final = re.compile(r"(?<!\d),\s+|(?<=\d),\s+(?!\d)|\s*;\s*|\s+(?:and|or|so|but)\s+", re.IGNORECASE)

GIVEN_AWAY: Final = 0.15
"""Weight of an idea that the question already holds, beside 1 for a new one: repeating it shows little."""

_PALE: Final = table_words(
    """
    require allow fly aircraft pilot make use act keep have person pic passenger civil certificat
    perform under certain carry own such within part time operation rule case either among also must
    hav number kind sufficient normal usual
    """
)
WHO: Final = "who"
_PERSONS: Final = frozenset(
    ("pic", "pilot", "atc", "owner", "operator", "instructor", "mechanic", "passenger")
)
PALE: Final = 0.35
"""Weight of ideas that stand in most rules and tell one from another hardly."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """`coverage` is the weighed share of the statement's ideas that the answer holds anywhere, in [0, 1].

    `nearness` is the cosine between the statement and `stretch`, the part of the answer that comes nearest.
    """

    coverage: float
    nearness: float
    stretch: str


def meaning_of(statement: str, question: str, answer: str, embed: Embed) -> Meaning:
    """Compare a whole statement with the whole answer and with each of its sentences."""
    target = embed(statement)
    scored = [(cosine(embed(stretch), target), stretch) for stretch in sentences_of(answer)]
    nearness, stretch = max(scored)
    return Meaning(_coverage(statement, question, answer, embed), nearness, stretch)


def _coverage(statement: str, question: str, answer: str, embed: Embed) -> float:
    wanted, said, asked = terms_in(statement), terms_in(answer), asked_in(question)
    weights = {one: weight_of(one, asked) for one in wanted}
    total = sum(weights.values())
    near = words_for_nearness(answer)
    covered = sum(weights[one] * held(one, word, said, embed, near) for one, word in wanted.items())
    return covered / total if total else 0.0


def sentences_of(answer: str) -> tuple[str, ...]:
    """The whole answer and each of its sentences, as many as are worth comparing."""
    return _compared([" ".join(answer.split()), *(sentence.text for sentence in sentences_in(answer))])


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
    """The whole answer, each sentence, each two neighbouring ones, and the clauses, as many as are worth
    comparing.
    """
    sentences = [sentence.text for sentence in sentences_in(answer)]
    pairs = [f"{one} {other}" for one, other in pairwise(sentences)]
    clauses = [
        piece.strip() for sentence in sentences for piece in _CLAUSE.split(sentence) if len(piece.split()) > 1
    ]
    return _compared([" ".join(answer.split()), *sentences, *pairs, *clauses])


def _compared(stretches: Iterable[str]) -> tuple[str, ...]:
    """The first of them, by their number and by what it costs to read them."""
    return tuple(islice(_within_cost(dict.fromkeys(stretches)), STRETCHES_MOST))


def _within_cost(stretches: Iterable[str]) -> Iterator[str]:
    spent = 0
    for one in stretches:
        if spent >= conf.STRETCHES_CHARACTERS:
            return
        spent += min(len(one), conf.MEANING_CHARACTERS)
        yield one


def _holds(ideas: Sequence[str] | frozenset[str], one: str) -> bool:
    return any(alike(one, other) for other in ideas)
