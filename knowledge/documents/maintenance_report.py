"""What an operator has to take care of: missing references, refused files, documents that were only partly read."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from knowledge.models import AcsTask, Document, IngestionJob
from knowledge.models.telemetry import JobKind, JobState
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.standards.references import AIRCRAFT_BOOKS, Cited, Reference, names_document
from llm.registry import embedding_model


@dataclass(frozen=True, slots=True)
class Gap:
    """A document that Tasks cite and searches cannot find, and which Tasks cite it."""

    reference: str
    tasks: tuple[str, ...]
    own: bool = False  # an aircraft's own book: each school has another

    def to_dict(self) -> dict[str, Any]:
        return {"reference": self.reference, "tasks": list(self.tasks), "own": self.own}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A file that became no document, and why."""

    name: str
    why: str
    code: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What was left out of a document: pictures by reason, and scanned pages."""

    document: Document
    pictures: dict[str, int] = field(default_factory=dict)
    scans: int = 0


def missing_references(tenant: int | None) -> tuple[Gap, ...]:
    """What the current standards cite and this tenant's searches lack, the most cited first."""
    cited: dict[Reference, list[str]] = defaultdict(list)
    for task in AcsTask.objects.filter(area__standard__current=True).order_by("area__order", "code"):
        for one in task.references:
            cited[Reference(one["document"], one["section"])].append(task.code)
    scope = Scope(tenant=tenant, model=embedding_model().name)
    searchable = searchable_chunks(scope).order_by().values("document").distinct()
    held = [
        Cited(doc_type=row.doc_type, abbreviation=row.abbreviation, title=row.title, edition=row.edition)
        for row in Document.objects.filter(pk__in=searchable)
    ]
    missing = [
        Gap(str(reference), tuple(codes), reference.document.upper() in AIRCRAFT_BOOKS)
        for reference, codes in cited.items()
        if not any(names_document(reference, document) for document in held)
    ]
    return tuple(sorted(missing, key=lambda gap: (gap.own, -len(gap.tasks), gap.reference)))


def refused_files(jobs: QuerySet[IngestionJob]) -> list[Refusal]:
    """Files whose last job failed, the latest first."""
    seen: set[tuple[int | None, str]] = set()
    found = []
    read = jobs.filter(
        kind=JobKind.DOCUMENT, dismissed_at=None, state__in=(JobState.FAILED, JobState.SUCCEEDED)
    )
    over = read.order_by("-created_at")
    for job in over.only("source_name", "error", "counts", "state", "created_at", "tenant").iterator():
        key = job.tenant_id, job.source_name
        if key not in seen and job.state == JobState.FAILED:
            found.append(
                Refusal(name=key[1], why=job.error, code=job.counts.get("code", "failed"), at=job.created_at)
            )
        seen.add(key)
    return found


def incomplete_documents(documents: QuerySet[Document]) -> list[LeftOut]:
    """Documents whose last run refused pictures, or that have scanned pages."""
    scans = Count("pages", filter=Q(pages__needs_ocr=True))
    rows = documents.filter(superseded_by__isnull=True).annotate(scans=scans).order_by("title")
    refused: dict[Any, Counter[str]] = defaultdict(Counter)
    jobs = IngestionJob.objects.filter(document__in=rows, kind=JobKind.DOCUMENT, state=JobState.SUCCEEDED)
    for job in jobs.order_by("document_id", "-created_at").distinct("document_id").only("document", "counts"):
        refused[job.document_id] = Counter(job.counts.get("skipped_for", {}))
    return [
        LeftOut(document=row, pictures=dict(refused[row.pk].most_common()), scans=row.scans)
        for row in rows
        if refused[row.pk] or row.scans
    ]
