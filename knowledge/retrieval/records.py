"""A search becomes a row of the log, and what was cited of it is written beside it later."""

import json
from collections.abc import Iterable
from typing import Any

from django.db import connection

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
    wanted = json.dumps(sorted(set(chunks)))
    if log and wanted != "[]":
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, {"log": log, "wanted": wanted})


_NOTE = """
    UPDATE knowledge_retrievallog
    SET cited = (SELECT jsonb_agg(DISTINCT one) FROM jsonb_array_elements(cited || %(wanted)s::jsonb) AS one)
    WHERE id = %(log)s AND NOT cited @> %(wanted)s::jsonb"""
