"""What commands over documents share: find the documents that are named, and run a job in this process to its end."""

import time

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from knowledge.ingestion.jobs.jobs import FINISHED_STATES
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import OnProgress
from knowledge.models import Document, IngestionJob
from knowledge.models.telemetry import JobState

WAIT_SECONDS = 0.5  # between two looks at a job that another process works on


class UnknownDocument(LookupError):
    """There is no document with this id."""


def documents_named(document_id: str, default: QuerySet[Document]) -> list[Document]:
    """The document with this id, or those of `default` if it is empty. Raises UnknownDocument."""
    if not document_id:
        return list(default.order_by("title", "pk"))
    try:
        return [Document.objects.get(pk=document_id)]
    except (Document.DoesNotExist, ValidationError) as error:
        raise UnknownDocument(f"there is no document {document_id}") from error


def run_to_end(job: IngestionJob, show: OnProgress | None = None) -> str | None:
    """Run the job here, or watch the process that runs it. Returns why it failed, None if it succeeded."""
    while job.state not in FINISHED_STATES:
        run_job(job.pk, show) if show else run_job(job.pk)
        job.refresh_from_db()
        if job.state not in FINISHED_STATES:
            time.sleep(WAIT_SECONDS)
    return None if job.state == JobState.SUCCEEDED else job.error or job.state
