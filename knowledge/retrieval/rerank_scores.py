"""Measures of passages become one value each, by which they are ordered anew. Pure.

Each way takes the passages as the search ranked them and gives a value for each, in their order. Scores stay those of
the search, so that thresholds keep their meaning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge import conf
from knowledge.retrieval.values import Ranked
from knowledge.text.tokens import content_words, coverage

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A ranked passage with what a closer look needs."""

    ranked: Ranked
    text: str
    doc_type: str
    edition: date | None
    vector: Sequence[float]

    @property
    def was_asked_for(self) -> bool:
        """By the number of its section: no reader puts another before it."""
        return self.ranked.score >= conf.EXACT_SCORE


def by_similarity_recency_and_words(passages: Sequence[Read]) -> list[float]:
    """0.7 similarity + 0.15 recency + 0.15 keyword (seed 004). Recency is 1 for the newest edition among these and
    half of it for one that is RECENCY_HALVED_DAYS older; an edition without a date has none."""
    newest = max((one.edition for one in passages if one.edition), default=None)
    return [
        conf.RERANK_SIMILARITY * one.ranked.similarity
        + conf.RERANK_RECENCY * _recency(one.edition, newest)
        + conf.RERANK_KEYWORD * min(1.0, conf.LEXICAL_SCALE * one.ranked.lexical)
        for one in passages
    ]


def _recency(edition: date | None, newest: date | None) -> float:
    if edition is None or newest is None:
        return 0.0
    return float(0.5 ** ((newest - edition).days / conf.RECENCY_HALVED_DAYS))


def by_tokens_and_neighbours(passages: Sequence[Read], opinions: Sequence[float]) -> list[float]:
    """The search's score and the opinion of the tokens, then each a little nearer to those that resemble it most."""
    share = conf.LATE_SHARE
    values = [
        (1 - share) * one.ranked.score + share * said for one, said in zip(passages, opinions, strict=True)
    ]
    return in_company(values, [one.vector for one in passages])


def in_company(values: Sequence[float], vectors: Sequence[Sequence[float]]) -> list[float]:
    """Each value moved towards the mean of the passages nearest in meaning: what answers a question stands with others
    that do, and one that is liked by chance stands alone."""
    if len(values) < 2:
        return list(values)
    plain = np.asarray(values, dtype=np.float64)
    alike = _cosines(vectors)
    nearest = np.argsort(-alike, axis=1, kind="stable")[:, : conf.NEIGHBOURS]
    weights = np.maximum(np.take_along_axis(alike, nearest, axis=1), 1e-6)
    company = (weights * plain[nearest]).sum(axis=1) / weights.sum(axis=1)
    moved = (1 - conf.NEIGHBOURS_SHARE) * plain + conf.NEIGHBOURS_SHARE * company
    return [float(value) for value in moved]


def _cosines(vectors: Sequence[Sequence[float]]) -> Matrix:
    """Of each with each; of one with itself nothing."""
    rows: NDArray[Any] = np.asarray(vectors, dtype=np.float64)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    alike: Matrix = rows @ rows.T
    np.fill_diagonal(alike, -1.0)
    return alike


def keyword_opinion(query: str, text: str) -> float:
    """Half the share of the query's words, half that of its neighbouring pairs, that the text has."""
    asked, read = content_words(query), content_words(text)
    return 0.5 * coverage(asked, read) + 0.5 * coverage(_pairs(asked), _pairs(read))


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]
