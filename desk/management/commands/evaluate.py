"""`manage.py evaluate WHAT PATH`: measure the product's own search, router, assessor and links on labeled data."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from desk.evaluation.labeled_files import BadFile
from desk.operations.evaluation_jobs import BAD_FILE, BUSY, EVALUATIONS, request_evaluation
from knowledge import conf
from knowledge.management.job_commands import bar_for, run_to_end
from knowledge.management.json_command import JsonCommand
from knowledge.models.telemetry import JobKind


class WrongNumber(ValueError):
    """A number outside what can be measured."""


class NotMeasured(CommandError):
    """The job failed or was cancelled; the message says why."""


class Command(JsonCommand):
    help = (
        "Measure the search on judged questions (BEIR layout) or golden ones, the router and the rules desk on labeled "
        "queries, the assessor on graded answers, the check of entailment on labeled pairs, and the links of claims."
    )
    refusals = (BadFile, WrongNumber)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=list(EVALUATIONS), help="what is measured")
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
        self._tell = EVALUATIONS[what].tell
        documents = options["documents"] if what == "golden" else None
        job = request_evaluation(what, path.name, path=path, documents=documents, k=k, wake=False)
        if error := run_to_end(job, bar_for(JobKind.EVALUATION)):
            refused = job.counts.get("code") in (BAD_FILE, BUSY)
            raise BadFile(error) if refused else NotMeasured(error)
        return job.counts["figures"]

    def show(self, answer: Any) -> None:
        self.stdout.write(self._tell(answer))
