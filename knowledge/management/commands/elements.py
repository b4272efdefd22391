"""List the ACS elements whose codes begin with a prefix."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.management.json_command import JsonCommand
from knowledge.standards.elements import element_as_dict, elements_known


class Command(JsonCommand):
    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("prefix", nargs="?", default="", help="the beginning of a code: PA.I.E")

    def answer(self, options: dict[str, Any]) -> Any:
        return [element_as_dict(element) for element in elements_known(options["prefix"])]

    def show(self, answer: Any) -> None:
        for one in answer:
            mark = "archived" if one["archived"] else one["where"]
            self.stdout.write(f"{one['code']:<16} {mark:<9} {one['text']}")
