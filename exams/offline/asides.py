"""Recognizes what a student says to the examiner instead of an answer ("Could you say that again?").

A multinomial logistic regression over the local embedding model's vector of the words, and over the words themselves
and their pairs: the vector tells what is said, the words to whom. `python -m tools.training.asides` fits it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from exams import conf
from knowledge.text.synonyms import idea_set
from llm.conf import LOCAL_MODEL
from llm.errors import ModelError
from llm.registry import embedding_model

WEIGHTS: Final = Path(__file__).with_name("asides.npz")
ANSWER: Final = "answer"
"""The column of words that are none."""
UNCLEAR: Final = "unclear"
"""An aside of which nobody knows what it wants."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """A column for each of `meanings`; rows for the vector's numbers, then for `words`, then the bias."""

    meanings: tuple[str, ...]
    words: dict[str, int]
    weights: NDArray[Any]


def spoken(said: str) -> str:
    """The words in lower case, in one line."""
    return " ".join(said.lower().replace("’", "'").split())


def words_and_pairs(said: str) -> set[str]:
    """Its words with a mark for beginning and end, a question mark among them, and each two in a row."""
    words = ["^", *re.findall(r"[a-z']+|\?", said), "$"]
    return {*words, *map(" ".join, pairwise(words))}


def rows_of(said: Sequence[str], vectors: Sequence[Sequence[float]], words: dict[str, int]) -> NDArray[Any]:
    """What the regression reads, a row for each of the texts."""
    told = np.zeros((len(said), len(words)))
    for row, text in enumerate(said):
        told[row, [words[one] for one in words_and_pairs(text) if one in words]] = 1
    return np.asarray(np.c_[np.array(vectors), told, np.ones(len(said))])


@dataclass(frozen=True, slots=True)
class Aside:
    """What it means, UNCLEAR where no meaning is likely, and how likely it is one at all, 0 to 1."""

    meaning: str
    likely: float


def read_aside(said: str, expected: Iterable[str] = ()) -> Aside | None:
    """The aside that the words are; None for an answer.

    What is long, has a figure, or has an idea of what is `expected` is an answer, unless it is plainly none ("Repeat
    the question, please" where a request is to be repeated); a question may have one ("What do you mean by ceiling?").
    """
    text = spoken(said)
    if not re.search("[a-z]", text) or len(text) > conf.ASIDE_CHARACTERS_MOST or re.search(r"\d", text):
        return None
    stored = _stored_weights()
    ideas = {idea for idea in idea_set(text) if idea not in stored.words}
    shared = max((len(ideas & idea_set(one)) for one in expected), default=0)
    try:
        vector = embedding_model(LOCAL_MODEL).embed_query(text)
    except ModelError:
        return None
    scores = (rows_of([text], [vector], stored.words) @ stored.weights)[0]
    raised = np.exp(scores - scores.max())
    chances = dict(zip(stored.meanings, (raised / raised.sum()).tolist(), strict=True))
    likely = 1 - chances.pop(ANSWER)
    if likely < (conf.ASIDE_PLAIN if shared > text.endswith("?") else conf.ASIDE_SURE):
        return None
    meaning = max(chances, key=lambda one: chances[one])
    return Aside(meaning if chances[meaning] >= conf.ASIDE_MEANING_SURE * likely else UNCLEAR, likely)


@cache
def _stored_weights() -> _Weights:
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        words = {str(word): place for place, word in enumerate(stored["words"])}
        return _Weights(tuple(map(str, stored["meanings"])), words, stored["weights"].astype(float))
