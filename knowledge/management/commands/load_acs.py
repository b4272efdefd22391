"""Read an Airman Certification Standard from its PDF. Loading it again changes nothing."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from knowledge.documents.standard_jobs import request_standard
from knowledge.management.job_commands import bar_for, run_to_end
from knowledge.management.json_command import JsonCommand
from knowledge.models import Standard
from knowledge.models.telemetry import JobKind
from knowledge.standards.acs_pdf import pieces_of_pdf
from knowledge.standards.acs_reader import NotAnAcs, read_acs
from knowledge.standards.changes import changes_by


class Command(JsonCommand):
    refusals = (NotAnAcs,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="the FAA's PDF")
        parser.add_argument("--check", action="store_true", help="show the changes without loading")

    def answer(self, options: dict[str, Any]) -> Any:
        text = read_acs(pieces_of_pdf(options["path"]))
        changes = changes_by(text)
        if not options["json"]:
            self.stdout.write(" ".join(changes.sentences()))
        if options["check"]:
            return {"document": text.number, "certificate": text.certificate, "changes": changes.to_dict()}
        job = request_standard(options["path"].name, path=options["path"], wake=False)
        if error := run_to_end(job, bar_for(JobKind.STANDARD)):
            raise NotAnAcs(error)
        standard = Standard.objects.get(number=job.counts["number"])
        return {
            "document": standard.number,
            "certificate": standard.certificate,
            "edition_date": standard.edition_date,
            "current": standard.current,
            **{name: job.counts[name] for name in ("areas", "tasks", "elements", "dropped")},
            "changes": changes.to_dict(),
        }

    def show(self, answer: Any) -> None:
        if "elements" not in answer:
            return
        self.stdout.write(
            f"{answer['document']}: {answer['areas']} areas, {answer['tasks']} tasks, "
            f"{answer['elements']} elements"
        )
