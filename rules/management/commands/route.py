"""Decide whether a question is for the rules, a database of airports, or both; and about which countries."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.management.json_command import JsonCommand
from rules.query.query_preparation import Unanswerable, checked_question
from rules.query.router import route


class Command(JsonCommand):
    refusals = (Unanswerable,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("query")
        parser.add_argument(
            "--after", action="append", default=[], help="an earlier message; several, the oldest first"
        )

    def answer(self, options: dict[str, Any]) -> Any:
        return route([*options["after"], checked_question(options["query"])]).to_dict()

    def show(self, answer: Any) -> None:
        countries = " ".join(answer["countries"]) or "no country"
        self.stdout.write(f"{answer['path']} ({answer['confidence']:.2f}, {answer['stage']}), {countries}")
        self.stdout.write(answer["reasoning"])
