"""A search becomes a row of the log, and what was cited of it is written beside it later.

What a process keeps in its memory is searched once and used by many exams: each exam that cites it has a row of its
own.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from knowledge.db.prepared_statements import rows_of
from knowledge.models import RetrievalComparison, RetrievalLog
from knowledge.models.telemetry import LookUp, Tier
from knowledge.retrieval.values import Found, SearchRequest, SearchResponse


def log_search(request: SearchRequest, response: SearchResponse, model: str) -> int:
    """The number of the row: whoever cites what was found gives it to `note_cited`."""
    values = {
        "tenant": request.tenant,
        "query": response.query,
        "element": request.element,
        "exam": request.exam,
        "filters": json.dumps(dict(response.filters)),
        "arm": request.arm,
        "kind": kind_of(request),
        "tier": Tier.HOT if response.cached else Tier.FULL,
        "flags": json.dumps(request.flags or ()),
        "model": model,
        "quality": response.quality,
        "top": response.top,
        "fallback": response.fallback,
        "cached": response.cached,
        "reformulated": response.reformulated,
        "degraded": response.degraded[:200],
        "latency": response.latency_ms,
        "results": json.dumps([_row(found) for found in response.results]),
        "now": timezone.now(),
    }
    ((row,),) = rows_of(_LOG, values)
    return int(row)


def forget_exam(exam: UUID) -> None:
    """Take out of the log what was searched for one exam: its look-ups by answers, whose question may quote the
    student, and its comparisons go; the others stay without it."""
    rows = RetrievalLog.objects.filter(exam=exam)
    rows.filter(kind=LookUp.ANSWER).delete()
    rows.update(exam=None)
    RetrievalComparison.objects.filter(exam=exam).delete()


def _row(found: Found) -> dict[str, Any]:
    return {
        "chunk_id": str(found.chunk_id),
        "score": found.score,
        "similarity": found.similarity,
        "lexical": found.lexical,
    }


def kind_of(request: SearchRequest) -> LookUp:
    """What a search went by."""
    if request.query or not request.element:
        return LookUp.TYPED
    return LookUp.ANSWER if request.answer else LookUp.ELEMENT


def note_cited(log: int | None, chunks: Iterable[str], *, exam: UUID | None = None) -> None:
    """These passages were cited on the strength of that search. Each is noted once, however often it is cited.

    If the search was made for another exam, its row stays as it is, and this exam gets one that says so.
    """
    wanted = json.dumps(sorted(set(chunks)))
    if log and wanted != "[]":
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, {"log": log, "wanted": wanted, "exam": exam})


_LOG = """
    INSERT INTO knowledge_retrievallog
           (tenant_id, query, element, exam, filters, arm, kind, tier, flags, model, quality, top, fallback, cached,
            reformulated, degraded, latency_ms, results, cited, created_at)
    VALUES (%(tenant)s, %(query)s, %(element)s, %(exam)s, %(filters)s, %(arm)s, %(kind)s, %(tier)s, %(flags)s,
            %(model)s, %(quality)s, %(top)s, %(fallback)s, %(cached)s, %(reformulated)s, %(degraded)s, %(latency)s,
            %(results)s, '[]', %(now)s)
    RETURNING id"""

_NOTE = """
    WITH found AS (
        SELECT id, %(exam)s::uuid IS NULL OR exam = %(exam)s::uuid AS own
        FROM knowledge_retrievallog WHERE id = %(log)s
    ), noted AS (
        UPDATE knowledge_retrievallog AS log
        SET cited = (SELECT jsonb_agg(DISTINCT one)
                     FROM jsonb_array_elements(log.cited || %(wanted)s::jsonb) AS one)
        FROM found WHERE log.id = found.id AND found.own AND NOT log.cited @> %(wanted)s::jsonb
    )
    INSERT INTO knowledge_retrievallog
           (tenant_id, query, element, exam, filters, arm, kind, tier, flags, model, quality, top, fallback, cached,
            latency_ms, results, reformulated, degraded, cited, created_at)
    SELECT log.tenant_id, log.query, log.element, %(exam)s::uuid, log.filters, log.arm, log.kind, 'memory', log.flags,
           log.model, log.quality, log.top, log.fallback, true, 0, log.results, log.reformulated, log.degraded,
           %(wanted)s::jsonb, now()
    FROM knowledge_retrievallog AS log JOIN found ON found.id = log.id AND NOT found.own"""
