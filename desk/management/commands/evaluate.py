"""`manage.py evaluate WHAT PATH`: measure the product's own search, router, assessor and links on labeled data."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from desk.evaluation.claim_links import evaluate_claim_links
from desk.evaluation.entailment import entailment_table, evaluate_entailment
from desk.evaluation.golden_search import evaluate_golden
from desk.evaluation.grading import evaluate_grading, grading_table
from desk.evaluation.labeled_files import BadFile, Tick
from desk.evaluation.retrieval import evaluate_retrieval
from desk.evaluation.routing import evaluate_routing, routing_table
from desk.evaluation.rules import evaluate_rules, rules_line
from desk.evaluation.scratch import Busy
from knowledge import conf
from knowledge.management.json_command import JsonCommand
from rules.search.search import NoRules


class WrongNumber(ValueError):
    """A number outside what can be measured."""


def _tell_links(answer: Any) -> str:
    return "\n".join(
        f"{half:8}" + "  ".join(f"{name} {value}" for name, value in figures.items())
        for half, figures in answer["links"].items()
    )


def _tell_arms(answer: Any) -> str:
    over = f" over {answer['documents']} documents" if "documents" in answer else ""
    lines = [f"{answer['questions']} questions{over}"]
    for arm, figures in answer["arms"].items():
        for kind, some in figures.items() if "corpus" in answer else [("", figures)]:
            told = "  ".join(f"{name} {value}" for name, value in some.items())
            lines.append(f"{arm:14}{kind:14}{told}".rstrip())
    return "\n".join(lines)


OF_FILES: Mapping[str, tuple[Callable[[Path, Tick], Any], Callable[[Any], str]]] = {
    "routing": (evaluate_routing, routing_table),
    "rules": (evaluate_rules, rules_line),
    "links": (evaluate_claim_links, _tell_links),
    "grading": (evaluate_grading, grading_table),
    "entailment": (evaluate_entailment, entailment_table),
}
"""What is measured on one file of labeled rows, and how its figures are told."""


class Command(JsonCommand):
    help = (
        "Measure the search on judged questions (BEIR layout) or golden ones, the router and the rules desk on labeled "
        "queries, the assessor on graded answers, the check of entailment on labeled pairs, and the links of claims."
    )
    refusals = (BadFile, Busy, NoRules, WrongNumber)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["retrieval", "golden", *OF_FILES], help="what is measured")
        parser.add_argument(
            "path",
            type=Path,
            help="a folder with corpus.jsonl, queries.jsonl, qrels/test.tsv; questions.jsonl; or a file of rows",
        )
        parser.add_argument("-k", type=int, default=10, help="places of a ranking that count")
        parser.add_argument(
            "--documents",
            type=Path,
            default=Path("../shared/data/faa"),
            help="golden: the ingested folder that the questions are about",
        )

    def answer(self, options: dict[str, Any]) -> Any:
        what, path, k = options["what"], options["path"], options["k"]
        if not 1 <= k <= conf.SEARCH_MAX_K:
            raise WrongNumber(f"-k must be 1 to {conf.SEARCH_MAX_K}")
        self._tell: Callable[[Any], str] = _tell_arms
        if what == "golden":
            return evaluate_golden(path, options["documents"], k, self._show_progress)
        if what == "retrieval":
            return evaluate_retrieval(path, k, self._show_progress)
        evaluate, self._tell = OF_FILES[what]
        return evaluate(path, self._show_progress)

    def _show_progress(self, done: int, of: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {of}", ending="\n" if done == of else "")

    def show(self, answer: Any) -> None:
        self.stdout.write(self._tell(answer))
