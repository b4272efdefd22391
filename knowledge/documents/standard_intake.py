"""A certification standard among the files that are handed in: recognized, told before anything changes, and loaded.

A file that names itself a standard and cannot be loaded as one is refused with its reason. Standards belong to the
house: what a school hands in stays a document of the school.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final
from uuid import UUID

import structlog
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.db.models import OuterRef, Subquery

from knowledge.graph.skeleton import load_standard
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.estimates import estimate_job
from knowledge.ingestion.jobs.jobs import submit_file, submit_upload
from knowledge.ingestion.jobs.rejected_uploads import refusal_kept
from knowledge.ingestion.parsing.standard_files import standard_in
from knowledge.models import Document, IngestionJob, Standard, Tenant
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.telemetry import JobState
from knowledge.standards.acs_pdf import MAX_BYTES
from knowledge.standards.changes import Changes, changes_by
from knowledge.standards.loading import Loaded

log: Final = structlog.get_logger(__name__)

TOLD: Final = "standard"  # in a job's estimate: what it would change; in its counts: what became of it
_OF_A_SCHOOL: Final = (
    "It is kept as a document of the school; only an operator of the house makes it the standard."
)


def hand_in_upload(
    file: "UploadedFile[Any]",
    *,
    tenant: Tenant | None,
    options: Mapping[str, Any] | None = None,
    created_by: Any = None,
    held: bool = False,
    ask_first: bool = False,
) -> IngestionJob:
    """A file from a browser or the API. With `ask_first` a standard that changes exams waits for its operator, who
    reads in its row what it would change. Raises IngestionError."""
    with _kept_on_disk(file) as path:
        changes = _changes(path, file.name or "", tenant, options, created_by)
    waits = held or (ask_first and changes is not None and tenant is None and not changes.nothing)
    job = submit_upload(file, tenant=tenant, options=options, created_by=created_by, held=waits)
    if job.held:
        estimate_job(job)
    return _with_changes(job, changes)


def hand_in_file(
    path: Path, changes: Changes | None, *, tenant: Tenant | None, options: Mapping[str, Any]
) -> IngestionJob:
    """A file of this machine whose changes were told. Raises RefusedFile and BadOption."""
    job = submit_file(path, tenant=tenant, options=options, wake=False)
    return _with_changes(job, changes)


def changes_of_file(path: Path, *, tenant: Tenant | None, options: Mapping[str, Any]) -> Changes | None:
    """What a file would change if it is a standard; None for any other. Raises RefusedFile, which leaves a row."""
    return _changes(path, path.name, tenant, options, None)


def look_at_file(path: Path, options: Mapping[str, Any]) -> Changes | None:
    """The same without a row: only a look. What an operator calls another kind of document is none."""
    if options.get("doc_type", DocType.ACS) != DocType.ACS:
        return None
    found = standard_in(path)
    return changes_by(found) if found is not None else None


def _changes(
    path: Path | None, name: str, tenant: Tenant | None, options: Mapping[str, Any] | None, created_by: Any
) -> Changes | None:
    if path is None:
        return None
    with refusal_kept(name, tenant, created_by):
        return look_at_file(path, options or {})


@contextmanager
def _kept_on_disk(file: "UploadedFile[Any]") -> Iterator[Path | None]:
    """The file as a program can open it, left at its start; None where it is larger than any standard."""
    if (file.size or 0) > MAX_BYTES:
        yield None
    elif isinstance(file, TemporaryUploadedFile):
        yield Path(file.temporary_file_path())
    else:
        with NamedTemporaryFile(suffix=".pdf") as copy:
            for block in file.chunks():
                copy.write(block)
            copy.flush()
            yield Path(copy.name)
    file.seek(0)


def _with_changes(job: IngestionJob, changes: Changes | None) -> IngestionJob:
    if changes is not None:
        told = changes.told() if job.tenant_id is None else [changes.told()[0], _OF_A_SCHOOL]
        job.estimate = {**job.estimate, TOLD: told}
        IngestionJob.objects.filter(pk=job.pk).update(estimate=job.estimate)
    return job


# Loading


def load_standard_of(job_id: UUID) -> Loaded | str | None:
    """The standard that a finished job has taken in, loaded; the reason where it is none; None for another document.
    What became of it stands in the job's counts."""
    job = IngestionJob.objects.filter(pk=job_id).select_related("document").first()
    document = job.document if job else None
    if job is None or document is None or not _may_be_loaded(document):
        return None
    loaded = _loaded(document)
    if loaded is not None:
        said = loaded if isinstance(loaded, str) else told_of(loaded)
        IngestionJob.objects.filter(pk=job.pk).update(counts={**job.counts, TOLD: said})
    return loaded


def load_standards_left() -> None:
    """Standards whose worker fell silent before it loaded them, or that were drafts and are published now."""
    latest = IngestionJob.objects.filter(document=OuterRef("pk"), state=JobState.SUCCEEDED).order_by(
        "-created_at"
    )
    left = (
        Document.objects.filter(
            doc_type=DocType.ACS, status=DocumentStatus.PUBLISHED, tenant=None, demo=False
        )
        .exclude(content_hash__in=Standard.objects.values("content_hash"))
        .annotate(latest=Subquery(latest.values("pk")[:1]))
        .exclude(latest=None)
    )
    for job in IngestionJob.objects.filter(pk__in=left.values("latest")).exclude(counts__has_key=TOLD):
        load_standard_of(job.pk)


def _may_be_loaded(document: Document) -> bool:
    return (
        document.doc_type == DocType.ACS
        and document.status == DocumentStatus.PUBLISHED
        and document.tenant_id is None
        and str(document.file).lower().endswith(".pdf")
    )


def _loaded(document: Document) -> Loaded | str | None:
    if Standard.objects.filter(content_hash=document.content_hash).exists():
        return None
    try:
        found = standard_in(Path(document.file.path))
    except RefusedFile as error:
        log.warning("standard_not_loaded", document=str(document.pk), reason=str(error))
        return str(error)
    if found is None:
        return "It names no standard such as FAA-S-ACS-6C on its first page: no exam rests on it."
    return load_standard(found, content_hash=document.content_hash)


def told_of(loaded: Loaded) -> str:
    """What became of a standard, in one line."""
    standard = loaded.standard
    named = f"{standard.number}: {loaded.areas} areas, {loaded.tasks} tasks, {loaded.elements} elements"
    if standard.current:
        return named
    current = Standard.objects.filter(certificate=standard.certificate, current=True).first()
    return f"{named}; {current or 'a newer edition'} stays current"
