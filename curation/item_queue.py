"""Items as reviewers meet them: a board of Tasks, one item whole with each passage lit, and a batch by its sample.

Every page works as a plain form; the keys are an addition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from curation.items import (
    ANCHORED,
    CONFIDENCE,
    SAMPLE,
    WRONG_MOST,
    accept_clean_points,
    decide_points,
    draw_sample,
    points_waiting,
)
from curation.models import DecisionKind
from knowledge.access.people import acts_for, schools_named
from knowledge.documents.queries import Passage, passage_for
from knowledge.models import AcsTask, AnchorState, Artifact, ConceptChunkEvidence, Item, KeyPoint
from knowledge.models.graph import EvidenceType, ValidationStatus
from knowledge.models.tenancy import Role

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PointShown:
    """A key point with the passages that bear it, lead-ins last."""

    point: KeyPoint
    evidence: list[tuple[ConceptChunkEvidence, Passage]]

    @property
    def decided(self) -> bool:
        concept = self.point.concept
        return (
            concept is not None
            and concept.validation_status != ValidationStatus.PENDING
            and not concept.stale
        )


# --- the board ---------------------------------------------------------------------------------------------------


def board_page(request: HttpRequest, context: Context) -> HttpResponse:
    """Tasks with what waits, what was approved and what no passage bears yet."""
    schools_named(request, Role.REVIEWER)
    titles = dict(AcsTask.objects.filter(area__standard__current=True).values_list("code", "title"))
    clean = points_waiting(request.user).filter(anchor__in=ANCHORED).count()
    counts = _counts(request.user)
    shown = {
        **context,
        "title": "Items",
        "rows": [{**row, "title": titles.get(row["item__task"], "")} for row in counts],
        "unsearched": sum(row["unsearched"] for row in counts),
        "waiting": waiting_items(request.user).count(),
        "clean": clean,
        "sample": min(SAMPLE, clean),
    }
    return TemplateResponse(request, "admin/curation/item/board.html", shown)


def _counts(user: Any) -> list[dict[str, Any]]:
    """By Task: items, points approved, waiting clean, waiting to be read, without a passage, and not looked for yet."""
    pending = Q(concept__validation_status=ValidationStatus.PENDING) | Q(concept__stale=True)
    points = KeyPoint.objects.filter(item__in=_items(user))
    return [
        dict(row)
        for row in points.values("item__task")
        .order_by("item__task")
        .annotate(
            items=Count("item", distinct=True),
            approved=Count(
                "pk", filter=Q(concept__validation_status=ValidationStatus.VALIDATED, concept__stale=False)
            ),
            unread=Count("pk", filter=pending & Q(anchor__in=ANCHORED)),
            doubtful=Count("pk", filter=pending & Q(anchor=AnchorState.DOUBTFUL)),
            missing=Count("pk", filter=pending & Q(anchor=AnchorState.MISSING)),
            unsearched=Count("pk", filter=pending & Q(anchor=AnchorState.WAITING)),
        )
    ]


def _items(user: Any) -> QuerySet[Item]:
    return Item.objects.filter(acts_for(user, Role.REVIEWER), withdrawn=False)


def waiting_items(user: Any) -> QuerySet[Item]:
    """Items with a point that waits for a decision and has something to decide on; P0 first, then by Task."""
    waiting = points_waiting(user).filter(item=OuterRef("pk"))
    return (
        _items(user)
        .annotate(waits=Exists(waiting), p0=Exists(waiting.filter(p0=True)))
        .filter(waits=True)
        .order_by("-p0", "task", "key")
    )


# --- one item ----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def item_page(request: HttpRequest, context: Context, item_id: UUID | None = None) -> HttpResponse:
    """An item whole: its question, its points each beside the lit passage, one decision on all that waits in it."""
    schools_named(request, Role.REVIEWER)
    task = request.GET.get("task", "")
    queue = waiting_items(request.user).filter(task=task) if task else waiting_items(request.user)
    item = queue.first() if item_id is None else _items(request.user).filter(pk=item_id).first()
    if item is None and item_id is not None:
        raise Http404("There is no such item.")
    if request.method == "POST" and item is not None:
        return _decide(request, item, task)
    shown = {**context, "title": "Items to review", "item": item, "task": task, "total": queue.count()}
    if item is not None:
        keys = list(queue.values_list("pk", flat=True))
        at = keys.index(item.pk) if item.pk in keys else -1
        shown |= {
            "place": at + 1,
            "before": keys[at - 1] if at > 0 else None,
            "after": keys[at + 1] if at + 1 < len(keys) else None,
            "points": points_shown(item),
            "artifacts": Artifact.objects.filter(key__in=item.needs),
            "mixups": item.mixups.all(),
        }
    return TemplateResponse(request, "admin/curation/item/item.html", shown)


def points_shown(item: Item) -> list[PointShown]:
    points = list(item.points.select_related("concept").order_by("order"))
    return [PointShown(point, _evidence(point)) for point in points]


def _evidence(point: KeyPoint) -> list[tuple[ConceptChunkEvidence, Passage]]:
    if point.concept is None:
        return []
    rows = point.concept.evidence.select_related("chunk__document").order_by("evidence_type", "id")
    ordered = sorted(rows, key=lambda row: row.evidence_type != EvidenceType.PRIMARY)
    return [(row, passage_for(row.chunk, row.quote, row.page)) for row in ordered]


def _decide(request: HttpRequest, item: Item, task: str) -> HttpResponse:
    """All points of the item that wait, or the one that is named."""
    kind = DecisionKind.APPROVE if request.POST.get("decision") == "approve" else DecisionKind.REJECT
    reason = request.POST.get("reason", "").strip()
    points = points_waiting(request.user).filter(item=item)
    if named := request.POST.get("point"):
        points = points.filter(key=named)
    if kind == DecisionKind.REJECT and not reason:
        messages.error(request, "Say why it is rejected.")
        return redirect("admin:curation_item", item.pk)
    following = waiting_items(request.user).exclude(pk=item.pk)
    following = following.filter(task=task) if task else following
    done = decide_points(list(points), request.user, kind, reason or f"Read with its passages in {item.key}.")
    said = "approved" if kind == DecisionKind.APPROVE else "rejected"
    messages.success(request, f"{done} points of {item.key} {said}.")
    if named:
        return redirect("admin:curation_item", item.pk)
    after = following.first()
    where = redirect("admin:curation_item", after.pk) if after else redirect("admin:curation_item_board")
    if task and after:
        where["Location"] += f"?task={task}"
    return where


# --- a batch by its sample ------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def sample_page(request: HttpRequest, context: Context) -> HttpResponse:
    """The sample of a batch of clean anchors: read, mark what is wrong, and accept the batch if nothing is."""
    schools_named(request, Role.REVIEWER)
    batch = points_waiting(request.user).filter(anchor__in=ANCHORED)
    seed = request.POST.get("seed") or request.GET.get("seed") or f"{request.user.pk}"
    sample = draw_sample(batch, seed)
    if request.method == "POST":
        return _settle_batch(request, sample)
    shown = {
        **context,
        "title": "Accept clean anchors by a sample",
        "seed": seed,
        "batch": batch.count(),
        "points": [PointShown(point, _evidence(point)) for point in sample],
        "wrong_most": f"{WRONG_MOST:.0%}",
        "confidence": f"{CONFIDENCE:.0%}",
    }
    return TemplateResponse(request, "admin/curation/item/sample.html", shown)


def _settle_batch(request: HttpRequest, sample: list[KeyPoint]) -> HttpResponse:
    wrong = set(request.POST.getlist("wrong"))
    found = [point for point in sample if str(point.pk) in wrong]
    if found:
        decide_points(found, request.user, DecisionKind.REJECT, "Wrong in the sample of a batch.")
        messages.warning(
            request,
            f"{len(found)} of {len(sample)} were wrong and are rejected; the batch was not accepted. Read a new "
            "sample, or decide item by item.",
        )
        return redirect("admin:curation_item_board")
    done = accept_clean_points(request.user, sample=len(sample))
    messages.success(
        request,
        f"{done.accepted} points were accepted after a sample of {done.sample}; {done.left} still wait.",
    )
    return redirect("admin:curation_item_board")
