"""What both legs say of the candidates becomes their scores. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from knowledge import conf
from knowledge.retrieval.values import Arm, Ranked

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Passages that one of the legs brought. One line of `vectors` each; `lexical` is the share of the asked words that
    it has; `exact` where its section was asked for by number."""

    ids: tuple[UUID, ...]
    vectors: Values
    lexical: Values
    exact: NDArray[np.bool_]


Blend = tuple[float, float]
"""Shares of similarity and words."""


def ranked(
    candidates: Candidates, asked: Values, *, arm: Arm, blend: Blend, company: bool, floor: float, k: int
) -> tuple[Ranked, ...]:
    """The best first; ties by the words, then by id, so that the same search gives the same order."""
    if not candidates.ids or k < 1:
        return ()
    directions = directions_of(candidates.vectors)
    similarity = nearness(directions, asked)
    plain = blended(similarity, candidates.lexical, arm, blend)
    if company and arm not in ("vector", "lexical"):
        plain = in_company(plain, directions, candidates.ids)
    scores = before_others(plain, candidates.exact)
    contenders = np.flatnonzero(candidates.exact | (plain >= _least_of_best(plain, k))).tolist()
    told = [
        values[contenders].tolist()
        for values in (candidates.exact, plain, scores, similarity, candidates.lexical)
    ]
    found = [
        ((not exact, -value, -words, candidates.ids[at]), Ranked(candidates.ids[at], score, near, words))
        for at, exact, value, score, near, words in zip(contenders, *told, strict=True)
    ]
    ordered = (one for _, one in sorted(found, key=itemgetter(0)))
    return tuple(one for one in ordered if one.score >= floor)[:k]


def _least_of_best(values: Values, most: int) -> float:
    """What each of the best `most` has at least."""
    return float(np.partition(values, -most)[-most]) if len(values) > most else -np.inf


def before_others(plain: Values, exact: NDArray[np.bool_]) -> Values:
    """Where a section was asked for by its number and is there, its passages stand from EXACT_SCORE on, and all others
    so far below it that authority brings none of them to the front."""
    if not exact.any():
        return plain
    most = conf.EXACT_SCORE - 2 * conf.NEAR_EQUAL
    return np.where(exact, conf.EXACT_SCORE + (1 - conf.EXACT_SCORE) * plain, np.minimum(plain, most))


def directions_of(vectors: Values) -> Values:
    """Each vector with a length of one; one without direction stays as it is."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    directions: Values = vectors / lengths[:, np.newaxis]
    return directions


def nearness(directions: Values, to: Values) -> Values:
    """The cosine with each of these directions, none below zero; what has no direction is near to nothing."""
    length = float(np.sqrt(to @ to))
    return (directions @ (to / length if length else to)).clip(0, 1)


def blended(similarity: Values, lexical: Values, arm: Arm, blend: Blend) -> Values:
    words = np.minimum(1, conf.LEXICAL_SCALE * lexical)
    if arm == "vector":
        return similarity
    if arm == "lexical":
        return words
    trust = trust_in_vectors(similarity, words, blend)
    return trust * similarity + (1 - trust) * words


def trust_in_vectors(similarity: Values, words: Values, blend: Blend) -> float:
    """How sure each leg is: the lead of its best passage over the mean of the next ones, as a share of the best. A leg
    that likes ten passages alike knows nothing of the one that is asked for. The blend's odds move with the odds of the
    leads."""
    vector = blend[0] * (conf.UNSURE + _lead(similarity) / conf.VECTOR_LEAD)
    lexical = blend[1] * (conf.UNSURE + _lead(words) / conf.LEXICAL_LEAD)
    return float(vector / (vector + lexical))


def _lead(values: Values) -> float:
    best, *others = np.sort(values)[: -conf.LEADERS - 1 : -1].tolist()
    return (best - sum(others) / len(others)) / best if others and best > 0 else 0.0


def in_company(plain: Values, directions: Values, ids: Sequence[UUID]) -> Values:
    """Passages that answer one question resemble each other; only the whole blend is good enough to say which do. They
    are compared with the middle of the best by both legs: what is asked, in the library's own words."""
    contenders = np.flatnonzero(plain >= _least_of_best(plain, conf.COMPANY)).tolist()
    best = sorted(contenders, key=lambda at: (-plain[at], ids[at]))[: conf.COMPANY]
    alike = nearness(directions, directions[best].sum(axis=0))
    mixed = (1 - conf.COMPANY_SHARE) * plain + conf.COMPANY_SHARE * alike
    return np.where(plain > 0, conf.COMPANY_SCALE * mixed, 0.0)
