"""A search becomes a row of the log, and what was cited of it is written beside it later."""

from collections.abc import Iterable
from typing import Any

from knowledge.models import RetrievalLog

from .values import Found, SearchRequest, SearchResponse


def log_search(request: SearchRequest, response: SearchResponse, model: str) -> int:
    """The number of the row: whoever cites what was found gives it to `note_cited`."""
    row = RetrievalLog.objects.create(
        tenant_id=request.tenant,
        query=response.query,
        element=request.element,
        exam=request.exam,
        filters=dict(response.filters),
        arm=request.arm,
        model=model,
        quality=response.quality,
        top=response.top,
        fallback=response.fallback,
        cached=response.cached,
        degraded=response.degraded[:200],
        latency_ms=response.latency_ms,
        results=[_row(found) for found in response.results],
    )
    return int(row.pk)


def _row(found: Found) -> dict[str, Any]:
    return {
        "chunk_id": str(found.chunk_id),
        "score": found.score,
        "similarity": found.similarity,
        "lexical": found.lexical,
    }


def note_cited(log: int | None, chunks: Iterable[str]) -> None:
    """These passages were cited on the strength of that search. Each is noted once, however often it is cited."""
    wanted = sorted(set(chunks))
    row = RetrievalLog.objects.select_for_update().filter(pk=log).only("cited").first() if log else None
    if row is None or set(wanted) <= set(row.cited):
        return
    row.cited = sorted({*row.cited, *wanted})
    row.save(update_fields=["cited"])
