"""Keep a row for each refused file, so that the operator sees which files are missing and why.

Uploads, the API and the command share this. A file refused again for the same reason keeps its one row.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models.functions import Now

from knowledge.ingestion.errors import IngestionError, RefusedFile
from knowledge.ingestion.source_files import kept_name
from knowledge.models import IngestionJob, Tenant
from knowledge.models.telemetry import JobState


@contextmanager
def recorded_refusals(name: str, tenant: Tenant | None, created_by: Any) -> Iterator[None]:
    """Record a RefusedFile that is raised inside the block, and let it pass on."""
    try:
        yield
    except RefusedFile as refused:
        record_refusal(name, refused, tenant=tenant, created_by=created_by)
        raise


def record_refusal(
    name: str, refused: IngestionError, *, tenant: Tenant | None, created_by: Any = None
) -> IngestionJob:
    """The row of a refused file; it cannot be run, since it has no file."""
    name, error = kept_name(name), str(refused)
    same = IngestionJob.objects.filter(
        tenant=tenant, source_name=name, file="", content_hash="", state=JobState.FAILED, error=error
    )
    again = same.first()
    if again is not None:
        same.filter(pk=again.pk).update(created_at=Now(), finished_at=Now(), updated_at=Now())
        return again
    return IngestionJob.objects.create(
        tenant=tenant,
        source_name=name,
        content_hash="",
        state=JobState.FAILED,
        error=error,
        counts={"code": refused.code},
        created_by=created_by,
        finished_at=Now(),
    )
