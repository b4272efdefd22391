"""A file that is turned away at the door leaves a row: who uploads a folder sees what is not in the library, and why.

One way for uploads, the API and the command. A file that is turned away again for the same reason keeps its one row.
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
def refusal_kept(name: str, tenant: Tenant | None, created_by: Any) -> Iterator[None]:
    """Whatever RefusedFile is raised within goes on its way, and leaves a row."""
    try:
        yield
    except RefusedFile as refused:
        record_refusal(name, refused, tenant=tenant, created_by=created_by)
        raise


def record_refusal(
    name: str, refused: IngestionError, *, tenant: Tenant | None, created_by: Any = None
) -> IngestionJob:
    """The row of a file that was turned away; nobody can run it, since it has no file."""
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
