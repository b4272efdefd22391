"""Ingest files or folders (PDF, Markdown, HTML, eCFR XML, text) and wait, in this process, under the same lease as
a worker."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from knowledge.documents.standard_intake import (
    changes_of_file,
    hand_in_file,
    load_standard_of,
    look_at_file,
    outcome_in_words,
)
from knowledge.ingestion.chunking.token_counting import estimate_line, spent_line
from knowledge.ingestion.errors import IngestionError, RefusedFile
from knowledge.ingestion.estimates import estimate_file, total_estimate
from knowledge.ingestion.folder_import import FoundFile, PassedOver, files_in
from knowledge.ingestion.jobs.rejected_uploads import record_refusal
from knowledge.ingestion.run import OnProgress
from knowledge.ingestion.source_files import BadOption, checked_options, readable_name
from knowledge.management.job_commands import bar_for, run_to_end
from knowledge.management.json_command import WRONG_ARGUMENT, JsonCommand
from knowledge.models import IngestionJob, Tenant
from knowledge.models.documents import DocumentStatus
from knowledge.models.telemetry import JobKind, JobState
from knowledge.standards.changes import Changes

Tell = Callable[[Path, Changes], None]

_OPTIONS = str.split("doc_type abbreviation title edition_date category tags chunking status edition_of")


class Command(JsonCommand):
    tenant_help = "the slug of a school; without it the shared library"
    refusals = (BadOption,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--type", dest="doc_type", help="cfr, aim, handbook, ac, acs, poh, sop or other")
        parser.add_argument("--abbreviation", help="how pilots call it: PHAK")
        parser.add_argument("--title")
        parser.add_argument("--edition-date", help="2023-06-06")
        parser.add_argument(
            "--edition-of", help="the id of the edition before it, where that is not recognised"
        )
        parser.add_argument("--category")
        parser.add_argument("--tags", help="separated by commas")
        parser.add_argument(
            "--chunking", help="fixed, fixed-512-50, semantic, …; see docs/operations/commands.md"
        )
        parser.add_argument(
            "--listing",
            type=Path,
            help="a library.csv in another place, for a read-only folder",
        )
        parser.add_argument("--status", help="draft or published")
        parser.add_argument(
            "--estimate", action="store_true", help="estimate cost and time without ingesting"
        )

    def answer(self, options: dict[str, Any]) -> Any:
        told = checked_options({name: options[name] for name in _OPTIONS if options[name]})
        show = bar_for(JobKind.DOCUMENT)
        found = files_in(options["paths"], options["listing"])
        self._documents = []
        if options["estimate"]:
            return _estimate(found, told)
        tell = (lambda path, changes: None) if options["json"] else self._tell
        self._documents = [
            _ingest(file, told, options["tenant"], show, tell)
            for file in found
            if isinstance(file, FoundFile)
        ]
        passed = [one for one in found if isinstance(one, PassedOver)]
        for one in passed:
            if one.code:
                record_refusal(one.path.name, RefusedFile(one.why, one.code), tenant=options["tenant"])
        return {"documents": self._documents, "passed_over": [_passed_over(one) for one in passed]}

    def handle(self, *args: Any, **options: Any) -> None:
        """Status 2 when nothing could be ingested; the document on stdout says why of each."""
        super().handle(*args, **options)
        errors = [f"{one['path']}: {one['error']}" for one in self._documents if one["error"]]
        if errors and len(errors) == len(self._documents):
            raise CommandError("\n".join(errors), returncode=WRONG_ARGUMENT)

    def _tell(self, path: Path, changes: Changes) -> None:
        """What a standard changes, before it does."""
        self.stdout.write(f"{readable_name(path.name)}: {' '.join(changes.sentences())}")

    def show(self, answer: Any) -> None:
        if "total" in answer:
            for one in answer["documents"]:
                self.stdout.write(f"{one['path']}: {one['error'] or estimate_line(one)}")
                for line in one.get("changes", {}).get("told", ()):
                    self.stdout.write(f"  {line}")
            for one in answer["passed_over"]:
                self.stdout.write(f"{one['path']}: would be passed over. {one['why']}")
            self.stdout.write(f"All: {estimate_line(answer['total'])}")
            return
        for one in answer["documents"]:
            if one["error"]:
                self.stdout.write(f"{one['path']}: {one['error']}")
                continue
            draft = (
                "  DRAFT: say --type or --status published" if one["status"] == DocumentStatus.DRAFT else ""
            )
            self.stdout.write(
                f"{one['abbreviation'] or one['title']}: {one['pages']} pages, {one['chunks']} chunks, "
                f"{one['images']} figures, {one['links']} links, {one['seconds']} s{draft}"
            )
            if one.get("standard"):
                self.stdout.write(f"  {one['standard']}")
            for name, spent in one["embedding"].items():
                self.stdout.write(f"  {spent_line(name, spent)}")
        for one in answer["passed_over"]:
            self.stdout.write(f"{one['path']}: passed over. {one['why']}")


def _ingest(
    file: FoundFile, told: dict[str, Any], tenant: Tenant | None, show: OnProgress | None, tell: Tell
) -> dict[str, Any]:
    began = time.monotonic()
    options = {**file.options, **told} | ({"listed": ""} if "status" in told else {})
    try:
        changes = changes_of_file(file.path, tenant=tenant, options=options)
        if changes is not None:
            tell(file.path, changes)
        job = hand_in_file(file.path, changes, tenant=tenant, options=options)
    except (IngestionError, BadOption) as error:
        return _summary(file.path, None, 0.0, str(error))
    run_to_end(job, show)
    standard = load_standard_of(job.pk)
    cancelled = "The job was cancelled." if job.state == JobState.CANCELLED else ""
    failed = job.error if job.state == JobState.FAILED else cancelled
    found = _summary(file.path, job, time.monotonic() - began, failed)
    if standard is not None:
        found["standard"] = standard if isinstance(standard, str) else outcome_in_words(standard)
    if changes is not None:
        found["changes"] = changes.to_dict()
    return found


def _summary(path: Path, job: IngestionJob | None, seconds: float, error: str) -> dict[str, Any]:
    document = job.document if job else None
    counts = job.counts if job else {}
    return {
        "id": str(document.pk) if document else None,
        "path": readable_name(str(path)),
        "title": document.title if document else "",
        "abbreviation": document.abbreviation if document else "",
        "doc_type": document.doc_type if document else "",
        "status": document.status if document else "",
        "pages": counts.get("pages", 0),
        "chunks": counts.get("chunks", 0),
        "images": counts.get("images", 0),
        "links": counts.get("links", 0),
        "skipped": counts.get("skipped", 0),
        "skipped_for": counts.get("skipped_for", {}),
        "unseen": counts.get("unseen", {}),
        "embedding": counts.get("embedding", {}),
        "seconds": round(seconds, 2),
        "error": error or None,
    }


def _estimate(found: list[FoundFile | PassedOver], told: dict[str, Any]) -> dict[str, Any]:
    files = [one for one in found if isinstance(one, FoundFile)]
    estimates = [estimate_file(file.path) for file in files]
    rows = []
    for file, one in zip(files, estimates, strict=True):
        row = {"path": readable_name(str(file.path)), **one.to_dict(), "error": one.error or None}
        try:  # what a standard would change, or why it would be refused; nothing for another document
            changes = look_at_file(file.path, {**file.options, **told})
        except RefusedFile as error:
            row["error"] = str(error)
        else:
            row |= {"changes": changes.to_dict()} if changes is not None else {}
        rows.append(row)
    passed = [_passed_over(one) for one in found if isinstance(one, PassedOver)]
    total = {name: value for name, value in total_estimate(estimates).to_dict().items() if name != "error"}
    return {"documents": rows, "passed_over": passed, "total": total}


def _passed_over(found: PassedOver) -> dict[str, str]:
    return {"path": readable_name(str(found.path)), "why": found.why}
