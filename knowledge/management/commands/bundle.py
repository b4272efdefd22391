"""Print the context bundle of an element."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge import conf
from knowledge.access.tenants import tenant_named
from knowledge.graph.bundle import WrongDepth, bundle_for_element
from knowledge.management.json_command import JsonCommand
from knowledge.standards.elements import UnknownElement


class Command(JsonCommand):
    help = "Show what the concept graph knows around an ACS element."
    refusals = (UnknownElement, WrongDepth)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="an ACS code: PA.I.E.K1")
        parser.add_argument("--depth", type=int, default=conf.BUNDLE_DEPTH, help="edges from the element")
        parser.add_argument("--tenant", default="", help="a school's slug; its own nodes are read too")

    def answer(self, options: dict[str, Any]) -> Any:
        tenant = tenant_named(options["tenant"])
        return bundle_for_element(
            options["code"], tenant=tenant.pk if tenant else None, depth=options["depth"]
        ).to_dict()
