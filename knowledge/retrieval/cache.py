"""A ranking that was made once is found again, for the same search by the same tenant of the same library.

Only places and scores are kept. Text, page and document are read afresh, under the one predicate: what was
withdrawn meanwhile cannot be served from here. Hits, misses and failures are counted. A failing cache makes
a search slow, never wrong.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from time import monotonic
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from django.core.cache import DEFAULT_CACHE_ALIAS, cache, caches
from prometheus_client import Counter

from knowledge import conf

from .values import Ranked

HITS = Counter("heydpe_search_cache_hits_total", "Searches answered from the cache", ["kind"])
MISSES = Counter("heydpe_search_cache_misses_total", "Searches that had to be made", ["kind"])
FAILURES = Counter(
    "heydpe_search_cache_failures_total", "Reads or writes that the cache refused", ["operation", "kind"]
)
"""`kind` is what a search went by, or "vector" for the vectors of its texts."""

_failed_at: WeakKeyDictionary[object, float] = WeakKeyDictionary()
"""When a client of the cache failed last; each thread has a client of its own."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a search: its ranking, the filters that led to it, whether they were dropped, what was searched
    instead where the first search was weak, whether one thing was asked, what read the ranking again, and how many of
    it go before the others whatever these score. One that is `degraded` is not kept."""

    ranking: tuple[Ranked, ...]
    filters: dict[str, Any]
    fallback: bool
    reformulated: str = ""
    asks_one: bool = True
    reranked: str = ""
    degraded: str = ""
    first: int = 0


def key_of(**parts: Any) -> str:
    """One key for all that decides a ranking; tenant and generation of the library must be among it."""
    plain = json.dumps(parts, sort_keys=True, default=str)
    return f"search:{hashlib.sha256(plain.encode()).hexdigest()}"


def kept(key: str, kind: str) -> Kept | None:
    try:
        stored = cache.get(key)
    except Exception as error:  # a vendor's client has many: none may cost the student an answer
        count_failure("read", kind, error)
        return None
    (HITS if stored else MISSES).labels(kind).inc()
    return _from_plain(stored) if stored else None


def keep(key: str, value: Kept, kind: str) -> None:
    """Awaited; a write that fails is counted and logged."""
    try:
        cache.set(key, _to_plain(value), timeout=conf.CACHE_SECONDS)
    except Exception as error:  # as above
        count_failure("write", kind, error)


def count_failure(operation: str, kind: str, error: Exception) -> None:
    _failed_at[caches[DEFAULT_CACHE_ALIAS]] = monotonic()
    FAILURES.labels(operation, kind).inc()
    log.warning("search_cache_failed", operation=operation, kind=kind, error=str(error))


def is_resting() -> bool:
    """Whether the cache has just failed, so that what can do without it does."""
    failed = _failed_at.get(caches[DEFAULT_CACHE_ALIAS])
    return failed is not None and monotonic() - failed < conf.CACHE_REST_SECONDS


def _to_plain(value: Kept) -> str:
    around = asdict(replace(value, ranking=()))
    return json.dumps({**around, "ranking": [_row(ranked) for ranked in value.ranking]}, default=str)


def _row(ranked: Ranked) -> Sequence[Any]:
    return str(ranked.chunk_id), ranked.score, ranked.similarity, ranked.lexical


def _from_plain(stored: str) -> Kept:
    plain = json.loads(stored)
    ranking = tuple(Ranked(UUID(chunk_id), *numbers) for chunk_id, *numbers in plain["ranking"])
    return Kept(
        ranking,
        plain["filters"],
        plain["fallback"],
        plain.get("reformulated", ""),
        plain.get("asks_one", True),
        plain.get("reranked", ""),
        first=plain.get("first", 0),
    )
