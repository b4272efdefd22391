"""The text of scanned pages is recognised (OCR); the command waits for it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser

from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import OVER
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.reread_jobs import recognise_document
from knowledge.management.json_command import JsonCommand
from knowledge.models import Document
from knowledge.models.telemetry import JobState


class UnknownDocument(LookupError):
    """There is no document with this id."""


class Command(JsonCommand):
    help = "Recognise the text of scanned pages, if tesseract is installed."
    refusals = (UnknownDocument,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--document", default="", help="the id of one document; without it all with scanned pages"
        )

    def answer(self, options: dict[str, Any]) -> Any:
        return {"documents": [_recognised(one) for one in _documents(options["document"])]}

    def show(self, answer: Any) -> None:
        for one in answer["documents"]:
            said = one["error"] or f"{one['pages']} pages recognised, {one['doubtful_words']} words in doubt"
            self.stdout.write(f"{one['title']}: {said}")


def _documents(document_id: str) -> list[Document]:
    if not document_id:
        return list(Document.objects.filter(pages__needs_ocr=True).distinct().order_by("title", "pk"))
    try:
        return [Document.objects.get(pk=document_id)]
    except (Document.DoesNotExist, ValidationError) as error:
        raise UnknownDocument(f"there is no document {document_id}") from error


def _recognised(document: Document) -> dict[str, Any]:
    counts: dict[str, Any] = {}
    try:
        job = recognise_document(document, wake=False)
        while job.state not in OVER:
            run_job(job.pk)
            job.refresh_from_db()
        counts = job.counts
        error = None if job.state == JobState.SUCCEEDED else job.error or job.state
    except IngestionError as refused:
        error = str(refused)
    return {
        "id": str(document.pk),
        "title": document.title,
        "pages": counts.get("recognised", 0),
        "doubtful_words": counts.get("doubtful_words", 0),
        "chunks": document.chunks.count(),
        "error": error,
    }
