"""Decide whether a passage supports a claim. Reads no library and calls no vendor."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.grounding.entailment import check_entailment
from knowledge.management.json_command import JsonCommand


class Command(JsonCommand):
    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--claim", required=True, help="the statement in question")
        parser.add_argument("--passage", required=True, help="the text that should support it")

    def answer(self, options: dict[str, Any]) -> Any:
        result = check_entailment(options["claim"], options["passage"])
        return {"supported": result.supported, "score": result.score, "reasons": list(result.reasons)}

    def show(self, answer: Any) -> None:
        self.stdout.write(
            f"{'supported' if answer['supported'] else 'not supported'} ({answer['score']:.2f})"
        )
        for reason in answer["reasons"]:
            self.stdout.write(f"  {reason}")
