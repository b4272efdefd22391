"""Two caches that all processes share: rankings by request, and vectors by query text.

Only the ids and scores of a ranking are cached; passages are read afresh, so withdrawn text is never served. A
student's own words are never cached. Hits, misses, and failures are counted. A failing cache slows a search, never
makes it wrong, and is skipped for a moment. An alarm reports a cache that never hits.
"""

import hashlib
import json
import struct
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Protocol, runtime_checkable
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from django.core.cache import DEFAULT_CACHE_ALIAS, cache, caches
from prometheus_client import Counter

from knowledge import conf
from knowledge.db.connections import give_connection_back
from knowledge.models import RetrievalLog
from knowledge.models.telemetry import LookUp, Tier
from llm.interfaces import EmbeddingModel
from llm.vectors import Vector

from .values import Ranked

HITS = Counter("heydpe_search_cache_hits_total", "Searches answered from the cache", ["kind"])
MISSES = Counter("heydpe_search_cache_misses_total", "Searches that had to be made", ["kind"])
FAILURES = Counter(
    "heydpe_search_cache_failures_total", "Reads or writes that the cache refused", ["operation", "kind"]
)
"""`kind` is what a search went by, or "vector" for the vectors of its texts."""
VECTOR_HITS = Counter("heydpe_query_vector_hits_total", "Texts of questions whose vector was known")
VECTOR_MISSES = Counter("heydpe_query_vector_misses_total", "Texts of questions that had to be embedded")

ALARM_WINDOW = timedelta(days=1)

_failed_at: WeakKeyDictionary[object, float] = WeakKeyDictionary()
"""When a client of the cache failed last; each thread has a client of its own."""

log = structlog.get_logger(__name__)


# --- Rankings ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CachedRanking:
    """A ranking and how it came about: the filters, whether inferred ones were dropped, what was searched instead of a
    weak question, whether one thing was asked, which reranker was used, and how many of it go before the others
    whatever their scores. A `degraded` one is not cached."""

    ranking: tuple[Ranked, ...]
    filters: dict[str, Any]
    fallback: bool
    reformulated: str = ""
    asks_one: bool = True
    reranked: str = ""
    degraded: str = ""
    first: int = 0


def ranking_key(**parts: Any) -> str:
    """One key for everything that decides a ranking; the library's generations must be among it."""
    plain = json.dumps(parts, sort_keys=True, default=str)
    return f"search:{hashlib.sha256(plain.encode()).hexdigest()}"


def load_ranking(key: str, kind: str) -> CachedRanking | None:
    try:
        stored = cache.get(key)
    except Exception as error:  # a vendor's client has many: none may cost the student an answer
        _count_failure("read", kind, error)
        return None
    (HITS if stored else MISSES).labels(kind).inc()
    if not stored:
        return None
    plain = json.loads(stored)
    ranking = tuple(Ranked(UUID(chunk_id), *numbers) for chunk_id, *numbers in plain.pop("ranking"))
    known = {field.name for field in fields(CachedRanking)}  # another version may have stored more
    return CachedRanking(ranking, **{name: value for name, value in plain.items() if name in known})


def store_ranking(key: str, value: CachedRanking, kind: str) -> None:
    """A write that fails is counted and logged."""
    ranking = [(str(one.chunk_id), one.score, one.similarity, one.lexical) for one in value.ranking]
    try:
        plain = json.dumps({**asdict(replace(value, ranking=())), "ranking": ranking}, default=str)
        cache.set(key, plain, timeout=conf.CACHE_SECONDS)
    except Exception as error:  # as above
        _count_failure("write", kind, error)


def _count_failure(operation: str, kind: str, error: Exception) -> None:
    _failed_at[caches[DEFAULT_CACHE_ALIAS]] = monotonic()
    FAILURES.labels(operation, kind).inc()
    log.warning("search_cache_failed", operation=operation, kind=kind, error=str(error))


# --- Vectors of queries --------------------------------------------------------------------------------------


@runtime_checkable
class _EmbedsManyQueries(Protocol):
    """A model that embeds several questions in one request."""

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]: ...


def embed_texts(texts: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
    """A vector for each text, in one request if the model can. No database connection is held meanwhile. Raises
    ModelError, and EmptyText."""
    wanted = list(dict.fromkeys(texts))
    give_connection_back()
    if len(wanted) > 1 and isinstance(model, _EmbedsManyQueries):
        return dict(zip(wanted, model.embed_queries(wanted), strict=True))
    return {text: model.embed_query(text) for text in wanted}


def vectors_for_texts(
    texts: Sequence[str], model: EmbeddingModel, *, uncached: Collection[str] = ()
) -> dict[str, Vector]:
    """A vector for each text, from the cache where possible. `uncached` texts are neither looked up nor stored. Raises
    ModelError, and EmptyText."""
    cacheable = [text for text in dict.fromkeys(texts) if text not in uncached]
    keys = {_vector_key(text, model): text for text in cacheable}
    stored: dict[str, bytes] = {}
    if keys and not _is_resting():
        try:
            stored = cache.get_many(list(keys))
        except Exception as error:  # as above
            _count_failure("read", "vector", error)
    known = {keys[key]: list(struct.unpack(f"<{len(data) // 8}d", data)) for key, data in stored.items()}
    VECTOR_HITS.inc(len(known))
    VECTOR_MISSES.inc(len(cacheable) - len(known))
    unknown = [text for text in texts if text not in known]
    fresh = embed_texts(unknown, model) if unknown else {}
    packed = {  # as float64, so that a ranking is the same with and without the cache
        _vector_key(text, model): struct.pack(f"<{len(fresh[text])}d", *fresh[text])
        for text in cacheable
        if text in fresh
    }
    if packed and not _is_resting():
        try:
            cache.set_many(packed, timeout=conf.QUERY_VECTOR_SECONDS)
        except Exception as error:  # as above
            _count_failure("write", "vector", error)
    return known | fresh


def _is_resting() -> bool:
    """Whether the cache has just failed."""
    failed = _failed_at.get(caches[DEFAULT_CACHE_ALIAS])
    return failed is not None and monotonic() - failed < conf.CACHE_REST_SECONDS


def _vector_key(text: str, model: EmbeddingModel) -> str:
    """Two texts of one key may differ in white space only: some models heed capitals."""
    digest = hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()
    return f"query-vector:{model.name}:{model.dimensions}:{digest}"


# --- An alarm for a cache that never hits --------------------------------------------------------------------


def unused_cache_alarms(now: datetime) -> tuple[str, ...]:
    """One sentence for each cache that has not answered anything for long; none if little was asked.

    Exams ask for the same elements again and again; what is typed or answered may well come once.
    """
    rows = RetrievalLog.objects.filter(kind=LookUp.ELEMENT, created_at__gte=now - ALARM_WINDOW)
    tiers = list(rows.order_by("-created_at").values_list("tier", flat=True)[: conf.WATCHED_LOOK_UPS])
    told = []
    if len(tiers) == conf.WATCHED_LOOK_UPS and set(tiers) == {Tier.FULL}:
        told.append(
            f"The last {len(tiers)} look-ups by element were all searched: memory and cache answer none."
        )
    hits, misses = (next(iter(one.collect())).samples[0].value for one in (VECTOR_HITS, VECTOR_MISSES))
    if hits == 0 and misses >= conf.WATCHED_VECTORS:
        told.append("Vectors of questions are embedded each time in this process: the cache answers none.")
    return tuple(told)


def alert_unused_caches(now: datetime) -> int:
    """Log an error for each cache that never hits; returns how many."""
    told = unused_cache_alarms(now)
    for what in told:
        log.error("cache_never_hits", what=what)
    return len(told)
