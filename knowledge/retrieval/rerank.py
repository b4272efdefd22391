"""A ranking is read once more, closer: by the configured reranker, else by the words that stand together.

The order given is the order shown; scores stay those of the search, so that thresholds keep their meaning.
"""

from collections.abc import Sequence
from itertools import pairwise

import structlog

from knowledge import conf
from knowledge.connections import give_connection_back
from knowledge.grounding.words import content_words, coverage
from llm.errors import ModelError
from llm.interfaces import Reranker
from llm.registry import is_configured, reranker

from .query import Query
from .searchable import Scope, searchable_chunks
from .values import Ranked

log = structlog.get_logger(__name__)


def rerank(ranking: Sequence[Ranked], query: Query, scope: Scope) -> tuple[Ranked, ...]:
    """The same passages in a better order; in the old one if a vendor's reranker fails, which is logged."""
    texts = _texts(ranking, scope)
    known = [ranked for ranked in ranking if str(ranked.chunk_id) in texts]
    vendor = reranker() if is_configured() else None
    try:
        opinions = _opinions(vendor, query.semantic, [texts[str(ranked.chunk_id)] for ranked in known])
    except ModelError as error:
        log.warning("rerank_failed", error=str(error))
        return tuple(known)
    share = 1.0 if vendor else conf.RERANK_SHARE
    return reordered(known, opinions, share)


def reordered(ranking: Sequence[Ranked], opinions: Sequence[float], share: float) -> tuple[Ranked, ...]:
    """By the opinion in its share, and by the score that was there; equal ones keep their order. Pure."""
    pairs = list(zip(ranking, opinions, strict=True))
    pairs.sort(key=lambda pair: -(share * pair[1] + (1 - share) * pair[0].score))
    return tuple(ranked for ranked, _ in pairs)


def keyword_opinion(query: str, text: str) -> float:
    """Half the share of the query's words, half that of its neighbouring pairs, that the text has. Pure."""
    asked, read = content_words(query), content_words(text)
    return 0.5 * coverage(asked, read) + 0.5 * coverage(_pairs(asked), _pairs(read))


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]


def _opinions(vendor: Reranker | None, query: str, texts: Sequence[str]) -> list[float]:
    if not texts:
        return []
    if vendor:
        give_connection_back()
        return vendor.scores(query, texts)
    return [keyword_opinion(query, text) for text in texts]


def _texts(ranking: Sequence[Ranked], scope: Scope) -> dict[str, str]:
    rows = searchable_chunks(scope).filter(id__in=[ranked.chunk_id for ranked in ranking])
    return {
        str(id_): f"{heading}\n{text}" for id_, heading, text in rows.values_list("id", "heading", "text")
    }
