"""`manage.py coverage`: what the library lets an examiner ask, and which documents are missing for the rest."""

from typing import Any

from django.core.management.base import CommandParser

from exams.bank.coverage import coverage_of
from exams.domain.exam_request import AIRCRAFT_CLASSES
from exams.examiner.element_facts import element_facts
from knowledge.access.tenants import tenant_named
from knowledge.management.json_command import JsonCommand
from knowledge.models import Item
from knowledge.standards.elements import loaded_certificates


class NoStandard(ValueError):
    """No standard of this certificate is loaded."""


class Command(JsonCommand):
    help = (
        "Say which Tasks and elements can be asked with the library at hand, and which documents are missing."
    )
    refusals = (NoStandard, LookupError)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--certificate", default="private")
        parser.add_argument("--class", dest="aircraft_class", default="ASEL", choices=AIRCRAFT_CLASSES)
        parser.add_argument("--tenant", default="", help="a school, with its own documents and items")

    def answer(self, options: dict[str, Any]) -> Any:
        tenant = tenant_named(options["tenant"]) if options["tenant"] else None
        facts = element_facts(options["certificate"], options["aircraft_class"], tenant=tenant)
        if not facts:
            known = ", ".join(loaded_certificates()) or "none yet"
            raise NoStandard(
                f"no standard for {options['certificate']} is loaded; there is: {known}. Load one with load_acs."
            )
        found = coverage_of(facts, options["aircraft_class"]).to_dict()
        tasks = {fact.task for fact in facts}
        return {**found, "items": Item.objects.filter(withdrawn=False, task__in=tasks).count()}

    def show(self, answer: Any) -> None:
        counted = answer["elements"]
        self.stdout.write(
            f"{len(answer['tasks'])} Tasks: {answer['completable']} can be completed; {counted['askable']} of "
            f"{counted['table']} elements can be asked, {counted['risk_askable']} of {counted['risk']} risks"
        )
        for task in answer["tasks"]:
            if not task["completable"]:
                self.stdout.write(f"  {task['task']}: {task['why']}")
        for one in answer["missing"]:
            self.stdout.write(f"  missing: {one['document']} ({one['elements']} elements)")
