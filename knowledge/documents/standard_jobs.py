"""The job that loads a certification standard without making a document of it, for `load_acs` and the operator's page.

Running it twice, or again after its worker died, changes nothing: the rows of a standard are found by its number.
"""

from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from knowledge.documents.standard_intake import TOLD, outcome_in_words
from knowledge.graph.skeleton import load_standard
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import submit_work
from knowledge.ingestion.parsing.standard_files import CODE, find_standard
from knowledge.ingestion.run import Run
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind
from knowledge.standards.changes import Changes

NO_STANDARD: Final = (
    "It is no certification standard: its first page names none, such as FAA-S-ACS-6C. Download the PDF from the FAA "
    "again, then upload that."
)


def request_standard(
    name: str,
    *,
    path: Path | None = None,
    file: str = "",
    changes: Changes | None = None,
    created_by: Any = None,
    wake: bool = True,
) -> IngestionJob:
    """A job that loads the standard of a file of this machine, or of the storage. With `changes` that change exams it
    waits for its operator, who reads them on the job."""
    told = {"path": str(path.resolve())} if path else {}
    held = changes is not None and not changes.nothing
    job = submit_work(
        JobKind.STANDARD,
        name,
        options=told,
        file=file,
        held=held,
        created_by=created_by,
        large=False,
        wake=wake,
    )
    if changes is not None:
        job.estimate = {TOLD: changes.sentences()}
        IngestionJob.objects.filter(pk=job.pk).update(estimate=job.estimate)
    return job


def read_standard(run: Run) -> None:
    """Read the file's pages. Raises IngestionError for a file that is no standard."""
    path = run.path
    if not path.is_file():
        raise IngestionError(f"There is no {path.name} on this machine any more. Upload it again.", "no_file")
    run.read = find_standard(path, run.tick)
    if run.read is None:
        raise IngestionError(NO_STANDARD, CODE)


def load_rows_and_nodes(run: Run) -> None:
    """Store the standard in one transaction, which also checks that the job is still ours."""
    elements = len(run.read.elements)
    run.tick(0, elements)
    with run.path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    with transaction.atomic():
        loaded = load_standard(run.read, content_hash=digest)
        run.counts |= {
            TOLD: outcome_in_words(loaded),
            "number": loaded.standard.number,
            "elements": loaded.elements,
            "tasks": loaded.tasks,
            "areas": loaded.areas,
            "dropped": list(loaded.dropped),
        }
        run.keep()
    run.tick(elements, elements)


STANDARD_STEPS: Final = {"read": read_standard, "load": load_rows_and_nodes}
