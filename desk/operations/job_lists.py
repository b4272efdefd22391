"""The jobs that an operator sees: those of now, and all of them, searched, filtered and in pages."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db.models import Case, Q, Value, When
from django.http import QueryDict

from desk import conf
from desk.operations.job_status import JobStatus
from desk.operations.tables import Table, table_of
from knowledge.documents.queries import jobs_of_operator
from knowledge.ingestion.jobs.jobs import FINISHED_STATES, OPEN_STATES, waiting_jobs
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind, JobState

SORTS: Final[Mapping[str, str]] = {
    "name": "source_name",
    "kind": "kind",
    "state": "state",
    "requested": "created_at",
    "ended": "finished_at",
}
STATES: Final = [("open", "Not over yet"), *JobState.choices]
KINDS: Final = JobKind.choices


def jobs_now(user: Any) -> dict[str, Any]:
    """The open jobs before the latest others, and how many are over: a page compares that number to notice a change."""
    mine = jobs_of_operator(user)
    open_first = Case(When(state__in=OPEN_STATES, then=Value(0)), default=Value(1))
    shown = mine.select_related("document").order_by(open_first, "-created_at")[: conf.JOBS_NOW]
    return {
        "jobs": statuses_of(shown),
        "over": str(mine.filter(state__in=FINISHED_STATES).count()),
        "open_jobs": mine.filter(state__in=OPEN_STATES).count(),
    }


def statuses_of(jobs: Iterable[IngestionJob]) -> list[JobStatus]:
    """The jobs with their places in the queue."""
    turn = {pk: place for place, pk in enumerate(waiting_jobs())}
    return [JobStatus(job, turn.get(job.pk)) for job in jobs]


def jobs_found(user: Any, asked: QueryDict) -> Table:
    """One page of the jobs that fit what the page was asked for; values that mean nothing are passed over."""
    rows = jobs_of_operator(user).select_related("document", "created_by")
    if words := asked.get("q", "").strip():
        rows = rows.filter(Q(source_name__icontains=words) | Q(error__icontains=words))
    if (kind := asked.get("kind", "")) in JobKind:
        rows = rows.filter(kind=kind)
    if (state := asked.get("state", "")) in JobState:
        rows = rows.filter(state=state)
    elif state == "open":
        rows = rows.filter(state__in=OPEN_STATES)
    return table_of(rows, asked, SORTS, "-requested")
