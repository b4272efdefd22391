"""The job that loads a file of rules: read, store all or nothing, and make the vectors that are missing.

A start that follows one which stored the rows goes on with the vectors.
"""

from pathlib import Path
from typing import Any, Final

from django.db import transaction

from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import submit_work
from knowledge.ingestion.run import Run
from knowledge.library_version import library_changed
from knowledge.models import IngestionJob, Tenant
from knowledge.models.telemetry import JobKind
from rules.countries import KNOWN_COUNTRIES
from rules.data.load import Outdated, store_rules
from rules.data.parse import Finding, NotRules, read_rules
from rules.search.vectors import embed_missing

NOT_RULES: Final = "not_rules"  # code of a file that cannot be loaded
FINDINGS_KEPT: Final = 500
"""Findings in a file that a job keeps, which says how many more there are; a command prints all of them."""


def request_rules(
    name: str,
    *,
    path: Path | None = None,
    file: str = "",
    tenant: Tenant | None = None,
    expected: str | None = None,
    created_by: Any = None,
    wake: bool = True,
) -> IngestionJob:
    """A job that loads a file of this machine, or of the storage. With `expected`, the fingerprint of a preview, it
    loads nothing if it would do something else."""
    told = {"path": str(path.resolve())} if path else {"expected": expected}
    return submit_work(
        JobKind.RULES,
        name,
        tenant=tenant,
        options=told,
        file=file,
        created_by=created_by,
        large=False,
        wake=wake,
    )


def read_file(run: Run) -> None:
    """Read the questions and answers of the file. Raises IngestionError for a file that is none."""
    try:
        content = run.path.read_bytes()
    except OSError as error:
        line = f"{run.path.name} cannot be read: {error.strerror}. Upload it again."
        raise IngestionError(line, "no_file") from error
    try:
        run.read = read_rules(content, KNOWN_COUNTRIES)
    except NotRules as error:
        raise IngestionError(f"{error}. Nothing was changed.", NOT_RULES) from error
    questions = len(run.read.questions)
    run.tick(questions, questions)
    run.counts |= {
        "questions": questions,
        "countries": len(run.read.countries),
        "answers": sum(len(question.answers) for question in run.read.questions),
        "left_out": _in_words(run.read.refused),
        "left_out_count": len(run.read.refused),
        "mended": len(run.read.mended),
    }


def store_rows(run: Run) -> None:
    """Store the rows in one transaction, which also checks that the job is still ours."""
    if "loaded" in run.counts:
        run.note("the rules are stored already")
        return
    run.tick(0, run.counts["answers"])
    try:
        with transaction.atomic():
            expected = run.job.options.get("expected")
            loaded = store_rules(run.read, run.job.tenant, by=run.job.created_by, expected=expected)
            told = loaded.to_dict()
            del told["embedded"]
            run.counts |= {"loaded": told | {"written": told["written"][:FINDINGS_KEPT]}}
            run.keep()
    except Outdated as error:
        raise IngestionError(f"{error} Upload the file again.", "outdated") from error
    run.tick(run.counts["answers"], run.counts["answers"])


def embed_rows(run: Run) -> None:
    """Make the vectors that are missing. Raises ModelError; what was made stays."""
    embedded = embed_missing(run.model, run.tick)
    run.counts["embedded_texts"] = run.counts.get("embedded_texts", 0) + embedded
    if embedded:
        library_changed(run.job.tenant_id)


RULE_STEPS: Final = {"read": read_file, "load": store_rows, "embed": embed_rows}


def _in_words(findings: tuple[Finding, ...]) -> list[list[str]]:
    return [[one.place, one.what, one.said[:200]] for one in findings[:FINDINGS_KEPT]]
