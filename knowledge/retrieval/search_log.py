"""Logs each search, and later which of its passages were cited.

A search that a process keeps in memory serves many exams; each exam that cites it gets its own log row.
"""

import json
from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from django.utils import timezone

from knowledge.db.connections import fetch_prepared
from knowledge.models import RetrievalComparison, RetrievalLog
from knowledge.models.telemetry import LookUp, Tier
from knowledge.retrieval.values import SearchRequest, SearchResponse


def log_search(request: SearchRequest, response: SearchResponse, model: str) -> int:
    """Insert the row and return its id, which `note_cited` takes."""
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
        "results": json.dumps(
            [
                {
                    "chunk_id": str(found.chunk_id),
                    "score": found.score,
                    "similarity": found.similarity,
                    "lexical": found.lexical,
                }
                for found in response.results
            ]
        ),
        "now": timezone.now(),
    }
    ((row,),) = fetch_prepared(_INSERT_LOG, values)
    return int(row)


def forget_exam(exam: UUID) -> None:
    """Delete the exam's searches by answer, which may quote the student, and its comparisons; other rows lose the
    exam."""
    rows = RetrievalLog.objects.filter(exam=exam)
    rows.filter(kind=LookUp.ANSWER).delete()
    rows.update(exam=None)
    RetrievalComparison.objects.filter(exam=exam).delete()


def kind_of(request: SearchRequest) -> LookUp:
    """What the search went by: an element, a student's answer, or something typed."""
    if request.query or not request.element:
        return LookUp.TYPED
    return LookUp.ANSWER if request.answer else LookUp.ELEMENT


def note_cited(log: int | None, chunks: Iterable[str], *, exam: UUID | None = None) -> None:
    """Note that these passages of a search were cited; each counts once.

    If the search was made for another exam, its row stays as it is and this exam gets a row of its own.
    """
    wanted = json.dumps(sorted(set(chunks)))
    if log and wanted != "[]":
        with connection.cursor() as cursor:
            cursor.execute(_INSERT_CITED, {"log": log, "wanted": wanted, "exam": exam})


_INSERT_LOG = """
    INSERT INTO knowledge_retrievallog
           (tenant_id, query, element, exam, filters, arm, kind, tier, flags, model, quality, top, fallback, cached,
            reformulated, degraded, latency_ms, results, cited, created_at)
    VALUES (%(tenant)s, %(query)s, %(element)s, %(exam)s, %(filters)s, %(arm)s, %(kind)s, %(tier)s, %(flags)s,
            %(model)s, %(quality)s, %(top)s, %(fallback)s, %(cached)s, %(reformulated)s, %(degraded)s, %(latency)s,
            %(results)s, '[]', %(now)s)
    RETURNING id"""

_INSERT_CITED = """
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
