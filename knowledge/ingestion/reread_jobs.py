"""Start jobs that read a document's file again: to chunk it again, or to recognize the text of scanned pages.

Such a job is like any other: unchanged text keeps its row. A file that was recognized once is recognized by every later
job, so that chunking it again does not lose its text.
"""

from typing import Any

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery

from knowledge.ingestion.chunking.diff import Chunking, reason_to_rechunk
from knowledge.ingestion.chunking.strategies import strategy_named
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import read_again
from knowledge.ingestion.ocr import NO_TESSERACT, can_recognise
from knowledge.models import Document, IngestionJob, Page
from knowledge.models.telemetry import JobKind


def rechunk_reason_for(document: Document, model_name: str, strategy: str = "") -> str:
    """Why this document must be chunked again with this strategy and embedding model, or ""."""
    wanted = strategy or chunking_chosen_for(document) or settings.CHUNKING
    return reason_to_rechunk(
        Chunking(strategy=document.chunking, model=document.counted_by),
        Chunking(strategy=strategy_named(wanted, model_name).label, model=model_name),
    )


def documents_to_rechunk(documents: QuerySet[Document], model_name: str) -> list[tuple[Document, str]]:
    """Those that must be chunked again with this embedding model, each with the reason, by one query."""
    jobs = IngestionJob.objects.filter(document=OuterRef("pk"), kind=JobKind.DOCUMENT).order_by("-created_at")
    rows = documents.annotate(chosen=Subquery(jobs.values("options__chunking")[:1]))
    rows = rows.only("title", "chunking", "counted_by")
    labels = {
        one: strategy_named(one, model_name).label
        for one in {row.chosen or settings.CHUNKING for row in rows}
    }
    return [
        (row, reason)
        for row in rows
        if (
            reason := reason_to_rechunk(
                Chunking(strategy=row.chunking, model=row.counted_by),
                Chunking(strategy=labels[row.chosen or settings.CHUNKING], model=model_name),
            )
        )
    ]


def chunking_chosen_for(document: Document) -> str:
    """The strategy that the document's last job asked for; empty for the general setting."""
    jobs = IngestionJob.objects.filter(document=document, kind=JobKind.DOCUMENT)
    job = jobs.order_by("-created_at").first()
    return str(job.options.get("chunking", "")) if job else ""


def rechunk_document(
    document: Document, *, strategy: str = "", created_by: Any = None, wake: bool = True
) -> IngestionJob:
    """A job that chunks the document's file again. Raises BadOption for an unknown strategy."""
    options = {"chunking": strategy or chunking_chosen_for(document), "anew": True}
    return read_again(document, options, created_by=created_by, wake=wake)


def recognise_document(document: Document, *, created_by: Any = None, wake: bool = True) -> IngestionJob:
    """A job that recognizes the text of the document's scanned pages. Raises IngestionError if there are none, or if
    tesseract is missing."""
    if not document.file or not document.pages.filter(needs_ocr=True).exists():
        raise IngestionError("No page of this document needs its text recognized.", "nothing_to_recognise")
    if not can_recognise():
        raise IngestionError(NO_TESSERACT, "no_tesseract")
    options = {"ocr": True, "chunking": chunking_chosen_for(document)}
    return read_again(document, options, created_by=created_by, wake=wake)


def wants_recognition(job: IngestionJob) -> bool:
    """Whether recognition was asked for, or was done before for this file."""
    known = Page.objects.filter(
        document__tenant=job.tenant, document__content_hash=job.content_hash, recognised=True
    )
    return bool(job.options.get("ocr")) or known.exists()
