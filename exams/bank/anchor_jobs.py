"""The job that loads item files and looks for the passages of key points, after items or documents change.

Celery beat asks every minute. A job that is run twice, or again after its worker died, changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.db.models import Max, Q

from exams.bank.anchoring import anchor_points, points_to_anchor
from exams.bank.files import ITEMS
from exams.bank.loading import load_item_files
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import OPEN_STATES, submit_work
from knowledge.ingestion.run import Run
from knowledge.models import AnchorState, Document, IngestionJob, Item, Standard, Tenant
from knowledge.models.documents import DocumentStatus
from knowledge.models.telemetry import JobKind, JobState

NAME: Final = "Passages for the questions"
FAULTS_SHOWN: Final = 500
"""Faults of item files that a job keeps; a command prints those that it was given."""


def item_folders() -> list[Path]:
    """The folders of the project's own items whose certificates have a standard loaded that is not the demo's."""
    real = Standard.objects.filter(current=True, demo=False).values_list("certificate", flat=True)
    folders = [ITEMS / certificate for certificate in sorted(set(real))]
    return [folder for folder in folders if folder.is_dir()]


def request_loading(paths: Sequence[Path], *, created_by: Any = None, wake: bool = True) -> IngestionJob:
    """A job that loads these files and folders, and then looks for the passages of the shared library's points."""
    named = [str(path.resolve()) for path in paths]
    return submit_work(
        JobKind.ITEMS, "Question files", options={"paths": named}, created_by=created_by, wake=wake
    )


def request_anchoring() -> list[IngestionJob]:
    """A job for the shared library and for each school with items, where points wait or documents changed."""
    schools = Item.objects.filter(withdrawn=False).values_list("tenant", flat=True).order_by().distinct()
    due = [tenant for tenant in set(schools) if is_due(tenant)]
    found = Tenant.objects.in_bulk([pk for pk in due if pk is not None])
    return [
        submit_work(
            JobKind.ITEMS,
            NAME,
            tenant=found[pk] if pk else None,
            options={"library": documents_in_force(pk)},
        )
        for pk in due
    ]


def is_due(tenant: int | None) -> bool:
    """Whether a job has something to do. One that failed or was cancelled is not repeated until the library or
    an item changes; an operator may retry it."""
    jobs = IngestionJob.objects.filter(kind=JobKind.ITEMS, tenant=tenant)
    if jobs.filter(state__in=OPEN_STATES).exists():
        return False
    items = Item.objects.filter(tenant=tenant, withdrawn=False)
    waiting = items.filter(points__anchor=AnchorState.WAITING).aggregate(latest=Max("updated_at"))["latest"]
    last = jobs.order_by("-created_at").first()
    if last is None:
        return items.exists()
    began = last.started_at or last.created_at
    if waiting is not None and (last.state == JobState.SUCCEEDED or waiting > began):
        return True
    read = last.counts.get("library") or last.options.get("library")
    return items.exists() and read != documents_in_force(tenant)


def load_files(run: Run) -> None:
    """Load the files that the job names, if any."""
    paths = [Path(path) for path in run.job.options.get("paths", ())]
    if not paths:
        run.note("no files named")
        return
    if absent := [path for path in paths if not path.exists()]:
        raise IngestionError(f"There is no {absent[0]} on this machine any more.", "no_file")
    loaded = load_item_files(paths)
    faults = [asdict(fault) for fault in loaded.faults[:FAULTS_SHOWN]]
    run.counts |= {"items": loaded.items, "loaded_points": loaded.points, "faults": faults}
    if loaded.faults:
        run.note(f"{len(loaded.faults)} faults in the files")


def anchor_waiting_points(run: Run) -> None:
    """Look for the passages of points that have none in force."""
    tenant = run.job.tenant_id
    run.counts["library"] = documents_in_force(tenant)
    points = points_to_anchor(tenant)
    run.tick(0, len(points))

    def report(done: int, states: Counter[str]) -> None:
        run.counts |= {"points": done, "states": dict(states)}
        run.tick(done, len(points))

    states = anchor_points(points, tenant=tenant, progress=report)
    missing = Counter(
        Item.objects.filter(tenant=tenant, withdrawn=False, points__anchor=AnchorState.MISSING)
        .exclude(points__missing_document="")
        .values_list("points__missing_document", flat=True)
    )
    run.counts |= {
        "points": states.total(),
        "states": dict(states),
        "missing_documents": dict(missing.most_common()),
    }


ITEM_STEPS: Final = {"load": load_files, "anchor": anchor_waiting_points}


def documents_in_force(tenant: int | None) -> str:
    """A fingerprint of the documents that points can be anchored in."""
    rows = (
        Document.objects.filter(Q(tenant=None) | Q(tenant=tenant), status=DocumentStatus.PUBLISHED)
        .filter(deprecated_at__isnull=True, superseded_by__isnull=True)
        .order_by("pk")
        .values_list("pk", "content_hash", "chunking", "updated_at")
    )
    return sha256(repr(list(rows)).encode()).hexdigest()
