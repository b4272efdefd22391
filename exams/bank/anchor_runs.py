"""Anchor key points after items or documents change, one run at a time. Running twice changes nothing.

Celery beat asks every minute. When a worker dies, its run is repeated once the lease is over.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from exams.bank.anchoring import anchor_points, points_to_anchor
from exams.models import AnchorRun
from knowledge.models import AnchorState, Document, Item, Tenant
from knowledge.models.documents import DocumentStatus

LEASE: Final = timedelta(seconds=60)
"""How long a run may go without a progress report: one point takes a fifth of a second."""
TOLD_EVERY: Final = 20
"""Points after which progress is written."""


def anchor_libraries() -> int:
    """Anchor what is due in the shared library and for each school with items; returns how many points were tried."""
    schools = Item.objects.filter(withdrawn=False).values_list("tenant", flat=True).order_by().distinct()
    return sum(anchor_library(tenant) for tenant in set(schools) | {None})


def anchor_library(tenant: int | None) -> int:
    """One run, if points wait or documents changed since the last run, and no other run holds a lease."""
    items = Item.objects.filter(tenant=tenant, withdrawn=False)
    if not items.filter(points__anchor=AnchorState.WAITING).exists():
        last = AnchorRun.objects.filter(tenant=tenant, finished_at__isnull=False).first()
        if not items.exists() or (last is not None and last.library == documents_in_force(tenant)):
            return 0
    with transaction.atomic():
        if tenant is not None:
            Tenant.objects.select_for_update().get(pk=tenant)
        now = timezone.now()
        unfinished = AnchorRun.objects.filter(tenant=tenant, finished_at__isnull=True)
        if unfinished.filter(lease_until__gt=now).exists():
            return 0
        unfinished.delete()
        created = AnchorRun.objects.create(
            tenant_id=tenant, library=documents_in_force(tenant), lease_until=now + LEASE
        )
    run = AnchorRun.objects.filter(pk=created.pk)
    points = list(points_to_anchor(tenant))
    run.update(points=len(points))

    def report_progress(done: int, states: Counter[str]) -> None:
        if done % TOLD_EVERY == 0:
            run.update(done=done, states=dict(states), lease_until=timezone.now() + LEASE)

    states = anchor_points(points, tenant=tenant, progress=report_progress)
    run.update(done=states.total(), states=dict(states), lease_until=None, finished_at=timezone.now())
    return states.total()


def documents_in_force(tenant: int | None) -> str:
    """A fingerprint of the documents that points can be anchored in."""
    rows = (
        Document.objects.filter(Q(tenant=None) | Q(tenant=tenant), status=DocumentStatus.PUBLISHED)
        .filter(deprecated_at__isnull=True, superseded_by__isnull=True)
        .order_by("pk")
        .values_list("pk", "content_hash", "chunking", "updated_at")
    )
    return sha256(repr(list(rows)).encode()).hexdigest()
