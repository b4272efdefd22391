"""`manage.py evaluate WHAT PATH`: measure the product's own search, router, assessor and links on labeled data."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from desk.operations.evaluation_jobs import BAD_FILE, BUSY, EVALUATIONS, request_evaluation
from knowledge import conf
from knowledge.management.job_commands import bar_for, run_to_end
from knowledge.management.json_command import JsonCommand, WrongArgument
from knowledge.models.telemetry import JobKind


class Command(JsonCommand):
    help = (
        "Measure the search on judged questions (BEIR layout) or golden ones, the router and the rules desk on labeled "
        "queries, the assessor on graded answers, the check of entailment on labeled pairs, and the links of claims."
    )

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
            raise WrongArgument(f"-k must be 1 to {conf.SEARCH_MAX_K}")
        self._tell = EVALUATIONS[what].tell
        documents = options["documents"] if what == "golden" else None
        job = request_evaluation(what, path.name, path=path, documents=documents, k=k, wake=False)
        if error := run_to_end(job, bar_for(JobKind.EVALUATION)):
            refused = job.counts.get("code") in (BAD_FILE, BUSY)
            raise WrongArgument(error) if refused else CommandError(error)
        return job.counts["figures"]

    def show(self, answer: Any) -> None:
        self.stdout.write(self._tell(answer))
