"""A document whose pages are pictures of text is read again, with their text recognised, because an operator wants it.

The job is one like any other. What was recognised once is recognised again by every later job of the same file, so
that chunking it anew does not lose its text.
"""

from typing import Any

from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import read_again
from knowledge.ingestion.ocr import NO_TESSERACT, can_recognise
from knowledge.ingestion.rechunking import chosen_for
from knowledge.models import Document, IngestionJob, Page


def recognise_document(document: Document, *, created_by: Any = None, wake: bool = True) -> IngestionJob:
    """A job that recognises the text of the document's scanned pages. Raises IngestionError when there is none, or no
    program that could."""
    if not document.file or not document.pages.filter(needs_ocr=True).exists():
        raise IngestionError("No page of this document needs its text recognised.", "nothing_to_recognise")
    if not can_recognise():
        raise IngestionError(NO_TESSERACT, "no_tesseract")
    options = {"ocr": True, "chunking": chosen_for(document)}
    return read_again(document, options, created_by=created_by, wake=wake)


def wants_recognition(job: IngestionJob) -> bool:
    """It was asked for, or done before for this file."""
    return (
        bool(job.options.get("ocr"))
        or Page.objects.filter(
            document__tenant=job.tenant, document__content_hash=job.content_hash, recognised=True
        ).exists()
    )
