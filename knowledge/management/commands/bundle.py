"""Show what the concept graph knows around an ACS element."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge import conf
from knowledge.graph.bundle import WrongDepth, bundle_for_element
from knowledge.management.json_command import JsonCommand
from knowledge.standards.elements import UnknownElement


class Command(JsonCommand):
    tenant_help = "a school's slug; its own nodes are read too"
    refusals = (UnknownElement, WrongDepth)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="an ACS code: PA.I.E.K1")
        parser.add_argument("--depth", type=int, default=conf.BUNDLE_DEPTH, help="edges from the element")

    def answer(self, options: dict[str, Any]) -> Any:
        found = bundle_for_element(options["code"], tenant=options["tenant_id"], depth=options["depth"])
        return found.to_dict()
