"""Extract pending claims from documents, in this process."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser

from curation.intake import documents_to_read, take_in_documents
from knowledge.management.json_command import JsonCommand
from knowledge.models import Document


class UnknownDocument(LookupError):
    """No document has this id."""


class Command(JsonCommand):
    help = "Extract claims from documents, for reviewers to decide on."
    refusals = (UnknownDocument,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--document", metavar="ID", help="this one; without it every published document")

    def answer(self, options: dict[str, Any]) -> Any:
        wanted = options["document"]
        try:
            documents = [Document.objects.get(pk=wanted)] if wanted else documents_to_read()
        except (Document.DoesNotExist, ValidationError) as error:
            raise UnknownDocument(f"there is no document {wanted!r}; see the library for the ids") from error
        found = take_in_documents(documents)
        return {
            "documents": len(documents),
            "chunks": found.chunks,
            "claims": found.claims,
            "new": found.new,
            "refused": found.refused.total(),
            "reasons": dict(found.refused.most_common()),
            "failed_chunks": found.failed,
        }

    def show(self, answer: Any) -> None:
        self.stdout.write(
            f"{answer['claims']} claims ({answer['new']} new) from {answer['chunks']} chunks, "
            f"{answer['refused']} refused"
        )
        for reason, count in answer["reasons"].items():
            self.stdout.write(f"  {count:>5}  {reason}")
        if answer["failed_chunks"]:
            self.stdout.write(
                f"{answer['failed_chunks']} chunks failed; run the command again to extract them."
            )
