"""A claim and a passage from the command line become one decision as JSON. Reads no library and calls no
model."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from knowledge.grounding.entailment import is_supported


class Command(BaseCommand):
    help = "Is the claim supported by the passage?"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--claim", required=True, help="the statement in question")
        parser.add_argument("--passage", required=True, help="the text that should support it")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        result = is_supported(options["claim"], options["passage"])
        found = {"supported": result.supported, "score": result.score, "reasons": list(result.reasons)}
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        self.stdout.write(
            f"{'supported' if result.supported else 'not supported'} (score {result.score:.2f})"
        )
        for reason in result.reasons:
            self.stdout.write(f"  {reason}")
