"""What an operator has to take care of: missing references, refused files, documents that were only partly read."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet

from knowledge.models import AcsTask, Document, IngestionJob, Page
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
    names = ("doc_type", "abbreviation", "title", "edition")
    rows = Document.objects.filter(pk__in=searchable).order_by().values(*names).distinct()
    held = [Cited(**row) for row in rows]
    missing = [
        Gap(str(reference), tuple(codes), reference.document.upper() in AIRCRAFT_BOOKS)
        for reference, codes in cited.items()
        if not any(names_document(reference, document) for document in held)
    ]
    return tuple(sorted(missing, key=lambda gap: (gap.own, -len(gap.tasks), gap.reference)))


def refused_files(jobs: QuerySet[IngestionJob]) -> list[Refusal]:
    """Files whose last job failed, the latest first."""
    read = jobs.filter(
        kind=JobKind.DOCUMENT, dismissed_at=None, state__in=(JobState.FAILED, JobState.SUCCEEDED)
    )
    latest = read.order_by("tenant_id", "source_name", "-created_at").distinct("tenant_id", "source_name")
    failed = IngestionJob.objects.filter(pk__in=latest.values("pk"), state=JobState.FAILED)
    rows = failed.order_by("-created_at").values_list("source_name", "error", "counts__code", "created_at")
    return [Refusal(name=name, why=why, code=code or "failed", at=at) for name, why, code, at in rows]


def incomplete_documents(documents: QuerySet[Document]) -> list[LeftOut]:
    """Documents whose last run refused pictures, or that have scanned pages."""
    current = documents.filter(superseded_by__isnull=True)
    pages = Page.objects.filter(document__in=current, needs_ocr=True).order_by()
    scans = dict(pages.values_list("document").annotate(Count("pk")))
    jobs = IngestionJob.objects.filter(
        document__in=current, kind=JobKind.DOCUMENT, state=JobState.SUCCEEDED
    ).order_by("document_id", "-created_at")
    latest = jobs.distinct("document_id").values_list("document_id", "counts__skipped_for")
    refused = {pk: Counter(reasons) for pk, reasons in latest if reasons}
    return [
        LeftOut(
            document=row,
            pictures=dict(refused.get(row.pk, Counter()).most_common()),
            scans=scans.get(row.pk, 0),
        )
        for row in current.filter(pk__in=scans.keys() | refused.keys()).only("title").order_by("title")
    ]
