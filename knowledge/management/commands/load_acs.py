"""An ACS PDF becomes areas, tasks, elements and graph nodes."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from knowledge.graph.skeleton import load_acs
from knowledge.management.json_command import JsonCommand
from knowledge.standards.acs_reader import NotAnAcs


class Command(JsonCommand):
    help = "Read an Airman Certification Standard from its PDF. Loading it again changes nothing."
    refusals = (NotAnAcs,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="the FAA's PDF")

    def answer(self, options: dict[str, Any]) -> Any:
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
        }

    def show(self, answer: Any) -> None:
        self.stdout.write(
            f"{answer['document']}: {answer['areas']} areas, {answer['tasks']} tasks, "
            f"{answer['elements']} elements"
        )
