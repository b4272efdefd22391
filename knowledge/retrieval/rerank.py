"""Reorders the best passages of a ranking with the configured reranker (`RERANKER`).

`none` keeps the order; `keyword` weighs the search's own scores anew; `late` compares token by token with the local
model; `openai` and `cohere` return their own order. Scores stay those of the search, so that thresholds keep their
meaning. If a reranker fails or does not return one score for each text, the order stays, and the answer says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import isfinite

import numpy as np
import structlog
from django.conf import settings

from knowledge import conf
from knowledge.db.connections import give_connection_back
from knowledge.models import ChunkEmbedding
from knowledge.retrieval.authority import sort_by_authority
from knowledge.retrieval.query.builder import Query
from knowledge.retrieval.scoring import unit_vectors
from knowledge.text.tokens import content_words, share_covered
from llm.errors import ModelError
from llm.registry import find_reranker, is_configured

from .searchable import Scope, searchable_chunks
from .values import Ranked

LATE = "late:"  # how the name of a reranker begins whose scores are blended with those of the search

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reranked:
    """A ranking, the reranker that ordered it ("" = none), and why reranking failed ("" = it did not)."""

    ranking: tuple[Ranked, ...]
    by: str = ""
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPassage:
    """A ranked passage with what a reranker needs."""

    ranked: Ranked
    text: str
    doc_type: str
    edition: date | None
    vector: Sequence[float]

    @property
    def is_exact(self) -> bool:
        """Whether its section was asked for by number: no reranker puts another before it."""
        return self.ranked.score >= conf.EXACT_SCORE


def configured_reranker() -> str:
    return str(settings.RERANKER)


def rerank_passages(ranking: Sequence[Ranked], query: Query, scope: Scope) -> Reranked:
    """The first RERANK_DEPTH passages in a better order, and the others behind them."""
    name = configured_reranker()
    if len(ranking) < 2 or name == "none" or not (name == "keyword" or is_configured()):
        return Reranked(tuple(ranking))
    passages = _read_passages(ranking[: conf.RERANK_DEPTH], scope)
    try:
        if name == "keyword":
            values = similarity_recency_and_words(passages)
        else:
            model = find_reranker()
            if model is None:
                return Reranked(tuple(ranking))
            name = model.name
            give_connection_back()
            values = model.scores(query.semantic, [one.text for one in passages])
            if len(values) != len(passages) or not all(map(isfinite, values)):
                raise ValueError(f"{len(values)} scores for {len(passages)} texts, or one that is no number")
            if name.startswith(LATE):
                values = blend_with_neighbors(passages, values)
    except Exception as error:  # a vendor's client has many: none may cost the student an answer
        code = error.code if isinstance(error, ModelError) else type(error).__name__
        log.warning("rerank_failed", reranker=name, code=code, error=str(error))
        return Reranked(
            tuple(ranking), failed=f"{name} did not rank ({code}): the order is that of the search"
        )
    # Best first, ties as they were; exact ones stay before all others.
    pairs = sorted(zip(passages, values, strict=True), key=lambda pair: (not pair[0].is_exact, -pair[1]))
    settled = sort_by_authority(pairs, lambda pair: pair[1] + pair[0].is_exact, lambda pair: pair[0].doc_type)
    return Reranked((*(one.ranked for one, _ in settled), *ranking[conf.RERANK_DEPTH :]), name)


def _read_passages(ranking: Sequence[Ranked], scope: Scope) -> list[RankedPassage]:
    """What may still be found, in the order of the ranking."""
    allowed = searchable_chunks(scope).filter(id__in=[ranked.chunk_id for ranked in ranking])
    rows = ChunkEmbedding.objects.filter(chunk__in=allowed, model=scope.model, state="current").values(
        "chunk_id",
        "chunk__heading",
        "chunk__text",
        "chunk__document__doc_type",
        "chunk__document__edition_date",
        "vector",
    )
    read = {row["chunk_id"]: row for row in rows}
    return [
        RankedPassage(
            ranked=ranked,
            text=f"{row['chunk__heading']}\n{row['chunk__text']}",
            doc_type=row["chunk__document__doc_type"],
            edition=row["chunk__document__edition_date"],
            vector=row["vector"],
        )
        for ranked in ranking
        if (row := read.get(ranked.chunk_id))
    ]


def similarity_recency_and_words(passages: Sequence[RankedPassage]) -> list[float]:
    """0.7 similarity + 0.15 recency + 0.15 keyword (seed 004). Recency is 1 for the newest edition among these and
    halves every RECENCY_HALVED_DAYS; an edition without a date has none."""
    newest = max((one.edition for one in passages if one.edition), default=None)

    def recency(edition: date | None) -> float:
        if edition is None or newest is None:
            return 0.0
        return float(0.5 ** ((newest - edition).days / conf.RECENCY_HALVED_DAYS))

    return [
        conf.RERANK_SIMILARITY * one.ranked.similarity
        + conf.RERANK_RECENCY * recency(one.edition)
        + conf.RERANK_KEYWORD * min(1.0, conf.LEXICAL_SCALE * one.ranked.lexical)
        for one in passages
    ]


def blend_with_neighbors(passages: Sequence[RankedPassage], opinions: Sequence[float]) -> list[float]:
    """The search's score blended with the reranker's, then moved toward the passages that resemble it most."""
    share = conf.LATE_SHARE
    values = [
        (1 - share) * one.ranked.score + share * said for one, said in zip(passages, opinions, strict=True)
    ]
    return move_toward_neighbors(values, [one.vector for one in passages])


def move_toward_neighbors(values: Sequence[float], vectors: Sequence[Sequence[float]]) -> list[float]:
    """Each value moved toward the mean of its nearest passages. What answers a question stands with others that do;
    what scores well by chance stands alone."""
    if len(values) < 2:
        return list(values)
    plain = np.asarray(values, dtype=np.float64)
    rows = unit_vectors(np.asarray(vectors, dtype=np.float64))
    alike = rows @ rows.T
    np.fill_diagonal(alike, -1.0)
    nearest = np.argsort(-alike, axis=1, kind="stable")[:, : conf.NEIGHBOURS]
    weights = np.maximum(np.take_along_axis(alike, nearest, axis=1), 1e-6)
    company = (weights * plain[nearest]).sum(axis=1) / weights.sum(axis=1)
    moved = (1 - conf.NEIGHBOURS_SHARE) * plain + conf.NEIGHBOURS_SHARE * company
    return [float(value) for value in moved]


def keyword_overlap(query: str, text: str) -> float:
    """Half the share of the query's words, half that of its neighboring pairs, that the text has."""
    asked, read = content_words(query), content_words(text)
    pairs, read_pairs = ([f"{one} {other}" for one, other in pairwise(words)] for words in (asked, read))
    return 0.5 * share_covered(asked, read) + 0.5 * share_covered(pairs, read_pairs)
