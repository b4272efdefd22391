"""Extract claims from documents, for reviewers to decide on, as jobs under the same lease as a worker's."""

from collections import Counter
from typing import Any

from django.core.management.base import CommandParser

from curation.intake import CLAIMS_COUNTED, documents_to_read, request_claims
from knowledge.management.job_commands import bar_for, documents_named, run_to_end
from knowledge.management.json_command import JsonCommand
from knowledge.models.telemetry import JobKind


class Command(JsonCommand):
    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--document", metavar="ID", help="this one; without it every published document")

    def answer(self, options: dict[str, Any]) -> Any:
        documents = documents_named(options["document"] or "", documents_to_read())
        numbers, reasons, errors = Counter[str](), Counter[str](), []
        for document in documents:
            job = request_claims(document, wake=False)
            error = run_to_end(job, bar_for(JobKind.CLAIMS))
            if error is not None:
                errors.append({"document": str(document.pk), "title": document.title, "error": error})
            numbers.update({name: job.counts.get(name, 0) for name in CLAIMS_COUNTED})
            reasons.update(job.counts.get("reasons", {}))
        counted = {name: numbers[name] for name in CLAIMS_COUNTED}
        return {
            "documents": len(documents),
            **counted,
            "reasons": dict(reasons.most_common()),
            "errors": errors,
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
        for one in answer["errors"]:
            self.stdout.write(f"{one['title']}: {one['error']}")
