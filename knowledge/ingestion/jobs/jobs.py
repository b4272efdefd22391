"""Turn submitted files and other long works into jobs, and give workers leases on them.

A worker takes a job by a lease, keeps it by reporting, and loses it by silence. The row is the truth: every change is
one conditional UPDATE on state and fence, and a worker whose UPDATE changes no row has lost the job and stops. Times
come from the database's clock, so hosts need not agree on theirs.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO, Any
from uuid import UUID

import structlog
from celery import current_app
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Case, F, Max, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Now, NullIf
from kombu.exceptions import OperationalError as BrokerAway

from knowledge import conf
from knowledge.db.connections import lock_until_commit
from knowledge.ingestion.errors import IngestionError, Stopped
from knowledge.ingestion.jobs.content_storage import copy_of_file, store_once, stored_size
from knowledge.ingestion.jobs.rejected_uploads import recorded_refusals
from knowledge.ingestion.source_files import PDF_SUFFIX, BadOption, CheckedFile, check_file, checked_options
from knowledge.models import Document, IngestionJob, Tenant
from knowledge.models.telemetry import JobKind, JobState

RUN_TASK = "knowledge.run_job"  # sent by name: the task calls the pipeline, which imports this module
OPEN_STATES = (JobState.QUEUED, JobState.RUNNING, JobState.CANCELLING)
# a job that is being cancelled does nothing more for anybody
PENDING_STATES = (JobState.QUEUED, JobState.RUNNING)
FINISHED_STATES = (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)
_TAKEN_STATES = (JobState.RUNNING, JobState.CANCELLING)

# one that is being cancelled starts no work any more: it only has to be ended
_STARTS_LONG_WORK = Q(large=True) & ~Q(state=JobState.CANCELLING)

_HIGHEST_PRIORITY = 32_767  # of its column
_BLOCK = 1024 * 1024  # bytes copied at once

log = structlog.get_logger(__name__)

# --- submitting ------------------------------------------------------------


def submit_file(
    path: Path,
    *,
    tenant: Tenant | None = None,
    options: Mapping[str, Any] | None = None,
    created_by: Any = None,
    wake: bool = True,
) -> IngestionJob:
    """A job for a file of this machine. Raises BadOption, and RefusedFile, which leaves a row."""
    with recorded_refusals(path.name, tenant, created_by), copy_of_file(path) as file:
        checked = check_file(path.name, file)
        return _submit_checked(checked, file, tenant, options or {}, created_by, wake)


def submit_upload(
    file: "UploadedFile[Any]",  # generic in its types only
    *,
    tenant: Tenant | None,
    options: Mapping[str, Any] | None = None,
    created_by: Any = None,
    held: bool = False,
) -> IngestionJob:
    """A job for a file from a browser or the API; a `held` one waits for its operator. Raises IngestionError for a
    refused file, which leaves a row, and for a bad option."""
    name = file.name or ""
    try:
        with recorded_refusals(name, tenant, created_by):
            checked = check_file(name, file, settings.UPLOAD_LIMIT_BYTES)  # type: ignore[arg-type]
            return _submit_checked(checked, file, tenant, options or {}, created_by, not held, held)  # type: ignore[arg-type]
    except BadOption as error:
        raise IngestionError(str(error), "bad_option") from error


def _submit_checked(
    checked: CheckedFile,
    file: IO[bytes],
    tenant: Tenant | None,
    options: Mapping[str, Any],
    created_by: Any,
    wake: bool,
    held: bool = False,
) -> IngestionJob:
    same = {"tenant": tenant, "content_hash": checked.sha256, "options": checked_options(options)}
    blocks = iter(lambda: file.read(_BLOCK), b"")
    stored = store_once(f"library/{checked.sha256}{checked.suffix}", checked.size, blocks)
    with transaction.atomic():
        lock_until_commit(f"ingest:{checked.sha256}")
        job = _pending_or_new(
            same,
            wake=wake,
            file=stored,
            source_name=checked.name[:300],
            created_by=created_by,
            held=held,
            large=_is_large(checked.suffix, checked.size),
        )
        if job.held and not held:  # the operator does not want it to wait any more
            IngestionJob.objects.filter(pk=job.pk).update(held=False)
            job.held = False
            if wake:
                transaction.on_commit(lambda: wake_worker(job))
    return job


def _pending_or_new(same: Mapping[str, Any], *, wake: bool, **more: Any) -> IngestionJob:
    """The job with the values of `same` that waits or runs already, else a new one with `more` beside them. With `wake`
    the workers hear of it when the transaction ends; a held job waits for its operator."""
    found = IngestionJob.objects.filter(**same, state__in=PENDING_STATES).first()
    job = found or IngestionJob.objects.create(**same, **more)
    if wake and not job.held:
        transaction.on_commit(lambda: wake_worker(job))
    return job


def read_again(
    document: Document, options: Mapping[str, Any], *, created_by: Any = None, wake: bool = True
) -> IngestionJob:
    """A job that reads a document's own file with these options, the open one if there is one. Raises BadOption."""
    same, name = {"document": document, "options": checked_options(options)}, document.file.name or ""
    with transaction.atomic():
        return _pending_or_new(
            {**same, "kind": JobKind.DOCUMENT},
            wake=wake,
            tenant=document.tenant,
            file=name,
            source_name=document.source_name,
            content_hash=document.content_hash,
            created_by=created_by,
            large=_is_large(Path(name).suffix, stored_size(name)),
        )


def submit_work(
    kind: JobKind,
    name: str,
    *,
    tenant: Tenant | None = None,
    document: Document | None = None,
    options: Mapping[str, Any] | None = None,
    file: str = "",
    held: bool = False,
    created_by: Any = None,
    large: bool = True,
    wake: bool = True,
) -> IngestionJob:
    """A job of another kind than making a document of a file, the one that waits or runs already if there is one.
    `file` is a file of the storage that it works on; a `held` job waits for its operator."""
    same = {
        "kind": kind,
        "tenant": tenant,
        "document": document,
        "options": dict(options or {}),
        "file": file,
    }
    with transaction.atomic():
        lock_work(kind, tenant)
        return _pending_or_new(
            same,
            wake=wake,
            held=held,
            source_name=name[:300],
            content_hash="",
            created_by=created_by,
            large=large,
        )


def lock_work(kind: JobKind, tenant: Tenant | None) -> None:
    """Until the transaction ends, whoever else submits or shares out such work of this school waits."""
    lock_until_commit(f"work:{kind}:{tenant.pk if tenant else 0}")


def _is_large(suffix: str, size: int) -> bool:
    """Whether the file probably takes minutes."""
    return size > (conf.LARGE_PDF_BYTES if suffix == PDF_SUFFIX else conf.LARGE_TEXT_BYTES)


def wake_worker(job: IngestionJob) -> None:
    """Tell the workers that a job waits. If the broker is away, the sweep finds the job later."""
    _send_task(job.pk)


def _send_task(job_id: UUID, expires: float | None = None) -> bool:
    try:
        current_app.send_task(RUN_TASK, args=[str(job_id)], expires=expires)
    except BrokerAway as error:
        log.warning("ingestion.broker_away", job=str(job_id), error=str(error))
        return False
    return True


# --- lease ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a job, for as long as the row has this fence."""

    job_id: UUID
    fence: int

    def rows(self) -> QuerySet[IngestionJob]:
        return IngestionJob.objects.filter(pk=self.job_id, fence=self.fence, state=JobState.RUNNING)

    def keep(self, **values: Any) -> None:
        """Write progress and prolong the lease. Raises Stopped when the job is no longer ours."""
        if not self.rows().update(lease_until=_lease_end(), updated_at=Now(), **values):
            raise Stopped(self._end_if_cancelled())

    def finish(self, state: JobState, **values: Any) -> None:
        """End the job. Raises Stopped when it is no longer ours."""
        done = self.rows().update(
            state=state, lease_until=None, finished_at=Now(), updated_at=Now(), **values
        )
        if not done:
            raise Stopped(self._end_if_cancelled())

    def prolong(self) -> bool:
        """Report that the worker is alive. False when the job is no longer ours."""
        return bool(self.rows().update(lease_until=_lease_end()))

    def holds(self) -> bool:
        """Whether the job is still ours and need not stop."""
        return self.rows().exists()

    def let_go(self) -> bool:
        """End a job that was being cancelled, even if its row was told so in a transaction that was rolled back. False
        if there is no such row, so that nobody else can hold it."""
        self._end_if_cancelled()
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

    def _end_if_cancelled(self) -> str:
        """Why the job is no longer ours."""
        if _mark_cancelled(
            IngestionJob.objects.filter(pk=self.job_id, fence=self.fence, state=JobState.CANCELLING)
        ):
            return "cancelled"
        return "another worker holds the job"


def take_lease(job_id: UUID, *, in_turn: bool = False) -> Lease | None:
    """The lease of a job that waits or whose worker fell silent; None if there is nothing to take, and with `in_turn`
    also if the job would start long work while another large one runs."""
    with transaction.atomic():
        if in_turn and IngestionJob.objects.filter(_STARTS_LONG_WORK, pk=job_id).exists():
            lock_until_commit("large-job")  # two workers may have chosen different ones
            if _large_runs():
                return None
        job = IngestionJob.objects.filter(_is_free(), pk=job_id).first()
        if job is None:
            return None
        row = IngestionJob.objects.filter(_is_free(), pk=job_id, fence=job.fence)
        if job.state == JobState.CANCELLING:
            _mark_cancelled(row)
            return None
        if job.attempts >= conf.MAX_ATTEMPTS:
            unsaid = Value("The worker ended early too often; see its log.")
            error = Coalesce(NullIf(F("error"), Value("")), unsaid)
            row.update(
                state=JobState.FAILED, lease_until=None, finished_at=Now(), updated_at=Now(), error=error
            )
            return None
        taken = row.update(
            state=JobState.RUNNING,
            fence=F("fence") + 1,
            attempts=F("attempts") + 1,
            lease_until=_lease_end(),
            started_at=Now(),
            finished_at=None,
            error="",
        )
        return Lease(job_id, job.fence + 1) if taken else None


def waiting_jobs(most: int | None = None) -> list[UUID]:
    """Jobs that nobody works on, in the order in which they are taken."""
    return list(_free_jobs().values_list("pk", flat=True)[:most])


@dataclass(frozen=True, slots=True)
class Place:
    """A waiting job's place in the queue: how many jobs start before it, how many of them are of other schools, whether
    it is large and waits for a large one that runs, and whether an operator may move it up."""

    before: int
    of_others: int
    large_runs: bool
    can_move_up: bool


def places_in_queue() -> dict[UUID, Place]:
    """The place of each waiting job."""
    places: dict[UUID, Place] = {}
    ahead: Counter[int | None] = Counter()
    # of those ahead, the ones that need not wait for a large job to end
    startable: Counter[int | None] = Counter()
    large_runs = _large_runs()
    free = _free_jobs().annotate(long=_STARTS_LONG_WORK)
    for job in free.values_list("pk", "tenant", "long", named=True):
        waits = large_runs and job.long
        before = ahead if waits else startable
        own, others = ahead[job.tenant], ahead.total() - ahead[job.tenant]
        # a job of another school keeps its turn
        can_move_up = own > 0 and others == 0
        places[job.pk] = Place(before.total(), before.total() - before[job.tenant], waits, can_move_up)
        ahead[job.tenant] += 1
        startable[job.tenant] += not waits
    return places


def next_job() -> UUID | None:
    """The job that a worker takes now. No large one starts beside another, not even one that an operator moved up: with
    two workers, one stays free for small files."""
    found = _free_jobs()
    if _large_runs():
        found = found.exclude(_STARTS_LONG_WORK)
    return found.values_list("pk", flat=True).first()


def _large_runs() -> bool:
    """Whether a worker is at a large job; one that is being cancelled still works until it notices."""
    return IngestionJob.objects.filter(_is_taken(), large=True).exists()


def _free_jobs() -> QuerySet[IngestionJob]:
    return in_turn(IngestionJob.objects.filter(_is_free()))


def in_turn(jobs: QuerySet[IngestionJob]) -> QuerySet[IngestionJob]:
    """Open jobs in the order in which they are taken: those that run, then by priority, then small ones before large
    ones that have not waited long, then the oldest; those that wait for their operator last."""
    patience = Now() - timedelta(seconds=conf.LARGE_WAITS_SECONDS)
    behind = Case(When(large=True, created_at__gt=patience, then=Value(1)), default=Value(0))
    stage = Case(When(_is_taken(), then=Value(0)), When(held=True, then=Value(2)), default=Value(1))
    return jobs.order_by(stage, "-priority", behind, "created_at")


def wake_for_waiting(most: int, expires: float | None = None) -> bool:
    """Tell the workers of waiting jobs again: the broker may lose messages, and workers fall silent. A message expires
    after `expires` seconds, or they would pile up while no worker runs. False if the broker is away."""
    return all(_send_task(job_id, expires) for job_id in waiting_jobs(most))


def _is_taken() -> Q:
    return Q(state__in=_TAKEN_STATES, lease_until__gte=Now())


def _is_free() -> Q:
    silent = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    queued = Q(state=JobState.QUEUED, held=False)
    return queued & silent | Q(state__in=_TAKEN_STATES) & silent


def _lease_end() -> Any:
    return Now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def _mark_cancelled(rows: QuerySet[IngestionJob]) -> int:
    return rows.update(state=JobState.CANCELLED, lease_until=None, finished_at=Now(), updated_at=Now())


# --- by hand ------------------------------------------------------------


def cancel_job(job: IngestionJob) -> bool:
    """Stop a job: at once while it waits, else within seconds (`lease_heartbeat`). False if it is over."""
    if _mark_cancelled(IngestionJob.objects.filter(pk=job.pk, state=JobState.QUEUED)):
        return True
    running = IngestionJob.objects.filter(pk=job.pk, state=JobState.RUNNING)
    return bool(running.update(state=JobState.CANCELLING, updated_at=Now()))


def start_job(job: IngestionJob) -> bool:
    """Start a job that waits for its operator. False if it does not wait."""
    started = IngestionJob.objects.filter(pk=job.pk, state=JobState.QUEUED, held=True).update(held=False)
    if started:
        wake_worker(job)
    return bool(started)


def move_job_up(job: IngestionJob) -> bool:
    """Move a waiting job before all others. False if it does not wait, is the first already, or waits behind a job of
    another school, which keeps its turn."""
    place = places_in_queue().get(job.pk)
    if place is None or not place.can_move_up:
        return False
    waiting = IngestionJob.objects.filter(state=JobState.QUEUED)
    highest = waiting.exclude(pk=job.pk).aggregate(highest=Max("priority"))["highest"] or 0
    mine = waiting.filter(pk=job.pk, priority__lt=_HIGHEST_PRIORITY)
    moved = mine.update(priority=min(max(highest, job.priority) + 1, _HIGHEST_PRIORITY), updated_at=Now())
    if moved:
        wake_worker(job)
    return bool(moved)


def retry_job(job: IngestionJob, by: Any = None) -> bool:
    """Queue a failed or cancelled job again. False if it is neither, or its file was refused, or if it decides in the
    name of another reviewer."""
    ended = IngestionJob.objects.filter(pk=job.pk, state__in=(JobState.FAILED, JobState.CANCELLED))
    over = ended.exclude(file="", kind=JobKind.DOCUMENT).exclude(~Q(created_by=by), kind=JobKind.BATCH)
    again = over.update(
        state=JobState.QUEUED,
        attempts=0,
        error="",
        steps=[],
        step="",
        lease_until=None,
        finished_at=None,
        dismissed_at=None,
    )
    if again:
        wake_worker(job)
    return bool(again)
