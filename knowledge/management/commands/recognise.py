"""Recognize the text of scanned pages (OCR) if tesseract is installed, and wait for it."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.reread_jobs import recognise_document
from knowledge.management.job_commands import documents_named, run_to_end
from knowledge.management.json_command import JsonCommand
from knowledge.models import Document


class Command(JsonCommand):
    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--document", default="", help="the id of one document; without it all with scanned pages"
        )

    def answer(self, options: dict[str, Any]) -> Any:
        scanned = Document.objects.filter(pages__needs_ocr=True).distinct()
        rows = []
        for document in documents_named(options["document"], scanned):
            counts: dict[str, Any] = {}
            error: str | None
            try:
                job = recognise_document(document, wake=False)
                error = run_to_end(job)
                counts = job.counts
            except IngestionError as refused:
                error = str(refused)
            rows.append(
                {
                    "id": str(document.pk),
                    "title": document.title,
                    "pages": counts.get("recognised", 0),
                    "doubtful_words": counts.get("doubtful_words", 0),
                    "chunks": document.chunks.count(),
                    "error": error,
                }
            )
        return {"documents": rows}

    def show(self, answer: Any) -> None:
        for one in answer["documents"]:
            said = one["error"] or f"{one['pages']} pages recognised, {one['doubtful_words']} words in doubt"
            self.stdout.write(f"{one['title']}: {said}")
