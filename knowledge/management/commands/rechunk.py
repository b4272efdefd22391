"""Documents are chunked again where that is needed; the command waits for them."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser

from knowledge.documents.edition_checks import in_force
from knowledge.ingestion.jobs.jobs import OVER
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.reread_jobs import reason_for, rechunk_document
from knowledge.ingestion.source_files import BadOption, checked_options
from knowledge.management.json_command import JsonCommand
from knowledge.models import Document
from knowledge.models.telemetry import JobState
from llm.registry import embedding_model


class UnknownDocument(LookupError):
    """There is no document with this id."""


class Command(JsonCommand):
    help = "Chunk documents again where that is needed."
    refusals = (UnknownDocument, BadOption)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--document", default="", help="the id of one document; without it all in force")
        parser.add_argument("--chunking", default="", help="another strategy")
        parser.add_argument("--force", action="store_true", help="also where nothing asks for it")

    def answer(self, options: dict[str, Any]) -> Any:
        checked_options({"chunking": options["chunking"]})
        documents = _documents(options["document"])
        return {"documents": [_rechunked(one, options["chunking"], options["force"]) for one in documents]}

    def show(self, answer: Any) -> None:
        for one in answer["documents"]:
            self.stdout.write(
                f"{one['title']}: {one['error'] or one['reason'] or 'nothing to do'}; "
                f"{one['chunks']} chunks, {one['kept']} kept, {one['embedded']} embedded"
            )


def _documents(document_id: str) -> list[Document]:
    if not document_id:
        return list(in_force(Document.objects.exclude(file="")).order_by("title", "pk"))
    try:
        return [Document.objects.get(pk=document_id)]
    except (Document.DoesNotExist, ValidationError) as error:
        raise UnknownDocument(f"there is no document {document_id}") from error


def _rechunked(document: Document, strategy: str, force: bool) -> dict[str, Any]:
    reason = reason_for(document, embedding_model().name, strategy) or ("asked for" if force else "")
    before = set(document.chunks.values_list("pk", flat=True))
    embedded, error = 0, None
    if reason:
        job = rechunk_document(document, strategy=strategy, wake=False)
        while job.state not in OVER:
            run_job(job.pk)
            job.refresh_from_db()
        embedded = job.counts.get("embedded", 0) + job.counts.get("from_cache", 0)
        error = None if job.state == JobState.SUCCEEDED else job.error or job.state
    after = set(document.chunks.values_list("pk", flat=True))
    return {
        "id": str(document.pk),
        "title": document.title,
        "reason": reason or None,
        "chunks": len(after),
        "kept": len(before & after),
        "embedded": embedded,
        "error": error,
    }
