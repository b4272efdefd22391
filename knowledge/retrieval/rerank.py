"""A ranking is read once more, closer, by whatever reranker is configured (`RERANKER`).

`none` leaves it as it is; `keyword` weighs the search's own measures anew; `late` reads token by token with the local
model; a vendor's (`openai`, `cohere`) says its own order. The order given is the order shown; scores stay those of the
search. A reranker that fails, is slow, or says something that is no score for each text leaves the order as it was:
logged, and said in the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite

import structlog
from django.conf import settings

from knowledge import conf
from knowledge.db.connections import give_connection_back
from knowledge.models import ChunkEmbedding
from knowledge.retrieval.authority import with_authority
from knowledge.retrieval.query.builder import Query
from knowledge.retrieval.rerank_scores import (
    Read,
    by_similarity_recency_and_words,
    by_tokens_and_neighbours,
    keyword_opinion,
)
from llm.errors import ModelError
from llm.interfaces import Reranker
from llm.registry import is_configured, reranker

from .searchable import Scope, searchable_chunks
from .values import Ranked

__all__ = ["Reread", "configured", "keyword_opinion", "rerank"]

LATE = "late:"  # how the name of a reranker begins whose scores are blended with those of the search

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reread:
    """The ranking as it is given; `by` what read it again, or why that failed."""

    ranking: tuple[Ranked, ...]
    by: str = ""
    failed: str = ""


def configured() -> str:
    return str(settings.RERANKER)


def rerank(ranking: Sequence[Ranked], query: Query, scope: Scope) -> Reread:
    """The first RERANK_DEPTH passages in a better order, the others behind them."""
    if len(ranking) < 2 or configured() == "none" or not (configured() == "keyword" or is_configured()):
        return Reread(tuple(ranking))
    passages = _read(ranking[: conf.RERANK_DEPTH], scope)
    name = configured()
    try:
        model = None if name == "keyword" else reranker()
        if model is None and name != "keyword":
            return Reread(tuple(ranking))
        name = model.name if model else name
        values = _values(model, query.semantic, passages)
    except Exception as error:  # a vendor's client has many: none may cost the student an answer
        code = error.code if isinstance(error, ModelError) else type(error).__name__
        log.warning("rerank_failed", reranker=name, code=code, error=str(error))
        return Reread(tuple(ranking), failed=f"{name} did not rank ({code}): the order is that of the search")
    return Reread((*_ordered(passages, values), *ranking[conf.RERANK_DEPTH :]), name)


def _values(model: Reranker | None, query: str, passages: Sequence[Read]) -> list[float]:
    if model is None:
        return by_similarity_recency_and_words(passages)
    give_connection_back()
    opinions = model.scores(query, [one.text for one in passages])
    if len(opinions) != len(passages) or not all(map(isfinite, opinions)):
        raise ValueError(f"{len(opinions)} scores for {len(passages)} texts, or one that is no number")
    return by_tokens_and_neighbours(passages, opinions) if model.name.startswith(LATE) else opinions


def _ordered(passages: Sequence[Read], values: Sequence[float]) -> list[Ranked]:
    """Best first, equal ones as they were; what was asked for by number stays before all others."""
    pairs = sorted(zip(passages, values, strict=True), key=lambda pair: (not pair[0].was_asked_for, -pair[1]))
    settled = with_authority(
        pairs, lambda pair: pair[1] + pair[0].was_asked_for, lambda pair: pair[0].doc_type
    )
    return [passage.ranked for passage, _ in settled]


def _read(ranking: Sequence[Ranked], scope: Scope) -> list[Read]:
    """What may still be found, in the order of the ranking."""
    allowed = searchable_chunks(scope).filter(id__in=[ranked.chunk_id for ranked in ranking])
    rows = ChunkEmbedding.objects.filter(chunk__in=allowed, model=scope.model, state="current")
    read = {
        row[0]: row[1:]
        for row in rows.values_list(
            "chunk_id",
            "chunk__heading",
            "chunk__text",
            "chunk__document__doc_type",
            "chunk__document__edition_date",
            "vector",
        )
    }
    return [_passage(ranked, *read[ranked.chunk_id]) for ranked in ranking if ranked.chunk_id in read]


def _passage(
    ranked: Ranked, heading: str, text: str, doc_type: str, edition: date | None, vector: Sequence[float]
) -> Read:
    return Read(ranked=ranked, text=f"{heading}\n{text}", doc_type=doc_type, edition=edition, vector=vector)
