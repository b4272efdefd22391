"""Approves or rejects key points: those of one item, or a batch of clean ones after a sample was read.

The decision is on the point's concept: one conditional UPDATE with its audit row in the same transaction. The code of
claims reopens points and takes decisions back (`curation.review`), and hands items out (`curation.queue`). A batch is
approved in the name of the reviewer who read its sample; each audit row has the sizes of both.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from math import ceil, log
from types import MappingProxyType
from typing import Any, Final, Self, TypeVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import (
    BooleanField,
    Count,
    Exists,
    F,
    Func,
    IntegerField,
    Model,
    OuterRef,
    Q,
    QuerySet,
    UUIDField,
    Value,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone

from curation import conf
from curation.models import Aside, DecisionKind, ReviewDecision
from curation.queue import AddressFilter, put_aside, read_by_others
from curation.reading.needs import Needs, needs_of
from curation.review import (
    NOT_UNDONE,
    STALE_BEFORE,
    StaleDecision,
    changes_since,
    reopen_claim,
    staleness_of,
    state_of,
    undo_decision,
)
from curation.selectors import UnknownClaim, WrongDecision, decisions_by
from knowledge.access.people import acts_for, schools_of
from knowledge.ingestion.claim_anchoring import out_of_service
from knowledge.ingestion.jobs.jobs import OPEN_STATES
from knowledge.library_version import library_changed
from knowledge.models import AcsTask, AnchorState, Concept, ConceptChunkEvidence, IngestionJob, Item, KeyPoint
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role
from knowledge.standards.elements import loaded_certificates
from knowledge.text.slots import fill_slots, fillings_of

WRONG_MOST: Final = 0.02
"""Share of a batch that may be wrong."""
CONFIDENCE: Final = 0.95
"""Certainty of that share."""
SAMPLE: Final = ceil(log(1 - CONFIDENCE) / log(1 - WRONG_MOST))
"""Points to read without finding one wrong: (1 - 0.02)^149 is below 0.05, the zero-acceptance plan of acceptance
sampling (Dodge and Romig). One that is wrong ends the plan: the batch is not accepted."""

ANCHORED: Final = (AnchorState.CLEAN, AnchorState.TABLE)
READABLE: Final = (*ANCHORED, AnchorState.DOUBTFUL)
"""Of points that have something to be compared with."""
_STATUS: Final = {
    DecisionKind.APPROVE: ValidationStatus.VALIDATED,
    DecisionKind.REJECT: ValidationStatus.REJECTED,
}
_CONCEPT: Final = Concept.objects.filter(pk=OuterRef("concept"))
_UNDECIDED: Final = Exists(_CONCEPT.filter(validation_status=ValidationStatus.PENDING)) | Exists(
    _CONCEPT.filter(validation_status=ValidationStatus.VALIDATED, stale=True)
)
"""Of points. One lookup by key for each: where the tables were just filled and have no statistics, a join may take
minutes."""
STILL_DECIDED: Final = "This batch is still being decided on. Cancel its job first."
_BATCHED: Final = Q(after__has_key="batch")
_IN_LINE: Final = Q(queue_entry__isnull=True) | Q(queue_entry__aside="")
ITEM_STATES: Final[Mapping[str, Q]] = {
    "waiting": Q(waits=True) & _IN_LINE,
    "deferred": Q(waits=True, queue_entry__aside=Aside.DEFERRED),
    "flagged": Q(waits=True, queue_entry__aside=Aside.FLAGGED),
    "aside": Q(waits=True) & ~_IN_LINE,
    "approved": Q(approved=True),
    "rejected": Q(rejected=True),
}
"""Which items `items_for` has: those put aside are deferred or flagged, and of the last two at least one point was
decided so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter(AddressFilter):
    """Which items a reviewer goes through: those that one Task, or the Tasks of one certificate, ask, if given."""

    choices = {"state": tuple(ITEM_STATES)}
    state: str = "waiting"
    certificate: str = ""
    task: str = ""

    @classmethod
    def from_query(cls, given: Mapping[str, Any]) -> Self:
        wanted = super(ItemFilter, cls).from_query(given)
        known = not wanted.certificate or wanted.certificate in loaded_certificates()
        return wanted if known else replace(wanted, certificate="")

    def among(self, needs: Needs) -> Q:
        """Items of the Task or certificate, also those that it borrows."""
        if not self.task and not self.certificate:
            return Q()
        tasks = [one for one in needs.tasks if self.task in ("", one.code)]
        asked = [code for one in tasks for code in one.codes_asked]
        return Q(task__in=[self.task, *(one.code for one in tasks)]) | Q(elements__has_any_keys=asked)

    @property
    def all_tasks(self) -> ItemFilter:
        """What waits for the same certificate, in all its Tasks."""
        return ItemFilter(certificate=self.certificate)


@dataclass(frozen=True, slots=True)
class Accepted:
    """`accepted` points were approved, `left` still wait, `sample` is how many the plan wanted read."""

    accepted: int
    left: int
    sample: int


def points_waiting(user: Any, certificate: str = "") -> QuerySet[KeyPoint]:
    """Points with a passage whose concept waits for a decision, of the schools (or shared library) one reviews for."""
    items = Item.objects.filter(acts_for(user, Role.REVIEWER), withdrawn=False)
    points = KeyPoint.objects.filter(_UNDECIDED, item__in=items, anchor__in=READABLE)
    if certificate:
        tasks = AcsTask.objects.filter(area__standard__certificate=certificate)
        points = points.filter(item__task__in=tasks.values("code"))
    return points.select_related("item", "concept")


def items_for(user: Any) -> QuerySet[Any]:
    """The items that the user reviews: whether points of each wait (P0 ones among them), are approved, are rejected."""
    waiting = KeyPoint.objects.filter(_UNDECIDED, item=OuterRef("pk"), anchor__in=READABLE)
    decided = KeyPoint.objects.filter(item=OuterRef("pk"), concept__stale=False)
    return Item.objects.filter(acts_for(user, Role.REVIEWER), withdrawn=False).annotate(
        waits=Exists(waiting),
        p0=Exists(waiting.filter(p0=True)),
        approved=Exists(decided.filter(concept__validation_status=ValidationStatus.VALIDATED)),
        rejected=Exists(decided.filter(concept__validation_status=ValidationStatus.REJECTED)),
    )


def item_waits(user: Any, item: Item) -> bool:
    return points_waiting(user).filter(item=item).exists()


def count_items(user: Any, among: Q | None = None) -> dict[str, int]:
    """How many of these items wait in line, and how many were put aside. One query."""
    counted: dict[str, int] = (
        items_for(user)
        .filter(among or Q(), waits=True)
        .aggregate(waiting=Count("pk", filter=_IN_LINE), aside=Count("pk", filter=~_IN_LINE))
    )
    return counted


def item_queue(user: Any, wanted: ItemFilter | None = None, needs: Needs | None = None) -> QuerySet[Any]:
    """The items of a filter (without one, those that wait for a decision), without those that somebody else reads now:
    those first whose approval lets most elements be asked, by what the exam `needs`; then P0, then by Task."""
    wanted = wanted or ItemFilter()
    needs = needs or needs_of(user, wanted.certificate)
    unlocking = Value([one.item for one in needs.unlocking], ArrayField(UUIDField()))
    place = Func(unlocking, F("pk"), function="array_position")
    found = (
        items_for(user).select_related("queue_entry").filter(ITEM_STATES[wanted.state], wanted.among(needs))
    )
    return found.exclude(read_by_others(user)).order_by(place.asc(nulls_last=True), "-p0", "task", "key")


def first_wording(item: Item) -> str:
    """The question with the first givens of the item."""
    return fill_slots(item.stem, first_filling(item))


def first_filling(item: Item, when: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The first givens of the item with which a point is expected `when` slots have certain values."""
    return next(fillings_of(item.slots, item.cases, when), {})


Row = TypeVar("Row", bound=Model)


def draw_sample(rows: Iterable[Row], seed: str, size: int = SAMPLE) -> list[Row]:
    """The points or claims to read before a batch is accepted, drawn by lot; the same for the same seed."""
    found = sorted(rows, key=lambda row: row.pk)
    return random.Random(seed).sample(found, min(size, len(found)))


def clean_points(reviewer: Any, certificate: str = "") -> QuerySet[KeyPoint]:
    """The points that wait whose passage says them plainly."""
    return points_waiting(reviewer, certificate).filter(anchor__in=ANCHORED)


def accept_clean_points(
    reviewer: Any,
    *,
    certificate: str = "",
    sample: int = SAMPLE,
    note: str = "",
) -> Accepted:
    """Approve every clean point that waits, as one batch in the reviewer's name. Raises PermissionDenied."""
    _check_reviewer(reviewer)
    batch = list(clean_points(reviewer, certificate))
    read = min(sample, len(batch))
    reason = f"{why_accepted(len(batch), read)} {note}".strip()
    size = {"batch": len(batch), "sample": read}
    done = decide_points(batch, reviewer, DecisionKind.APPROVE, reason, size)
    return Accepted(len(done), points_waiting(reviewer, certificate).count(), read)


def why_accepted(batch: int, sample: int) -> str:
    """The reason in the audit rows of a batch of clean points."""
    return (
        f"Accepted as a batch of {batch} clean anchors after a sample of {sample} was read and none was wrong "
        f"(at most {WRONG_MOST:.0%} wrong with {CONFIDENCE:.0%} confidence needs {SAMPLE})."
    )


def decide_clean_point(
    concept_id: UUID,
    reviewer: Any,
    kind: DecisionKind,
    reason: str,
    *,
    version: int,
    note: Mapping[str, Any] = MappingProxyType({}),
    at: datetime | None = None,
) -> None:
    """Approve or reject one point of a batch. `at` is when the reviewer decided on the batch: its rows have one time,
    by which it is shown and taken back as one press.

    Raises StaleDecision where it is not as it was read, or not clean any more, UnknownClaim, and PermissionDenied.
    """
    point = clean_points(reviewer).filter(concept=concept_id, concept__version=version).first()
    if point is None or not decide_points([point], reviewer, kind, reason, note, at):
        own = KeyPoint.objects.filter(acts_for(reviewer, Role.REVIEWER, field="item__tenant"))
        found = own.filter(concept=concept_id).select_related("concept").first()
        if found is None or found.concept is None:
            raise UnknownClaim(concept_id)
        raise StaleDecision(state_of(found.concept), changes_since(found.concept, version))


def decide_points(
    points: Sequence[KeyPoint],
    reviewer: Any,
    kind: DecisionKind,
    reason: str,
    note: Mapping[str, Any] = MappingProxyType({}),
    at: datetime | None = None,
) -> set[UUID]:
    """Approve or reject the concepts of these points as they were read; which were decided. `note` is kept in each
    audit row. `at` is when the reviewer decided, by default now.

    A concept that somebody changed meanwhile is left as it is. Raises PermissionDenied.
    """
    _check_reviewer(reviewer)
    decided = {"validation_status": _STATUS[kind].value, "stale": False, "stale_reason": ""}
    read = {point.concept.pk: point.concept for point in points if point.concept}
    return _record_decisions([(one, decided) for one in read.values()], reviewer, kind, reason, note, at)


def _record_decisions(
    read: Sequence[tuple[Concept, dict[str, Any]]],
    reviewer: Any,
    kind: DecisionKind,
    reason: str,
    note: Mapping[str, Any],
    at: datetime | None = None,
) -> set[UUID]:
    """Change the concepts that are still as they were read, each to these fields, with an audit row; which they are."""
    rows: list[ReviewDecision] = []
    now = timezone.now()
    with transaction.atomic():
        for concept, changes in read:
            unchanged = Concept.objects.filter(pk=concept.pk, version=concept.version).exclude(**changes)
            if not unchanged.update(version=F("version") + 1, updated_at=now, **changes):
                continue
            before = state_of(concept).to_dict()
            after = {"status": changes["validation_status"], "stale": changes["stale"]}
            rows.append(
                ReviewDecision(
                    claim_id=concept.pk,
                    reviewer=reviewer,
                    decision=kind,
                    version_read=concept.version,
                    before=before,
                    after={**before, **after, "version": concept.version + 1, **note},
                    reason=reason[: conf.REASON_LENGTH],
                    created_at=at or now,
                )
            )
        ReviewDecision.objects.bulk_create(rows)
        for tenant in {concept.tenant_id for concept, _ in read}:
            library_changed(tenant)
    return {row.claim_id for row in rows}


# --- one item -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many points of an item were decided on, and what happened to each of the others since they were read."""

    done: int
    changed: tuple[str, ...]


def decide_item(
    item: Item, reviewer: Any, kind: DecisionKind, reason: str, read: Mapping[UUID, int]
) -> Outcome:
    """Approve or reject points of an item: the concepts in `read`, each at the version that was read. An item of which
    nothing waits any more is put back in line for the next time.

    Raises WrongDecision for a rejection without a reason, PermissionDenied.
    """
    if kind == DecisionKind.REJECT and not reason.strip():
        raise WrongDecision("Say why you reject it.")
    points = [
        point for point in points_waiting(reviewer).filter(item=item, concept__in=read) if point.concept
    ]
    same = [point for point in points if point.concept and point.concept.version == read[point.concept.pk]]
    why = reason.strip() or f"Read with its passages in {item.key}."
    done = decide_points(same, reviewer, kind, why, {"item": str(item.pk)})
    if done and not item_waits(reviewer, item):
        put_aside(item, reviewer, "")
    return Outcome(len(done), _changes_of_points(item, {pk: read[pk] for pk in read if pk not in done}))


def _changes_of_points(item: Item, read: Mapping[UUID, int]) -> tuple[str, ...]:
    """What happened to points since they were read."""
    now = {
        point.concept_id: point for point in item.points.filter(concept__in=read).select_related("concept")
    }
    said = []
    for pk, version in read.items():
        point = now.get(pk)
        if point is None or point.concept is None:
            said.append("A point that you read is no longer part of this item.")
        else:
            said.append(f"“{point.text}”: {'; '.join(changes_since(point.concept, version))}")
    return tuple(said)


def reopen_points(item: Item, reviewer: Any, read: Mapping[UUID, int]) -> Outcome:
    """Let points of an item that were approved or rejected wait for a decision again: the concepts in `read`, each at
    the version that was read. Raises PermissionDenied."""
    done, left = 0, {}
    own = set(item.points.filter(concept__in=read).values_list("concept", flat=True))
    for pk, version in read.items():
        try:
            if pk not in own:
                raise UnknownClaim(pk)
            reopen_claim(pk, reviewer, version=version, point=True)
            done += 1
        except (StaleDecision, UnknownClaim):
            left[pk] = version
    return Outcome(done, _changes_of_points(item, left))


@dataclass(frozen=True, slots=True)
class Press:
    """What a reviewer decided with one key, or with one sample: the last of its `rows` first. Of a batch, `rows` has
    one decision; `stands` says that nobody has changed all of them since."""

    rows: tuple[ReviewDecision, ...]

    @property
    def pk(self) -> int:
        return int(self.rows[0].pk)

    @property
    def item(self) -> str:
        """The item's id, "" for a batch and for what was wrong in its sample."""
        return str(self.rows[0].after.get("item", ""))

    @property
    def batch(self) -> int:
        """How many points were decided on by their sample, 0 where each was read."""
        return int(self.rows[0].after.get("batch", 0))

    @property
    def count(self) -> int:
        return self.batch or len(self.rows)

    @property
    def stands(self) -> bool:
        first: Any = self.rows[0]
        return first.stands if self.batch else any(_stands(row) for row in self.rows)


def _stands(row: ReviewDecision) -> bool:
    return bool(row.after["version"] == row.claim.version)


def last_presses(user: Any) -> list[Press]:
    """A reviewer's last decisions on key points, by key pressed or sample read, the last one first. One query."""
    own = decisions_by(user, points=True).exclude(decision__in=NOT_UNDONE)
    left_at = Cast(KT("after__version"), IntegerField())
    together = own.filter(created_at=OuterRef("created_at")).order_by().alias(left_at=left_at)
    unchanged = Exists(together.filter(left_at=F("claim__version")))
    sampled = own.filter(_BATCHED).annotate(stands=unchanged).distinct("created_at")
    pressed = own.exclude(_BATCHED).annotate(stands=Value(None, BooleanField()))
    rows = pressed[: conf.OWN_DECISIONS_SHOWN * conf.POINTS_MOST].union(
        sampled[: conf.OWN_DECISIONS_SHOWN], all=True
    )
    grouped = groupby(
        rows.order_by("-created_at", "-id"),
        key=lambda row: (row.created_at, "batch" in row.after or row.after.get("item", row.pk)),
    )
    return [Press(tuple(found)) for _, found in grouped][: conf.OWN_DECISIONS_SHOWN]


def undo_press(decision_id: int, reviewer: Any) -> tuple[str, Outcome]:
    """Take back what an own decision did to the points of its item, or of its batch, that were not changed since; with
    the item's id, "" for a batch.

    Raises WrongDecision where it is not one's own, or where nothing of it is left to take back; PermissionDenied.
    """
    _check_reviewer(reviewer)
    own = decisions_by(reviewer, points=True).exclude(decision__in=NOT_UNDONE)
    first = own.filter(pk=decision_id).first()
    if first is None:
        raise WrongDecision("Only your own approvals and rejections can be taken back.")
    together = own.filter(created_at=first.created_at)
    if "batch" in first.after:
        if IngestionJob.objects.filter(pk=first.after.get("batch_id"), state__in=OPEN_STATES).exists():
            raise WrongDecision(STILL_DECIDED)
        return "", _undo_batch(list(together.filter(_BATCHED)), reviewer)
    if item := str(first.after.get("item", "")):
        together = together.filter(after__item=item)
    else:  # a point that was wrong in a sample
        item = str(KeyPoint.objects.filter(concept=first.claim_id).values_list("item", flat=True)[0])
        together = together.filter(pk=first.pk)
    done, changed = 0, []
    for row in together:
        try:
            undo_decision(row.pk, reviewer, point=True)
            done += 1
        except (WrongDecision, StaleDecision, UnknownClaim) as error:
            changed.append(f"“{row.claim.name}”: {error}")
    if not done:
        raise WrongDecision(changed[0])
    return item, Outcome(done, tuple(changed))


def _undo_batch(rows: Sequence[ReviewDecision], reviewer: Any) -> Outcome:
    """Let the points of a batch wait as before; those that were decided on since stay as they are."""
    standing = [row for row in rows if _stands(row)]
    evidence = ConceptChunkEvidence.objects.filter(concept__in=[row.claim_id for row in standing])
    gone = dict(evidence.filter(out_of_service()).values_list("concept", "quote"))
    read = []
    for row in standing:
        stale = staleness_of(gone.get(row.claim_id), STALE_BEFORE if row.before["stale"] else "")
        read.append((row.claim, {"validation_status": row.before["status"], **stale}))
    why = f"{DecisionKind(rows[0].decision).label} of a batch taken back"
    done = _record_decisions(read, reviewer, DecisionKind.REOPEN, why, {"batch": len(rows)})
    if not done:
        raise WrongDecision("Every point of this batch was decided on since, so none is taken back.")
    left = len(rows) - len(done)
    return Outcome(
        len(done), (f"Points that were decided on since stay as they are: {left}.",) if left else ()
    )


def _check_reviewer(reviewer: Any) -> None:
    if not schools_of(reviewer, Role.REVIEWER):
        raise PermissionDenied("Only reviewers decide on items.")
