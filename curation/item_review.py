"""Approve or reject key points of items: one by one, or a batch of clean ones after a sample was read.

The decision is on the point's concept: one conditional UPDATE with its audit row in the same transaction. A batch is
approved in the name of the reviewer who read its sample; each audit row says how large both were.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log
from types import MappingProxyType
from typing import Any, Final, TypeVar

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, QuerySet
from django.utils import timezone

from curation import conf
from curation.models import DecisionKind, ReviewDecision
from curation.review import state_of
from knowledge.access.people import acts_for, schools_of
from knowledge.library_version import library_changed
from knowledge.models import AcsTask, AnchorState, Concept, Item, KeyPoint
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role

WRONG_MOST: Final = 0.02
"""Share of a batch that may be wrong."""
CONFIDENCE: Final = 0.95
"""Certainty of that share."""
SAMPLE: Final = ceil(log(1 - CONFIDENCE) / log(1 - WRONG_MOST))
"""Points to read without finding one wrong: (1 - 0.02)^149 is below 0.05, the zero-acceptance plan of acceptance
sampling (Dodge and Romig). One that is wrong ends the plan: the batch is not accepted."""

ANCHORED: Final = (AnchorState.CLEAN, AnchorState.TABLE)
_STATUS: Final = {
    DecisionKind.APPROVE: ValidationStatus.VALIDATED,
    DecisionKind.REJECT: ValidationStatus.REJECTED,
}


@dataclass(frozen=True, slots=True)
class Accepted:
    """`accepted` points were approved, `left` still wait, `sample` is how many the plan wanted read."""

    accepted: int
    left: int
    sample: int


def points_waiting(user: Any, certificate: str = "") -> QuerySet[KeyPoint]:
    """Points with a passage whose concept waits for a decision, of the schools (or shared library) one reviews for."""
    items = Item.objects.filter(acts_for(user, Role.REVIEWER), withdrawn=False)
    points = KeyPoint.objects.filter(item__in=items).exclude(anchor=AnchorState.MISSING)
    if certificate:
        tasks = AcsTask.objects.filter(area__standard__certificate=certificate)
        points = points.filter(item__task__in=tasks.values("code"))
    waiting = Concept.objects.filter(pk=OuterRef("concept"))
    pending = waiting.filter(validation_status=ValidationStatus.PENDING)
    stale = waiting.filter(validation_status=ValidationStatus.VALIDATED, stale=True)
    return points.filter(Exists(pending) | Exists(stale)).select_related("item", "concept")


Row = TypeVar("Row", bound=Model)


def draw_sample(rows: Iterable[Row], seed: str, size: int = SAMPLE) -> list[Row]:
    """The points or claims to read before a batch is accepted, drawn by lot; the same for the same seed."""
    found = sorted(rows, key=lambda row: row.pk)
    return random.Random(seed).sample(found, min(size, len(found)))


def accept_clean_points(
    reviewer: Any, *, certificate: str = "", sample: int = SAMPLE, note: str = ""
) -> Accepted:
    """Approve every clean point that waits, as one batch in the reviewer's name. Raises PermissionDenied."""
    _check_reviewer(reviewer)
    batch = list(points_waiting(reviewer, certificate).filter(anchor__in=ANCHORED))
    read = min(sample, len(batch))
    reason = (
        f"Accepted as a batch of {len(batch)} clean anchors after a sample of {read} was read and none was wrong "
        f"(at most {WRONG_MOST:.0%} wrong with {CONFIDENCE:.0%} confidence needs {SAMPLE}). {note}"
    )
    size = {"batch": len(batch), "sample": read}
    done = decide_points(batch, reviewer, DecisionKind.APPROVE, reason.strip(), size)
    return Accepted(done, points_waiting(reviewer, certificate).count(), read)


def decide_points(
    points: Sequence[KeyPoint],
    reviewer: Any,
    kind: DecisionKind,
    reason: str,
    note: Mapping[str, Any] = MappingProxyType({}),
) -> int:
    """Approve or reject the concepts of these points as they were read; how many were decided. `note` is kept in each
    audit row.

    A concept that somebody changed meanwhile is left as it is. Raises PermissionDenied.
    """
    _check_reviewer(reviewer)
    status = _STATUS[kind]
    read = {point.concept.pk: point.concept for point in points if point.concept}
    rows: list[ReviewDecision] = []
    with transaction.atomic():
        for pk, concept in read.items():
            unchanged = Concept.objects.filter(pk=pk, version=concept.version)
            if not unchanged.exclude(validation_status=status, stale=False).update(
                validation_status=status,
                stale=False,
                stale_reason="",
                version=F("version") + 1,
                updated_at=timezone.now(),
            ):
                continue
            before = state_of(concept).to_dict()
            after = {**before, "status": status.value, "stale": False, "version": concept.version + 1, **note}
            rows.append(
                ReviewDecision(
                    claim_id=pk,
                    reviewer=reviewer,
                    decision=kind,
                    version_read=concept.version,
                    before=before,
                    after=after,
                    reason=reason[: conf.REASON_LENGTH],
                )
            )
        ReviewDecision.objects.bulk_create(rows)
        for tenant in {concept.tenant_id for concept in read.values()}:
            library_changed(tenant)
    return len(rows)


def _check_reviewer(reviewer: Any) -> None:
    if not schools_of(reviewer, Role.REVIEWER):
        raise PermissionDenied("Only reviewers decide on items.")
