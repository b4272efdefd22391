"""The pages on which reviewers approve items: a board of Tasks, one item with its passages, and a batch by its sample.

Every page works as a plain form; the keys are an addition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from curation.item_review import (
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
from curation.reading.needs import needs_of
from curation.selectors import evidence_for
from knowledge.access.people import acts_for, schools_named
from knowledge.documents.queries import Passage
from knowledge.models import AnchorState, Artifact, ConceptChunkEvidence, Item, KeyPoint
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role
from knowledge.text.slots import fill_slots, fillings_of

Context = Mapping[str, Any]
LOT: Final = "lot of clean points"
"""Where a reviewer's session keeps by what lot the sample was drawn that waits for a decision."""


@dataclass(frozen=True, slots=True)
class PointShown:
    """A key point with the passages that support it, lead-ins last."""

    point: KeyPoint

    @property
    def follow_up(self) -> tuple[str, str]:
        """Its follow-up and its hint with the first givens of the item with which it is expected."""
        values = first_filling(self.point.item, self.point.when)
        return fill_slots(self.point.ask, values), fill_slots(self.point.hint, values)

    @property
    def evidence(self) -> list[tuple[ConceptChunkEvidence, Passage]]:
        return evidence_for(self.point.concept) if self.point.concept else []

    @property
    def decided(self) -> bool:
        concept = self.point.concept
        if concept is None or concept.stale:
            return False
        return concept.validation_status != ValidationStatus.PENDING


def first_filling(item: Item, when: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The first givens of the item with which a point is expected `when` slots have certain values."""
    return next(fillings_of(item.slots, item.cases, when), {})


def board_page(request: HttpRequest, context: Context) -> HttpResponse:
    """What the exam needs, a row a Task; with the elements of the Task that the address names."""
    schools_named(request, Role.REVIEWER)
    needs = needs_of(request.user)
    clean = points_waiting(request.user).filter(anchor__in=ANCHORED).count()
    points = KeyPoint.objects.filter(item__in=_items_for(request.user))
    counted = {
        "elements": sum(len(need.elements) for need in needs),
        "ready": sum(need.ready for need in needs),
        "unlocked": sum(need.unlocked for need in needs),
    }
    shown = {
        **context,
        "title": "What the exam needs",
        "needs": needs,
        "total": counted,
        "chosen": next((need for need in needs if need.code == request.GET.get("task")), None),
        "items": points.exists(),
        "unsearched": points.filter(anchor=AnchorState.WAITING).count(),
        "waiting": waiting_items(request.user).count(),
        "clean": clean,
        "sample": min(SAMPLE, clean),
    }
    return TemplateResponse(request, "admin/curation/item/board.html", shown)


def _items_for(user: Any) -> QuerySet[Item]:
    return Item.objects.filter(acts_for(user, Role.REVIEWER), withdrawn=False)


def waiting_items(user: Any, task: str = "") -> QuerySet[Item]:
    """Items with a point that waits and has a passage to decide on, of one Task if given; P0 first, then by Task."""
    waiting = points_waiting(user).filter(item=OuterRef("pk"))
    items = _items_for(user).annotate(waits=Exists(waiting), p0=Exists(waiting.filter(p0=True)))
    found = items.filter(waits=True).order_by("-p0", "task", "key")
    return found.filter(task=task) if task else found


@require_http_methods(["GET", "POST"])
def item_page(request: HttpRequest, context: Context, item_id: UUID | None = None) -> HttpResponse:
    """One item: its question, each point beside its passage, one decision on all points that wait."""
    schools_named(request, Role.REVIEWER)
    task = request.GET.get("task", "")
    queue = waiting_items(request.user, task)
    item = queue.first() if item_id is None else get_object_or_404(_items_for(request.user), pk=item_id)
    if request.method == "POST" and item is not None:
        return _decide_item(request, item, task)
    shown = {**context, "title": "Items to review", "item": item, "task": task, "total": queue.count()}
    if item is not None:
        keys = list(queue.values_list("pk", flat=True))
        at = keys.index(item.pk) if item.pk in keys else -1
        shown |= {
            "place": at + 1,
            "before": keys[at - 1] if at > 0 else None,
            "after": keys[at + 1] if at + 1 < len(keys) else None,
            "wording": {
                name: fill_slots(text, first_filling(item))
                for name, text in (("stem", item.stem), ("again", item.again), ("on_trip", item.on_trip))
            },
            "points": [PointShown(one) for one in item.points.select_related("concept").order_by("order")],
            "artifacts": Artifact.objects.filter(key__in=item.needs),
            "mixups": item.mixups.all(),
        }
    return TemplateResponse(request, "admin/curation/item/item.html", shown)


def _decide_item(request: HttpRequest, item: Item, task: str) -> HttpResponse:
    """Decide on all points of the item that wait, or on the one that is named."""
    approves = request.POST.get("decision") == "approve"
    reason = request.POST.get("reason", "").strip()
    if not approves and not reason:
        messages.error(request, "Say why you reject it.")
        return redirect("admin:curation_item", item.pk)
    points = points_waiting(request.user).filter(item=item)
    if named := request.POST.get("point"):
        points = points.filter(key=named)
    following = waiting_items(request.user, task).exclude(pk=item.pk)
    kind = DecisionKind.APPROVE if approves else DecisionKind.REJECT
    done = decide_points(list(points), request.user, kind, reason or f"Read with its passages in {item.key}.")
    messages.success(request, f"{done} points of {item.key} {'approved' if approves else 'rejected'}.")
    if named:
        return redirect("admin:curation_item", item.pk)
    after = following.first()
    if after is None:
        return redirect("admin:curation_item_board")
    response = redirect("admin:curation_item", after.pk)
    if task:
        response["Location"] += f"?task={task}"
    return response


@require_http_methods(["GET", "POST"])
def sample_page(request: HttpRequest, context: Context) -> HttpResponse:
    """The sample of a batch of clean points: read it, mark what is wrong, and accept the batch if nothing is.

    The lot is drawn here and kept in the session until it is decided on, so that nobody can choose what to read.
    """
    schools_named(request, Role.REVIEWER)
    batch = points_waiting(request.user).filter(anchor__in=ANCHORED)
    lot = request.session.setdefault(LOT, token_hex())
    sample = draw_sample(batch, lot)
    if request.method == "POST":
        if request.POST.getlist("read") != [str(point.pk) for point in sample]:
            messages.warning(request, "The batch has changed since you opened it. Read its new sample.")
            return redirect("admin:curation_item_sample")
        del request.session[LOT]
        marked = set(request.POST.getlist("wrong"))
        wrong = [point for point in sample if str(point.pk) in marked]
        if wrong:
            decide_points(wrong, request.user, DecisionKind.REJECT, "Wrong in the sample of a batch.")
            messages.warning(
                request,
                f"{len(wrong)} of {len(sample)} points were wrong and are rejected. The batch was not accepted: read a"
                " new sample, or decide item by item.",
            )
        else:
            done = accept_clean_points(request.user, sample=len(sample))
            messages.success(
                request,
                f"{done.accepted} points were accepted after a sample of {done.sample}; {done.left} still wait.",
            )
        return redirect("admin:curation_item_board")
    shown = {
        **context,
        "title": "Accept clean points by sample",
        "batch": batch.count(),
        "points": [PointShown(point) for point in sample],
        "wrong_most": f"{WRONG_MOST:.0%}",
        "confidence": f"{CONFIDENCE:.0%}",
    }
    return TemplateResponse(request, "admin/curation/item/sample.html", shown)
