"""`manage.py evaluate WHAT PATH`: measure the product's own search, router and links on labeled data."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from desk.evaluation.claim_links import evaluate_claim_links
from desk.evaluation.golden_search import evaluate_golden
from desk.evaluation.labeled_files import BadFile
from desk.evaluation.retrieval import evaluate_retrieval
from desk.evaluation.routing import evaluate_routing, routing_table
from desk.evaluation.rules import evaluate_rules, rules_line
from desk.evaluation.scratch import Busy
from knowledge import conf
from knowledge.management.json_command import JsonCommand
from rules.search.search import NoRules


class WrongNumber(ValueError):
    """A number outside what can be measured."""


class Command(JsonCommand):
    help = (
        "Measure the search on judged questions (BEIR layout) or golden ones, the router and the rules desk on labeled "
        "queries, and the links of claims on labeled claims."
    )
    refusals = (BadFile, Busy, NoRules, WrongNumber)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument(
            "what", choices=["retrieval", "golden", "routing", "rules", "links"], help="what is measured"
        )
        parser.add_argument(
            "path",
            type=Path,
            help="a folder with corpus.jsonl, queries.jsonl, qrels/test.tsv; questions.jsonl; or claims.jsonl",
        )
        parser.add_argument("-k", type=int, default=10, help="places of a ranking that count")
        parser.add_argument(
            "--documents",
            type=Path,
            default=Path("../shared/data/faa"),
            help="golden: the ingested folder that the questions are about",
        )

    def answer(self, options: dict[str, Any]) -> Any:
        if not 1 <= options["k"] <= conf.SEARCH_MAX_K:
            raise WrongNumber(f"-k must be 1 to {conf.SEARCH_MAX_K}")
        if options["what"] == "golden":
            return evaluate_golden(options["path"], options["documents"], options["k"], self._show_progress)
        if options["what"] == "routing":
            return evaluate_routing(options["path"], self._show_progress)
        if options["what"] == "rules":
            return evaluate_rules(options["path"], self._show_progress)
        if options["what"] == "links":
            return evaluate_claim_links(options["path"], self._show_progress)
        return evaluate_retrieval(options["path"], options["k"], self._show_progress)

    def _show_progress(self, done: int, of: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {of}", ending="\n" if done == of else "")

    def show(self, answer: Any) -> None:
        if "confusion" in answer:
            self.stdout.write(routing_table(answer))
            return
        if "routing_accuracy" in answer:
            self.stdout.write(rules_line(answer))
            return
        if "links" in answer:
            for half, figures in answer["links"].items():
                told = "  ".join(f"{name} {value}" for name, value in figures.items())
                self.stdout.write(f"{half:8}{told}")
            return
        over = f" over {answer['documents']} documents" if "documents" in answer else ""
        self.stdout.write(f"{answer['questions']} questions{over}")
        for arm, figures in answer["arms"].items():
            for kind, some in figures.items() if "corpus" in answer else [("", figures)]:
                told = "  ".join(f"{name} {value}" for name, value in some.items())
                self.stdout.write(f"{arm:14}{kind:14}{told}".rstrip())
