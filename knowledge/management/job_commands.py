"""What commands over documents share: find the documents that are named, run a job in this process to its end, and show
its progress."""

import sys
import time
from functools import partial

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from knowledge.ingestion.jobs.eta import duration_in_words
from knowledge.ingestion.jobs.jobs import FINISHED_STATES
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import OnProgress, Progress, steps_of
from knowledge.management.json_command import WrongArgument
from knowledge.models import Document, IngestionJob
from knowledge.models.telemetry import JobState

BAR = 24  # characters of the progress bar
WAIT_SECONDS = 0.5  # between two looks at a job that another process works on


def documents_named(document_id: str, default: QuerySet[Document]) -> list[Document]:
    """The document with this id, or those of `default` if it is empty. Raises WrongArgument."""
    if not document_id:
        return list(default.order_by("title", "pk"))
    try:
        return [Document.objects.get(pk=document_id)]
    except (Document.DoesNotExist, ValidationError) as error:
        raise WrongArgument(f"there is no document {document_id}") from error


def run_to_end(job: IngestionJob, show: OnProgress | None = None) -> str | None:
    """Run the job here, or watch the process that runs it. Returns why it failed, None if it succeeded."""
    while job.state not in FINISHED_STATES:
        run_job(job.pk, show) if show else run_job(job.pk)
        job.refresh_from_db()
        if job.state not in FINISHED_STATES:
            time.sleep(WAIT_SECONDS)
    if show:
        show(Progress(job.pk, "", 0, 0))
    return None if job.state == JobState.SUCCEEDED else job.error or job.state


def bar_for(kind: str) -> OnProgress | None:
    """A progress bar for a job of this kind; None where nobody sees it."""
    return partial(_show_bar, list(steps_of(kind))) if sys.stderr.isatty() else None


def _show_bar(names: list[str], progress: Progress) -> None:
    """On the line it stands on; a progress without a step wipes the line."""
    if not progress.step:
        sys.stderr.write("\r\033[K")
        return
    share = progress.done / progress.total if progress.total else 0.0
    filled = round(BAR * (names.index(progress.step) + share) / len(names))
    of = f" {progress.done}/{progress.total}" if progress.total else ""
    left = "" if progress.seconds_left is None else f", {duration_in_words(progress.seconds_left)} left"
    sys.stderr.write(f"\r\033[K[{'#' * filled}{' ' * (BAR - filled)}] {progress.step}{of}{left}")
    sys.stderr.flush()
