"""The jobs that an operator sees: the queue, those of now, and all of them, searched, filtered and in pages."""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Func, Q, QuerySet
from django.db.models.functions import Lower, Now
from django.http import QueryDict

from desk import conf
from desk.operations.job_status import JobStatus
from desk.operations.tables import SHARED, of_school
from knowledge.documents.queries import jobs_of_operator
from knowledge.ingestion.jobs.jobs import FINISHED_STATES, OPEN_STATES, Place, in_turn, places_in_queue
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind, JobState

SORTS: Final[Mapping[str, F | Func]] = {
    "name": Lower("source_name"),
    "kind": F("kind"),
    "state": F("state"),
    "requested": F("created_at"),
    "ended": F("finished_at"),
}
STATES: Final = [("open", "Not over yet"), *JobState.choices, ("dismissed", "Dismissed")]
KINDS: Final = JobKind.choices


def jobs_now(user: Any) -> dict[str, Any]:
    """The open jobs in the order of their turn, then the latest others, and how many are over: a page compares that
    number to notice a change."""
    mine = jobs_of_operator(user).filter(dismissed_at=None)
    shown = list(_open_jobs(mine))
    over = mine.filter(state__in=FINISHED_STATES)
    shown += over.select_related("document", "tenant").order_by("-created_at")[: conf.JOBS_NOW - len(shown)]
    return {
        "jobs": statuses_of(shown),
        "over": str(over.count()),
        "open_jobs": mine.filter(state__in=OPEN_STATES).count(),
    }


def queue_of(user: Any, places: Mapping[UUID, Place] | None = None) -> dict[str, Any]:
    """The open jobs in the order of their turn, and how many more there are than are shown."""
    mine = jobs_of_operator(user).filter(dismissed_at=None)
    shown = statuses_of(_open_jobs(mine), places)
    more = mine.filter(state__in=OPEN_STATES).count() - len(shown) if len(shown) == conf.JOBS_NOW else 0
    return {"queue": shown, "queue_more": max(more, 0)}


def _open_jobs(mine: QuerySet[IngestionJob]) -> QuerySet[IngestionJob]:
    return in_turn(mine.filter(state__in=OPEN_STATES)).select_related("document", "tenant")[: conf.JOBS_NOW]


def statuses_of(jobs: Iterable[IngestionJob], places: Mapping[UUID, Place] | None = None) -> list[JobStatus]:
    """The jobs with their places in the queue, which are read unless they are known."""
    places = places_in_queue() if places is None else places
    return [JobStatus(job, places.get(job.pk)) for job in jobs]


def jobs_found(user: Any, asked: QueryDict) -> QuerySet[IngestionJob]:
    """The jobs that fit what the page was asked for; values that mean nothing are passed over."""
    state = asked.get("state", "")
    rows = of_school(jobs_of_operator(user), asked).filter(dismissed_at__isnull=state != "dismissed")
    rows = rows.select_related("document", "tenant", "created_by")
    if words := asked.get("q", "").strip():
        rows = rows.filter(Q(source_name__icontains=words) | Q(error__icontains=words))
    if (kind := asked.get("kind", "")) in JobKind:
        rows = rows.filter(kind=kind)
    if state in JobState:
        rows = rows.filter(state=state)
    elif state == "open":
        rows = rows.filter(state__in=OPEN_STATES)
    return rows


def schools_of_jobs(user: Any) -> list[tuple[str, str]]:
    """The schools to choose from; none where all jobs are of one."""
    found = jobs_of_operator(user).order_by("tenant__name").values_list("tenant", "tenant__name").distinct()
    schools = [(str(school or SHARED), name or "Shared library") for school, name in found]
    return schools if len(schools) > 1 else []


def dismiss_job(job: IngestionJob) -> bool:
    """Put away a job that is over. False if it is not, or is put away."""
    over = IngestionJob.objects.filter(pk=job.pk, state__in=FINISHED_STATES, dismissed_at=None)
    return bool(over.update(dismissed_at=Now()))


def bring_back_job(job: IngestionJob) -> bool:
    """Show a dismissed job again. False if it is not dismissed."""
    away = IngestionJob.objects.filter(pk=job.pk, dismissed_at__isnull=False)
    return bool(away.update(dismissed_at=None))
