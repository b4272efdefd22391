"""Chunk documents again where that is needed, and wait for them."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.documents.edition_checks import in_force
from knowledge.ingestion.reread_jobs import rechunk_document, rechunk_reason_for
from knowledge.ingestion.source_files import BadOption, checked_options
from knowledge.management.job_commands import documents_named, run_to_end
from knowledge.management.json_command import JsonCommand
from knowledge.models import Document
from llm.registry import embedding_model


class Command(JsonCommand):
    refusals = (BadOption,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--document", default="", help="the id of one document; without it all in force")
        parser.add_argument("--chunking", default="", help="another strategy")
        parser.add_argument("--force", action="store_true", help="also where nothing asks for it")

    def answer(self, options: dict[str, Any]) -> Any:
        checked_options({"chunking": options["chunking"]})
        documents = documents_named(options["document"], in_force(Document.objects.exclude(file="")))
        strategy, asked = options["chunking"], "asked for" if options["force"] else ""
        rows = []
        for document in documents:
            reason = rechunk_reason_for(document, embedding_model().name, strategy) or asked
            before = set(document.chunks.values_list("pk", flat=True))
            embedded, error = 0, None
            if reason:
                job = rechunk_document(document, strategy=strategy, wake=False)
                error = run_to_end(job)
                embedded = job.counts.get("embedded", 0) + job.counts.get("from_cache", 0)
            after = set(document.chunks.values_list("pk", flat=True))
            rows.append(
                {
                    "id": str(document.pk),
                    "title": document.title,
                    "reason": reason or None,
                    "chunks": len(after),
                    "kept": len(before & after),
                    "embedded": embedded,
                    "error": error,
                }
            )
        return {"documents": rows}

    def show(self, answer: Any) -> None:
        for one in answer["documents"]:
            self.stdout.write(
                f"{one['title']}: {one['error'] or one['reason'] or 'nothing to do'}; "
                f"{one['chunks']} chunks, {one['kept']} kept, {one['embedded']} embedded"
            )
