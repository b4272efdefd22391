"""Store extracted claims as pending rows with their evidence, each once however often it is extracted.

The same statement is the same node (`node_key`); a second passage that says it adds evidence. Decisions are never
touched: a rejected claim that is extracted again stays rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import structlog
from django.db import transaction

from curation.extraction import extract_claims, section_chunks
from curation.offline.key_facts import UNBOUND
from curation.queue import enter_claims
from curation.values import ExtractionResult
from knowledge.db.connections import give_connection_back
from knowledge.graph.identity import node_key
from knowledge.grounding.citations import find_quote
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.models import Chunk, Concept, ConceptChunkEvidence, Document
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import EvidenceType, ValidationStatus
from llm.errors import ModelError
from llm.interfaces import ChatModel

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Intake:
    """What was done: chunks read, claims found, those that are new, chunks that failed, refusals by reason."""

    chunks: int = 0
    claims: int = 0
    new: int = 0
    failed: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, other: Intake) -> None:
        self.chunks += other.chunks
        self.claims += other.claims
        self.new += other.new
        self.failed += other.failed
        self.refused += other.refused


def take_in_documents(documents: Iterable[Document], model: ChatModel | None = None) -> Intake:
    """Extract and store the claims of all chunks. A chunk whose model call fails is counted and left for the next
    run."""
    total = Intake()
    for document in documents:
        chunks = document.chunks.exclude(kind__in=("toc", "index")).select_related("document")
        for chunk in chunks.order_by("index"):
            total.add(take_in_chunk(chunk, model))
    return total


def take_in_chunk(chunk: Chunk, model: ChatModel | None = None) -> Intake:
    """Extract and store the claims of one chunk; a failed model call is logged and counted."""
    give_connection_back()
    try:
        result = extract_claims(chunk, model)
    except ModelError as error:
        log.warning("chunk_not_extracted", chunk=str(chunk.pk), code=error.code)
        return Intake(chunks=1, failed=1)
    new = store_claims(result, chunk)
    return Intake(chunks=1, claims=len(result.claims), new=new, refused=result.refused)


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
    enter_claims(
        [one.pk for one in added], chunk, unbound=[one.pk for one in added if UNBOUND in one.key_facts]
    )
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


def documents_to_read() -> list[Document]:
    """Every published document that is in force."""
    return list(
        Document.objects.filter(
            status=DocumentStatus.PUBLISHED, deprecated_at__isnull=True, superseded_by__isnull=True
        ).order_by("title", "pk")
    )
