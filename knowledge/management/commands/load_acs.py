"""Load an ACS PDF into areas, tasks, elements and graph nodes."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from knowledge.graph.skeleton import load_acs
from knowledge.management.json_command import JsonCommand
from knowledge.standards.acs_pdf import pieces_of_pdf
from knowledge.standards.acs_reader import NotAnAcs, read_acs
from knowledge.standards.changes import changes_by


class Command(JsonCommand):
    help = "Read an Airman Certification Standard from its PDF. Loading it again changes nothing."
    refusals = (NotAnAcs,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="the FAA's PDF")
        parser.add_argument("--check", action="store_true", help="show the changes without loading")

    def answer(self, options: dict[str, Any]) -> Any:
        text = read_acs(pieces_of_pdf(options["path"]))
        changes = changes_by(text)
        if not options["json"]:
            self.stdout.write(" ".join(changes.told()))
        if options["check"]:
            return {"document": text.number, "certificate": text.certificate, "changes": changes.to_dict()}
        loaded = load_acs(options["path"])
        return {
            "document": loaded.standard.number,
            "certificate": loaded.standard.certificate,
            "edition_date": loaded.standard.edition_date,
            "current": loaded.standard.current,
            "areas": loaded.areas,
            "tasks": loaded.tasks,
            "elements": loaded.elements,
            "dropped": list(loaded.dropped),
            "changes": changes.to_dict(),
        }

    def show(self, answer: Any) -> None:
        if "elements" not in answer:
            return
        self.stdout.write(
            f"{answer['document']}: {answer['areas']} areas, {answer['tasks']} tasks, "
            f"{answer['elements']} elements"
        )
