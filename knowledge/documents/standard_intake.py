"""Accept a certification standard among uploaded files: recognize it, say what it would change, and load it.

A file that names itself a standard and cannot be loaded as one is refused with the reason. Standards belong to the
shared library; what a school uploads stays a document of the school.
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
from knowledge.ingestion.jobs.rejected_uploads import recorded_refusals
from knowledge.ingestion.parsing.standard_files import find_standard
from knowledge.models import Document, IngestionJob, Standard, Tenant
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.telemetry import JobKind, JobState
from knowledge.standards.acs_pdf import MAX_BYTES
from knowledge.standards.changes import Changes, changes_by
from knowledge.standards.loading import Loaded

log: Final = structlog.get_logger(__name__)

# the key in a job's estimate for what it would change, and in its counts for the outcome
TOLD: Final = "standard"
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
    reads on the job what it would change. Raises IngestionError."""
    with _stored_on_disk(file) as path, recorded_refusals(file.name or "", tenant, created_by):
        changes = look_at_file(path, options or {}) if path else None
    waits = held or (ask_first and changes is not None and tenant is None and not changes.nothing)
    job = submit_upload(file, tenant=tenant, options=options, created_by=created_by, held=waits)
    if job.held:
        estimate_job(job)
    return _note_changes(job, changes)


def hand_in_file(
    path: Path, changes: Changes | None, *, tenant: Tenant | None, options: Mapping[str, Any]
) -> IngestionJob:
    """A file of this machine, with the changes that `changes_of_file` found. Raises RefusedFile and BadOption."""
    job = submit_file(path, tenant=tenant, options=options, wake=False)
    return _note_changes(job, changes)


def changes_of_file(path: Path, *, tenant: Tenant | None, options: Mapping[str, Any]) -> Changes | None:
    """What a file would change if it is a standard; None for any other. Raises RefusedFile, and records the refusal."""
    with recorded_refusals(path.name, tenant, None):
        return look_at_file(path, options)


def look_at_file(path: Path, options: Mapping[str, Any]) -> Changes | None:
    """The same without a record. A file that the operator calls another kind of document is not a standard."""
    if options.get("doc_type", DocType.ACS) != DocType.ACS:
        return None
    found = find_standard(path)
    return changes_by(found) if found is not None else None


def changes_of_upload(file: "UploadedFile[Any]") -> Changes | None:
    """The same for a file from a browser. Raises RefusedFile, also for one that is larger than any standard."""
    with _stored_on_disk(file) as path:
        if path is None:
            raise RefusedFile(f"It is larger than {MAX_BYTES // 1024**2} MB: no standard is.", "over_limits")
        return look_at_file(path, {})


@contextmanager
def _stored_on_disk(file: "UploadedFile[Any]") -> Iterator[Path | None]:
    """The file as a program can open it, rewound afterwards; None if it is larger than any standard."""
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


def _note_changes(job: IngestionJob, changes: Changes | None) -> IngestionJob:
    if changes is not None:
        told = changes.sentences() if job.tenant_id is None else [changes.sentences()[0], _OF_A_SCHOOL]
        job.estimate = {**job.estimate, TOLD: told}
        IngestionJob.objects.filter(pk=job.pk).update(estimate=job.estimate)
    return job


# --- Loading -------------------------------------------------------------------------------------------------


def load_standard_of(job_id: UUID) -> Loaded | str | None:
    """Load the standard that a finished job ingested and note the outcome in the job's counts. Returns a reason if it
    is none after all, and None for another document or a standard that is loaded already."""
    job = IngestionJob.objects.filter(pk=job_id, kind=JobKind.DOCUMENT).select_related("document").first()
    document = job.document if job else None
    if (
        job is None
        or document is None
        or document.doc_type != DocType.ACS
        or document.status != DocumentStatus.PUBLISHED
        or document.tenant_id is not None
        or not str(document.file).lower().endswith(".pdf")
        or Standard.objects.filter(content_hash=document.content_hash).exists()
    ):
        return None
    loaded: Loaded | str
    try:
        if found := find_standard(Path(document.file.path)):
            loaded = load_standard(found, content_hash=document.content_hash)
        else:
            loaded = "It names no standard such as FAA-S-ACS-6C on its first page: no exam rests on it."
    except RefusedFile as error:
        log.warning("standard_not_loaded", document=str(document.pk), reason=str(error))
        loaded = str(error)
    said = loaded if isinstance(loaded, str) else outcome_in_words(loaded)
    IngestionJob.objects.filter(pk=job.pk).update(counts={**job.counts, TOLD: said})
    return loaded


def load_standards_left() -> None:
    """Load standards whose worker died before it loaded them, and drafts that were published since."""
    latest = IngestionJob.objects.filter(
        document=OuterRef("pk"), kind=JobKind.DOCUMENT, state=JobState.SUCCEEDED
    )
    left = (
        Document.objects.filter(
            doc_type=DocType.ACS, status=DocumentStatus.PUBLISHED, tenant=None, demo=False
        )
        .exclude(content_hash__in=Standard.objects.values("content_hash"))
        .annotate(latest=Subquery(latest.order_by("-created_at").values("pk")[:1]))
        .exclude(latest=None)
    )
    for job in IngestionJob.objects.filter(pk__in=left.values("latest")).exclude(counts__has_key=TOLD):
        load_standard_of(job.pk)


def outcome_in_words(loaded: Loaded) -> str:
    """The outcome of loading a standard, in one line."""
    standard = loaded.standard
    named = f"{standard.number}: {loaded.areas} areas, {loaded.tasks} tasks, {loaded.elements} elements"
    if standard.current:
        return named
    current = Standard.objects.filter(certificate=standard.certificate, current=True).first()
    return f"{named}; {current or 'a newer edition'} stays current"
