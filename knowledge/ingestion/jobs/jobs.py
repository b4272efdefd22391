"""A file handed in becomes a job; a worker takes it by a lease, keeps it by saying so, and loses it by
silence.

The row is the truth. Every change of it is one conditional UPDATE on state and fence: whoever changes no
row has lost the job to somebody else and stops. The clock is the database's, so that hosts need not agree
on theirs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO, Any
from uuid import UUID

import structlog
from celery import current_app
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import connection, transaction
from django.db.models import Case, F, Max, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Now, NullIf
from kombu.exceptions import OperationalError as BrokerAway

from knowledge import conf
from knowledge.ingestion.errors import IngestionError, Stopped
from knowledge.ingestion.jobs.content_storage import keep_once, own_copy
from knowledge.ingestion.jobs.rejected_uploads import refusal_kept
from knowledge.ingestion.source_files import PDF, BadOption, CheckedFile, check_file, checked_options
from knowledge.models import Document, IngestionJob, Tenant
from knowledge.models.telemetry import JobKind, JobState

RUN_TASK = (
    "knowledge.run_job"  # sent by its name: the task calls the pipeline, which stands above this module
)
OPEN = (JobState.QUEUED, JobState.RUNNING, JobState.CANCELLING)
OVER = (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)

_MOST_PRIORITY = 32_767  # what its column holds
_BLOCK = 1024 * 1024  # bytes of a file that are copied at once

log = structlog.get_logger(__name__)

# --- handing in ------------------------------------------------------------


def submit_file(
    path: Path,
    *,
    tenant: Tenant | None = None,
    options: Mapping[str, Any] | None = None,
    created_by: Any = None,
    wake: bool = True,
) -> IngestionJob:
    """A file of this machine. Raises RefusedFile, which leaves a row, and BadOption."""
    with refusal_kept(path.name, tenant, created_by), own_copy(path) as file:
        checked = check_file(path.name, file)
        return _submit(checked, file, tenant, options or {}, created_by, wake)


def submit_upload(
    file: "UploadedFile[Any]",  # generic in its types only
    *,
    tenant: Tenant | None,
    options: Mapping[str, Any] | None = None,
    created_by: Any = None,
    held: bool = False,
) -> IngestionJob:
    """A file from a browser or the API; `held` waits for its operator. Raises IngestionError, also for an option that
    cannot be; a file that is turned away leaves a row."""
    name = file.name or ""
    try:
        with refusal_kept(name, tenant, created_by):
            checked = check_file(name, file, settings.UPLOAD_LIMIT_BYTES)  # type: ignore[arg-type]
            return _submit(checked, file, tenant, options or {}, created_by, not held, held)  # type: ignore[arg-type]
    except BadOption as error:
        raise IngestionError(str(error), "bad_option") from error


def _submit(
    checked: CheckedFile,
    file: IO[bytes],
    tenant: Tenant | None,
    options: Mapping[str, Any],
    created_by: Any,
    wake: bool,
    held: bool = False,
) -> IngestionJob:
    told = checked_options(options)
    stored = keep_once(f"library/{checked.sha256}{checked.suffix}", checked.size, _blocks(file))
    with transaction.atomic():
        _serialise(checked.sha256)
        same = IngestionJob.objects.filter(
            tenant=tenant, content_hash=checked.sha256, options=told, state__in=OPEN
        ).first()
        job = same or IngestionJob.objects.create(
            tenant=tenant,
            file=stored,
            source_name=checked.name[:300],
            content_hash=checked.sha256,
            options=told,
            created_by=created_by,
            held=held,
            large=_is_large(checked.suffix, checked.size),
        )
        if job.held and not held:  # it was to wait for its operator, who does not wait any more
            IngestionJob.objects.filter(pk=job.pk).update(held=False)
            job.held = False
        if wake:
            transaction.on_commit(lambda: wake_worker(job))
    return job


def read_again(
    document: Document, options: Mapping[str, Any], *, created_by: Any = None, wake: bool = True
) -> IngestionJob:
    """A job for a document's own file with these options: the one under way, if there is one. Raises BadOption."""
    checked = checked_options(options)
    with transaction.atomic():
        same = IngestionJob.objects.filter(document=document, options=checked, state__in=OPEN).first()
        job = same or IngestionJob.objects.create(
            tenant=document.tenant,
            document=document,
            file=document.file.name,
            source_name=document.source_name,
            content_hash=document.content_hash,
            options=checked,
            created_by=created_by,
            large=_is_large(Path(document.file.name or "").suffix, _size_of(document.file.name or "")),
        )
        if wake:
            transaction.on_commit(lambda: wake_worker(job))
    return job


def _is_large(suffix: str, size: int) -> bool:
    """Roughly: whether it takes minutes."""
    return size > (conf.LARGE_PDF_BYTES if suffix == PDF else conf.LARGE_TEXT_BYTES)


def _size_of(name: str) -> int:
    return default_storage.size(name) if name and default_storage.exists(name) else 0


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(_BLOCK):
        yield block


def _serialise(content_hash: str) -> None:
    """One at a time for one file, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"ingest:{content_hash}"])


def wake_worker(job: IngestionJob) -> None:
    """Tell the workers that a job waits. The broker may be away: the sweep finds the job all the same."""
    _woken(job.pk)


def _woken(job_id: UUID, expires: float | None = None) -> bool:
    try:
        current_app.send_task(RUN_TASK, args=[str(job_id)], expires=expires)
    except BrokerAway as error:
        log.warning("ingestion.broker_away", job=str(job_id), error=str(error))
        return False
    return True


# --- lease ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a job. It is good for as long as the row still has its fence."""

    job_id: UUID
    fence: int

    def rows(self) -> QuerySet[IngestionJob]:
        return IngestionJob.objects.filter(pk=self.job_id, fence=self.fence, state=JobState.RUNNING)

    def keep(self, **values: Any) -> None:
        """Write progress and prolong the lease. Raises Stopped when the job is no longer ours."""
        if not self.rows().update(lease_until=_until(), updated_at=Now(), **values):
            raise Stopped(self._why())

    def finish(self, state: JobState, **values: Any) -> None:
        """End the job. Raises Stopped when it is no longer ours."""
        done = self.rows().update(
            state=state, lease_until=None, finished_at=Now(), updated_at=Now(), **values
        )
        if not done:
            raise Stopped(self._why())

    def prolong(self) -> bool:
        """Say that the worker lives. False when the job is no longer ours."""
        return bool(self.rows().update(lease_until=_until()))

    def holds(self) -> bool:
        """The job is still ours, and is not to stop."""
        return self.rows().exists()

    def let_go(self) -> bool:
        """A job that was to stop is over, whatever its worker is in the middle of: also where the row was told so in a
        transaction that was then undone. False where there is no such row, so that nobody else can hold it."""
        self._why()
        return IngestionJob.objects.filter(pk=self.job_id).exists()

    def give_back(self, seconds: float, error: str, **values: Any) -> None:
        """Put the job back to be tried again after a while."""
        self.rows().update(
            state=JobState.QUEUED,
            lease_until=Now() + timedelta(seconds=seconds),
            error=error,
            updated_at=Now(),
            **values,
        )

    def _why(self) -> str:
        job = IngestionJob.objects.filter(pk=self.job_id).first()
        if job and job.fence == self.fence and job.state == JobState.CANCELLING:
            _cancelled(
                IngestionJob.objects.filter(pk=self.job_id, fence=self.fence, state=JobState.CANCELLING)
            )
            return "cancelled"
        return "another worker holds the job"


def take_lease(job_id: UUID) -> Lease | None:
    """The lease of a job that waits or whose worker fell silent; None if there is nothing to take."""
    job = IngestionJob.objects.filter(_free(), pk=job_id).first()
    if job is None:
        return None
    mine = IngestionJob.objects.filter(_free(), pk=job_id, fence=job.fence)
    if job.state == JobState.CANCELLING:
        _cancelled(mine)
        return None
    if job.attempts >= conf.MAX_ATTEMPTS:
        _gave_up(mine)
        return None
    taken = mine.update(
        state=JobState.RUNNING,
        fence=F("fence") + 1,
        attempts=F("attempts") + 1,
        lease_until=_until(),
        started_at=Now(),
        finished_at=None,
        error="",
    )
    return Lease(job_id, job.fence + 1) if taken else None


def waiting_jobs(most: int | None = None) -> list[UUID]:
    """Jobs that nobody works on, oldest first: what the sweep sends again."""
    return list(_in_turn().values_list("pk", flat=True)[:most])


def next_job() -> UUID | None:
    """The job that a worker takes now: whose turn it is, but no large one beside another, so that small files never
    wait for one of ten thousand pages. One that an operator moved up goes all the same."""
    running = IngestionJob.objects.filter(state=JobState.RUNNING, large=True, lease_until__gte=Now()).count()
    found = _in_turn()
    if running >= conf.LARGE_AT_ONCE:
        found = found.exclude(large=True, priority__lte=0)
    return found.values_list("pk", flat=True).first()


def _in_turn() -> QuerySet[IngestionJob]:
    """Free jobs: by priority, then small ones before large ones that have not waited long, then the oldest."""
    patience = Now() - timedelta(seconds=conf.LARGE_WAITS_SECONDS)
    behind = Case(When(large=True, created_at__gt=patience, then=Value(1)), default=Value(0))
    return IngestionJob.objects.filter(_free()).order_by("-priority", behind, "created_at")


def wake_for_waiting(most: int, expires: float | None = None) -> bool:
    """Tell the workers of jobs that wait: messages are lost with the broker's memory, and workers fall silent. One that
    nobody takes within `expires` seconds is worth nothing: they would pile up while no worker runs. False where the
    broker is away.
    """
    return all(_woken(job_id, expires) for job_id in waiting_jobs(most))


def _free() -> Q:
    silent = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    queued = Q(state=JobState.QUEUED, held=False)
    return queued & silent | Q(state__in=(JobState.RUNNING, JobState.CANCELLING)) & silent


def _until() -> Any:
    return Now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def _cancelled(rows: QuerySet[IngestionJob]) -> None:
    rows.update(state=JobState.CANCELLED, lease_until=None, finished_at=Now(), updated_at=Now())


def _gave_up(rows: QuerySet[IngestionJob]) -> None:
    said = Coalesce(NullIf(F("error"), Value("")), Value("The worker ended early too often; see its log."))
    rows.update(state=JobState.FAILED, lease_until=None, finished_at=Now(), updated_at=Now(), error=said)


# --- by hand ------------------------------------------------------------


def cancel_job(job: IngestionJob) -> bool:
    """Stop a job: at once while it waits, else within some seconds (`lease_heartbeat`). False if it is over."""
    waiting = IngestionJob.objects.filter(pk=job.pk, state=JobState.QUEUED)
    if waiting.update(state=JobState.CANCELLED, lease_until=None, finished_at=Now(), updated_at=Now()):
        return True
    running = IngestionJob.objects.filter(pk=job.pk, state=JobState.RUNNING)
    return bool(running.update(state=JobState.CANCELLING, updated_at=Now()))


def start_job(job: IngestionJob) -> bool:
    """Let a job begin that waits for its operator. False if it does not."""
    started = IngestionJob.objects.filter(pk=job.pk, state=JobState.QUEUED, held=True).update(held=False)
    if started:
        wake_worker(job)
    return bool(started)


def move_up(job: IngestionJob) -> bool:
    """Before all others that wait. False if it does not wait."""
    waiting = IngestionJob.objects.filter(state=JobState.QUEUED)
    highest = waiting.exclude(pk=job.pk).aggregate(highest=Max("priority"))["highest"] or 0
    mine = waiting.filter(pk=job.pk, priority__lt=_MOST_PRIORITY)
    moved = mine.update(priority=min(max(highest, job.priority) + 1, _MOST_PRIORITY), updated_at=Now())
    if moved:
        wake_worker(job)
    return bool(moved)


def retry_job(job: IngestionJob) -> bool:
    """Queue a job again that failed or was cancelled. False if it is none of these, or its file was turned away."""
    ended = IngestionJob.objects.filter(pk=job.pk, state__in=(JobState.FAILED, JobState.CANCELLED))
    over = ended.exclude(file="", kind=JobKind.DOCUMENT)
    again = over.update(
        state=JobState.QUEUED, attempts=0, error="", steps=[], step="", lease_until=None, finished_at=None
    )
    if again:
        wake_worker(job)
    return bool(again)
