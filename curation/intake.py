"""Stores extracted claims as pending rows with their evidence, and the job that does so for a document.

The same statement is the same node (`node_key`), however often it is extracted; a second passage that states it adds
evidence. Decisions are never touched: a rejected claim that is extracted again stays rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import QuerySet

from curation import conf
from curation.extraction import extract_claims, section_chunks
from curation.queue import enter_claims
from curation.values import ExtractionResult
from knowledge.db.connections import give_connection_back
from knowledge.graph.identity import node_key
from knowledge.grounding.citations import find_quote
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import submit_work
from knowledge.ingestion.run import Run
from knowledge.models import Chunk, Concept, ConceptChunkEvidence, Document, IngestionJob
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import EvidenceType, ValidationStatus
from knowledge.models.telemetry import JobKind
from llm.errors import ModelError
from llm.interfaces import ChatModel

log = structlog.get_logger(__name__)


CLAIMS_COUNTED: Final = ("chunks", "claims", "new", "refused", "failed_chunks")
"""Numbers in the counts of a job: passages read, claims found, new ones, sentences refused, failed passages."""


def request_claims(document: Document, *, created_by: Any = None, wake: bool = True) -> IngestionJob:
    """A job that extracts the claims of a document, the open one if there is one."""
    name = f"Claims of {document}"
    return submit_work(
        JobKind.CLAIMS, name, tenant=document.tenant, document=document, created_by=created_by, wake=wake
    )


def extract_from_document(run: Run) -> None:
    """Extract and store the claims of a job's document, passage by passage. What a passage yields and how far it is
    are stored together, so another start goes on behind it, also with a document that was chunked again meanwhile.

    A passage to which the model gives no usable answer is listed, and left for another job. Raises ModelError if the
    model is away.
    """
    document, counts = run.job.document, run.counts
    if document is None:
        raise IngestionError("The document is not in the library any more.", "document_gone")
    read = f"{document.content_hash} {document.chunking} {document.counted_by}"
    if counts.get("of") != read:
        counts.clear()
        counts |= {**dict.fromkeys(CLAIMS_COUNTED, 0), "reasons": {}, "examples": {}, "failures": []}
        counts |= {"of": read, "last": -1}
    chunks = list(
        document.chunks.exclude(kind__in=("toc", "index")).select_related("document").order_by("index")
    )
    for done, chunk in enumerate(chunks):
        if chunk.index <= counts["last"]:
            continue
        run.tick(done, len(chunks))
        try:
            take_in_chunk(chunk, then=partial(_count_chunk, run, chunk))
        except ModelError as error:
            if error.away:
                raise
            log.warning("chunk_not_extracted", chunk=str(chunk.pk), code=error.code)
            _count_chunk(run, chunk, ExtractionResult(), 0, failure=error.code)
    run.tick(len(chunks), len(chunks))


CLAIM_STEPS: Final = {"extract": extract_from_document}


def take_in_chunk(
    chunk: Chunk,
    model: ChatModel | None = None,
    then: Callable[[ExtractionResult, int], None] = lambda result, new: None,
) -> int:
    """Extract and store the claims of one chunk; returns how many are new. `then` is called in the transaction that
    stores them. Raises ModelError."""
    give_connection_back()
    result = extract_claims(chunk, model)
    with transaction.atomic():
        new = store_claims(result, chunk)
        then(result, new)
    return new


def _count_chunk(run: Run, chunk: Chunk, result: ExtractionResult, new: int, failure: str = "") -> None:
    """Write into the job what one chunk yielded, and that it is done."""
    counts = run.counts
    found = (1, len(result.claims), new, result.refused.total(), int(bool(failure)))
    for name, number in zip(CLAIMS_COUNTED, found, strict=True):
        counts[name] += number
    counts["reasons"] = dict(Counter(counts["reasons"]) + result.refused)
    for reason, words in result.examples:
        kept = counts["examples"].setdefault(reason, [])
        if len(kept) < conf.REFUSALS_SHOWN:
            kept.append(words)
    if failure and len(counts["failures"]) < conf.FAILURES_SHOWN:
        counts["failures"].append([chunk.heading or str(chunk), failure])
    counts["last"] = chunk.index
    run.keep()


@transaction.atomic
def store_claims(result: ExtractionResult, chunk: Chunk) -> int:
    """Store the claims as pending, with their evidence; how many of them are new."""
    created_by = f"{result.provider}:{result.model}"[:40]
    added: list[Concept] = []
    for claim in result.claims:
        concept, new = Concept.objects.get_or_create(
            tenant=chunk.document.tenant,
            key=node_key(claim.category, claim.statement),
            defaults={
                "name": claim.statement,
                "category": claim.category,
                "key_facts": dict(claim.key_facts),
                "validation_status": ValidationStatus.PENDING,
                "priority": claim.priority,
            },
        )
        kinds = [(claim.quotes[-1], EvidenceType.PRIMARY)]  # the item itself, then its lead-in
        if len(claim.quotes) > 1:
            kinds.append((claim.quotes[0], EvidenceType.SECONDARY))
        ConceptChunkEvidence.objects.bulk_create(
            [_evidence_for(concept, chunk, quote, kind.value, created_by) for quote, kind in kinds],
            ignore_conflicts=True,
        )
        if new:
            added.append(concept)
    enter_claims([one.pk for one in added], chunk)
    return len(added)


def _evidence_for(
    concept: Concept, chunk: Chunk, quote: str, kind: str, created_by: str
) -> ConceptChunkEvidence:
    """Evidence at the chunk itself, or at the one of its section in which a lead-in stands."""
    if not find_quote(chunk.text, quote):
        chunk = next((other for other in section_chunks(chunk) if find_quote(other.text, quote)), chunk)
    lit = rectangles_for_quote(chunk.text, chunk.lines, quote)
    page = lit[0].page if lit else chunk.page_start
    return ConceptChunkEvidence(
        concept=concept, chunk=chunk, evidence_type=kind, quote=quote, page=page, created_by=created_by
    )


def documents_to_read() -> QuerySet[Document]:
    """Every published document that is in force."""
    return Document.objects.filter(
        status=DocumentStatus.PUBLISHED, deprecated_at__isnull=True, superseded_by__isnull=True
    )
