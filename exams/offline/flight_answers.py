"""Finds which of a flight's prepared answers a student asks for ("Does Hadley have a shop that's open late?").

The local embedding model compares the question with those that each answer is for. A near miss is worse than no answer:
the names in the question, and most of its ideas, have to be those of the answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from exams import conf
from exams.domain.scenes.scene import Fact
from exams.offline.asides import spoken
from knowledge.text.synonyms import idea_set
from llm.conf import LOCAL_MODEL
from llm.errors import ModelError
from llm.registry import embedding_model

_FLIGHTS_KEPT: Final = 64
_ANSWERS_KEPT: Final = 1_000
_THING: Final = (
    r"\b(?:(?:is|are|was|were|be|get|have|has) (?:there )?(?:a|an|any|some)|any|there|is the|what's the) "
    r"((?:(?!in |at |on |near|along|by |for |to |from |with |around |anywhere |that |who |between )\S+ ?)+)"
)
"""What a question names as the thing that it asks for."""
_BARE: Final = 2
"""Words of a clause that asks nothing by itself ("by the way")."""


def answer_from(asked: str, facts: Sequence[Fact]) -> str:
    """The prepared answer to a question, or to the first clause of it that has one ("Is there gas, or do I carry it?");
    "" where none is near enough, or the model is away."""
    answers = tuple(fact for fact in facts if fact.asked)
    if not answers:
        return ""
    names = _names_in(tuple(facts))
    try:
        return next(filter(None, (_nearest(part, answers, names) for part in _parts_of(spoken(asked)))), "")
    except ModelError:
        return ""


def _parts_of(asked: str) -> tuple[str, ...]:
    """The question itself, then its clauses where it asks more than one thing, or tells something first. What it asks
    after "or" is no question by itself ("or is the Seminole not having one")."""
    clauses = re.split(r",? by the way,? ?|, ", re.split(r",? or ", asked)[0])
    return (asked, *(f"{one.rstrip('?')}?" for one in clauses if len(one.split()) > _BARE))


def _nearest(asked: str, answers: tuple[Fact, ...], names: frozenset[str]) -> str:
    named = names & set(re.findall("[a-z]+", asked))
    best, found, vector = conf.ANSWER_NEAR, "", None
    for fact in answers:
        words = spoken(" ".join((*fact.asked, fact.say)))
        if not named <= set(re.findall("[a-z]+", words)) or not _tells_of(asked, words, names):
            continue
        share = _share_told(asked, words, answers, names)
        if share < conf.ANSWER_IDEAS_SURE:
            continue
        if vector is None:
            vector = np.array(embedding_model(LOCAL_MODEL).embed_query(asked))
        near = float((_vectors_of(fact.asked) @ vector).max())
        if near >= best and (share >= conf.ANSWER_IDEAS_LEAST or near >= conf.ANSWER_SURE):
            best, found = near, fact.say
    return found


def _tells_of(asked: str, words: str, names: frozenset[str]) -> bool:
    """Whether an answer is about the thing that a question asks for ("is there a hospital near Harrow City"): one in
    the same frame about something else is no answer."""
    for thing in re.findall(_THING, asked):
        ideas = idea_set(thing) - idea_set(" ".join(names))
        if ideas and not ideas & idea_set(words):
            return False
    return True


@lru_cache(_ANSWERS_KEPT)
def _vectors_of(asked: tuple[str, ...]) -> NDArray[Any]:
    """Only of the answers that may fit: those of a whole flight would take seconds."""
    return np.array(embedding_model(LOCAL_MODEL).embed_passages([spoken(one) for one in asked]))


@lru_cache(_FLIGHTS_KEPT)
def _names_in(facts: tuple[Fact, ...]) -> frozenset[str]:
    """The words that stand with a capital within a sentence: people and places."""
    told = " ".join(one for fact in facts for one in (fact.say, *fact.asked))
    return frozenset(word.lower() for word in re.findall(r"(?<=[a-z,;] )[A-Z][a-z]+", told))


@lru_cache(_FLIGHTS_KEPT)
def _worths(answers: tuple[Fact, ...]) -> dict[str, float]:
    """What an idea tells about which answer is meant: the more, the fewer answers have it."""
    counted = Counter(idea for fact in answers for idea in idea_set(spoken(" ".join(fact.asked))))
    return {idea: log(1 + len(answers) / count) for idea, count in counted.items()}


def _share_told(asked: str, words: str, answers: tuple[Fact, ...], names: frozenset[str]) -> float:
    """How much of what a question asks about an answer is about. An idea that no answer has counts in full, and a name
    not at all."""
    worths = _worths(answers)
    unknown = log(1 + len(answers))
    ideas = idea_set(asked) - idea_set(" ".join(names))
    total = sum(worths.get(idea, unknown) for idea in ideas)
    return sum(worths.get(idea, unknown) for idea in ideas & idea_set(words)) / total if total else 0.0
