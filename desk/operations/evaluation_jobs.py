"""The job that measures the product on labeled files, and what each kind of evaluation reads and measures."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desk.evaluation.claim_links import evaluate_claim_links
from desk.evaluation.entailment import entailment_table, evaluate_entailment
from desk.evaluation.golden_search import evaluate_golden
from desk.evaluation.grading import evaluate_grading, grading_table
from desk.evaluation.labeled_files import BadFile, Tick
from desk.evaluation.retrieval import evaluate_retrieval
from desk.evaluation.routing import evaluate_routing, routing_table
from desk.evaluation.rules import evaluate_rules, rules_line
from desk.evaluation.scratch import Busy
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.content_storage import work_folder
from knowledge.ingestion.jobs.jobs import submit_work
from knowledge.ingestion.jobs.zip_uploads import unpack_zip
from knowledge.ingestion.run import Run
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind
from rules.search.search import NoRules

ZIP: Final = ".zip"
SLOW: Final = ("retrieval", "golden", "grading")  # these may take minutes
BAD_FILE, BUSY = "bad_file", "busy"  # codes of an evaluation that could not be made


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One kind of evaluation. `measure` takes the file or folder, the places that count, the folder of documents (None:
    the library's own files), and what is told of the progress; `tell` gives the figures as text."""

    label: str
    wants: str
    measure: Callable[[Path, int, Path | None, Tick], Any]
    tell: Callable[[Any], str]


def _of_file(measure: Callable[[Path, Tick], Any]) -> Callable[[Path, int, Path | None, Tick], Any]:
    return lambda path, k, documents, tick: measure(path, tick)


def _arms_table(answer: Any) -> str:
    over = f" over {answer['documents']} documents" if "documents" in answer else ""
    lines = [f"{answer['questions']} questions{over}"]
    for arm, figures in answer["arms"].items():
        for kind, some in figures.items() if "corpus" in answer else [("", figures)]:
            told = "  ".join(f"{name} {value}" for name, value in some.items())
            lines.append(f"{arm:14}{kind:14}{told}".rstrip())
    return "\n".join(lines)


def _links_table(answer: Any) -> str:
    return "\n".join(
        f"{half:8}" + "  ".join(f"{name} {value}" for name, value in figures.items())
        for half, figures in answer["links"].items()
    )


EVALUATIONS: Final[Mapping[str, Evaluation]] = {
    "retrieval": Evaluation(
        "Search on judged questions",
        "a zip with corpus.jsonl, queries.jsonl and qrels/test.tsv (BEIR)",
        lambda path, k, documents, tick: evaluate_retrieval(path, k, tick),
        _arms_table,
    ),
    "golden": Evaluation(
        "Search of this library",
        "questions.jsonl, with the lines that answer each question",
        lambda path, k, documents, tick: evaluate_golden(path, documents, k, tick),
        _arms_table,
    ),
    "routing": Evaluation(
        "Router of the rules desk",
        "lines of query, countries and path",
        _of_file(evaluate_routing),
        routing_table,
    ),
    "rules": Evaluation(
        "Rules desk",
        "lines of query, countries and questions",
        _of_file(evaluate_rules),
        rules_line,
    ),
    "links": Evaluation(
        "Links of claims",
        "lines of statement, document, section, heading and elements",
        _of_file(evaluate_claim_links),
        _links_table,
    ),
    "grading": Evaluation(
        "Assessor",
        "lines of question, reference, answer and label",
        _of_file(evaluate_grading),
        grading_table,
    ),
    "entailment": Evaluation(
        "Check of support",
        "lines of claim, passage and label",
        _of_file(evaluate_entailment),
        entailment_table,
    ),
}
"""In the order of the page; the keys are those of `manage.py evaluate`."""


def request_evaluation(
    what: str,
    name: str,
    *,
    path: Path | None = None,
    file: str = "",
    documents: Path | None = None,
    k: int = 10,
    created_by: Any = None,
    wake: bool = True,
) -> IngestionJob:
    """A job that evaluates with a file or folder of this machine, or with a file of the storage."""
    told = {"what": what, "k": k}
    named = {"path": path, "documents": documents}
    told |= {key: str(value.resolve()) for key, value in named.items() if value is not None}
    return submit_work(
        JobKind.EVALUATION,
        f"{EVALUATIONS[what].label}: {name}",
        options=told,
        file=file,
        large=what in SLOW,
        created_by=created_by,
        wake=wake,
    )


def measure(run: Run) -> None:
    """Measure, and keep the figures in the job's counts. Raises IngestionError for a file that cannot be used."""
    run.counts.pop("figures", None)
    options = run.job.options
    documents = Path(options["documents"]) if "documents" in options else None
    with _input_of(run) as path:
        try:
            figures = EVALUATIONS[options["what"]].measure(path, options["k"], documents, run.tick)
        except (BadFile, NoRules) as error:
            named = (
                str(error)
                if "path" in options
                else str(error).replace(f"{path}/", "").replace(str(path), "the file")
            )
            raise IngestionError(named, BAD_FILE) from error
        except Busy as error:
            raise IngestionError(str(error), BUSY) from error
    run.counts["figures"] = figures


@contextmanager
def _input_of(run: Run) -> Iterator[Path]:
    """The file or folder that is read; a zip is unpacked while the block lasts."""
    if run.path.suffix != ZIP or "path" in run.job.options:
        yield run.path
        return
    with work_folder(run.lease.job_id, run.lease.fence) as folder, run.path.open("rb") as packed:
        unpack_zip(packed, folder)
        corpus = next(iter(sorted(folder.rglob("corpus.jsonl"))), None)
        if corpus is None:
            raise IngestionError("There is no corpus.jsonl in the zip.", BAD_FILE)
        yield corpus.parent


EVALUATION_STEPS: Final = {"measure": measure}
