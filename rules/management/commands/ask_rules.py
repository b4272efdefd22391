"""Ask the rules desk. Countries are those of --country, else those that the conversation names."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.management.json_command import JsonCommand
from rules.answers.answer import ask_rules
from rules.query.query_preparation import Unanswerable, country_named


class Command(JsonCommand):
    tenant_help = "a school's slug: its own rules are read, too"
    refusals = (Unanswerable,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("query")
        parser.add_argument(
            "--after", action="append", default=[], help="an earlier message; several, the oldest first"
        )
        parser.add_argument("--country", action="append", nargs="+", default=[], help="FR DE, or France")
        parser.add_argument("--category", default="")
        parser.add_argument(
            "--tag", action="append", default=[], help="may be given several times: any of them"
        )

    def answer(self, options: dict[str, Any]) -> Any:
        named = tuple(dict.fromkeys(country_named(one) for some in options["country"] for one in some))
        decision, answered = ask_rules(
            options["query"],
            options["after"],
            countries=named,
            category=options["category"],
            tags=options["tag"],
            tenant=options["tenant_id"],
        )
        return {**answered.to_dict(), "confidence": decision.confidence, "reasoning": decision.reasoning}

    def show(self, answer: Any) -> None:
        self.stdout.write(answer["answer"])
        if answer["degraded"]:
            self.stdout.write(f"\n{answer['degraded']}")
        for one in answer["citations"]:
            told = f"[{one['n']}] {one['name']}, {one['question']}"
            self.stdout.write(" ".join((told, *one["links"])))
