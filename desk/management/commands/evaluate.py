"""`manage.py evaluate retrieval DIR`: how well the product's own search agrees with what people judged."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from desk.evaluation.beir import BadFolder
from desk.evaluation.retrieval import evaluate_retrieval
from desk.evaluation.scratch import Busy
from knowledge import conf
from knowledge.management.json_command import JsonCommand


class WrongNumber(ValueError):
    """A number outside what can be measured."""


class Command(JsonCommand):
    help = "Measure the search on a folder of judged questions (BEIR layout), in a library of its own."
    refusals = (BadFolder, Busy, WrongNumber)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["retrieval"], help="what is measured")
        parser.add_argument(
            "path", type=Path, help="a folder with corpus.jsonl, queries.jsonl, qrels/test.tsv"
        )
        parser.add_argument("-k", type=int, default=10, help="places of a ranking that count")

    def answer(self, options: dict[str, Any]) -> Any:
        if not 1 <= options["k"] <= conf.SEARCH_MAX_K:
            raise WrongNumber(f"-k must be 1 to {conf.SEARCH_MAX_K}")
        return evaluate_retrieval(options["path"], options["k"], self._tick)

    def _tick(self, done: int, of: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {of} documents", ending="\n" if done == of else "")

    def show(self, answer: Any) -> None:
        self.stdout.write(f"{answer['questions']} questions over {answer['documents']} documents")
        for arm, figures in answer["arms"].items():
            told = "  ".join(f"{name} {value}" for name, value in figures.items())
            self.stdout.write(f"{arm:14}{told}")
