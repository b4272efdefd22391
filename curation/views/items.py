"""The pages on which reviewers approve items: a board of Tasks, one item with its passages, and a batch by its sample.

Every page works as a plain form; keys are an addition. A refused decision shows what happened since and keeps the
reviewer's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from curation import conf
from curation.item_review import (
    CONFIDENCE,
    ITEM_STATES,
    READABLE,
    SAMPLE,
    WRONG_MOST,
    ItemFilter,
    Outcome,
    clean_points,
    count_items,
    decide_item,
    draw_sample,
    first_filling,
    first_wording,
    item_queue,
    item_waits,
    items_for,
    last_presses,
    reopen_points,
    undo_press,
)
from curation.models import DecisionKind, ReviewDecision
from curation.oversight.batch_jobs import batch_jobs_of, request_points
from curation.queue import ASIDE, hand_out, hold_for_reader, put_aside
from curation.reading.needs import Needs, needs_at_hand, needs_of
from curation.selectors import WrongDecision, evidence_of
from curation.views.kinds import ITEMS, kinds_waiting
from knowledge.access.people import acts_for
from knowledge.documents.queries import Passage
from knowledge.models import AnchorState, Artifact, ConceptChunkEvidence, Item, ItemReport, KeyPoint
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role
from knowledge.standards.elements import loaded_certificates
from knowledge.text.slots import fill_slots

Context = Mapping[str, Any]
DECISIONS_FIRST: Final = 10
"""Items on the board that unlock most: more than that, and the order has changed before one comes to the last."""
LOT: Final = "lot of clean points"
"""Where a reviewer's session keeps by what lot the sample was drawn that waits for a decision."""

DONE: Final = {
    "approve": "Approved",
    "reject": "Rejected",
    "reopen": "Waits for a decision again",
    "defer": "Deferred",
    "flag": "Flagged",
    "in_line": "Back in line",
}
REASONS: Final = (
    "The passage does not say it.",
    "The passage says only part of it.",
    "A number or a limit differs from the passage.",
    "It does not answer the question.",
    "Another point says the same.",
)
"""Usual reasons to reject, chosen by number."""


class ItemForm(forms.Form):
    """What a reviewer sends of an item, beside the points."""

    decision = forms.ChoiceField(choices=list(DONE.items()))
    reason = forms.CharField(required=False, max_length=conf.REASON_LENGTH)


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """An item's number in the queue, 0 if it is not in it, and its neighbors."""

    item: UUID
    queue: Sequence[UUID]

    @classmethod
    def of(cls, item: Item, wanted: ItemFilter, user: Any, needs: Needs) -> ItemPlace:
        return cls(item.pk, list(item_queue(user, wanted, needs).values_list("pk", flat=True)))

    @property
    def number(self) -> int:
        return self.queue.index(self.item) + 1 if self.item in self.queue else 0

    @property
    def total(self) -> int:
        return len(self.queue)

    @property
    def before(self) -> UUID | None:
        return self.queue[self.number - 2] if self.number > 1 else None

    @property
    def after(self) -> UUID | None:
        return self.queue[self.number] if 0 < self.number < self.total else None

    def next_in(self, queue: Sequence[UUID]) -> UUID | None:
        """Where a decision leads: to the first item of the queue as it is then that came after this one, else to its
        first."""
        others = [pk for pk in queue if pk != self.item]
        behind = set(self.queue[self.number :])
        return next((pk for pk in others if pk in behind), next(iter(others), None))


@dataclass(frozen=True, slots=True)
class PointShown:
    """A key point with the passages that support it, lead-ins last, and the last decision on it."""

    point: KeyPoint
    evidence: Sequence[tuple[ConceptChunkEvidence, Passage]]
    last: ReviewDecision | None

    @classmethod
    def of(cls, points: Iterable[KeyPoint]) -> list[PointShown]:
        """Three queries, of however many points."""
        found = list(points)
        concepts = [point.concept_id for point in found if point.concept_id]
        evidence = evidence_of(concepts)
        rows = ReviewDecision.objects.filter(claim__in=concepts).select_related("reviewer")
        last = {row.claim_id: row for row in rows.order_by("claim_id", "-number").distinct("claim_id")}
        return [
            cls(point, evidence.get(pk, ()), last.get(pk))
            if (pk := point.concept_id)
            else cls(point, (), None)
            for point in found
        ]

    @property
    def follow_up(self) -> tuple[str, str]:
        """Its follow-up and its hint with the first givens of the item with which it is expected."""
        values = first_filling(self.point.item, self.point.when)
        return fill_slots(self.point.ask, values), fill_slots(self.point.hint, values)

    @property
    def decided(self) -> bool:
        concept = self.point.concept
        if concept is None or concept.stale:
            return False
        return concept.validation_status != ValidationStatus.PENDING

    @property
    def waits(self) -> bool:
        """Whether it waits for a decision, and has a passage to decide on."""
        return bool(self.point.concept) and not self.decided and self.point.anchor in READABLE

    @property
    def decision(self) -> ReviewDecision | None:
        """The last decision on it, for a point that was decided."""
        return self.last if self.decided else None


def board_page(request: HttpRequest, context: Context) -> HttpResponse:
    """What the exam needs, a row a Task, of all standards or of one certificate's; with the elements of the Task that
    the address names."""
    wanted = ItemFilter.from_query(request.GET)
    needs = needs_of(request.user, wanted.certificate, whole=True)
    clean = clean_points(request.user).count()
    points = KeyPoint.objects.filter(item__in=items_for(request.user))
    ahead = {one.item: one for one in needs.unlocking if not one.repeats}
    first = item_queue(request.user, wanted.all_tasks, needs).filter(pk__in=ahead)[:DECISIONS_FIRST]
    counted = {
        "elements": sum(len(need.elements) for need in needs.tasks),
        "ready": sum(need.ready for need in needs.tasks),
        "unlocked": sum(need.unlocked for need in needs.tasks),
        "completable": sum(need.is_completable() for need in needs.tasks),
    }
    shown = {
        **context,
        "title": "What the exam needs",
        "needs": needs.tasks,
        "total": counted,
        "wanted": wanted,
        "aside": replace(wanted.all_tasks, state="aside"),
        "certificates": loaded_certificates(),
        "chosen": needs.task(wanted.task),
        "first": [(item, first_wording(item), ahead[item.pk]) for item in first],
        "items": points.exists(),
        "unsearched": points.filter(anchor=AnchorState.WAITING).count(),
        "counted": count_items(request.user, wanted.all_tasks.among(needs)),
        "clean": clean,
        "jobs": batch_jobs_of(request.user, points=True),
        "reported": ItemReport.objects.filter(
            acts_for(request.user, Role.REVIEWER, field="item__tenant"), answered_at=None
        ).count(),
        "sample": min(SAMPLE, clean),
        **_own_decisions(request.user),
    }
    return TemplateResponse(request, "admin/curation/item/board.html", shown)


@require_http_methods(["GET", "POST"])
def item_page(request: HttpRequest, context: Context, item_id: UUID | None = None) -> HttpResponse:
    """The item of this id, or the first that waits: its question, each point beside its passage. A POST decides on its
    points, or puts it aside."""
    wanted = ItemFilter.from_query(request.GET)
    if item_id is None:
        if request.method == "POST":
            return _to_item(None, wanted)
        needs = needs_at_hand(request.user, wanted.certificate)
        item = hand_out(item_queue(request.user, wanted, needs), request.user)
        return _render_item(request, item, wanted, context, needs=needs)
    item = get_object_or_404(items_for(request.user).select_related("queue_entry"), pk=item_id)
    if request.method == "POST":
        return _decide_item(request, item, wanted, context)
    reader = hold_for_reader(item, request.user) if item.waits else None
    return _render_item(request, item, wanted, context, reader=reader)


def _decide_item(request: HttpRequest, item: Item, wanted: ItemFilter, context: Context) -> HttpResponse:
    """Carry out what was sent; then the next item, or the same one if it still waits."""
    needs = needs_at_hand(request.user, wanted.certificate)
    place = ItemPlace.of(item, wanted, request.user, needs)
    form = ItemForm(request.POST)
    try:
        if not form.is_valid():
            raise WrongDecision("; ".join(str(error) for errors in form.errors.values() for error in errors))
        said = form.cleaned_data
        if said["decision"] in ASIDE:
            if not item_waits(request.user, item):
                raise WrongDecision("This item was decided on meanwhile. It is shown as it is now.")
            put_aside(item, request.user, ASIDE[said["decision"]])
            messages.success(request, f"{DONE[said['decision']]}: {item.key}.")
            if said["decision"] == "in_line":
                return _to_item(item.pk, wanted)
            return _go_on(place, wanted, request.user, needs)
        outcome = _decide_points(request, item, said["decision"], said["reason"])
    except WrongDecision as error:
        return _render_item(request, item, wanted, context, needs=needs, wrong=str(error), status=400)
    if outcome.done:
        points = f"{outcome.done} point{pluralize(outcome.done)} of {item.key}"
        messages.success(request, f"{DONE[said['decision']]}: {points}.")
    if outcome.changed:
        return _render_item(request, item, wanted, context, changed=outcome.changed, status=409)
    if item_waits(request.user, item):
        return _to_item(item.pk, wanted)
    return _go_on(place, wanted, request.user, needs_at_hand(request.user, wanted.certificate))


def _decide_points(request: HttpRequest, item: Item, decision: str, reason: str) -> Outcome:
    """Decide on the points that were ticked; without a tick, on all that waited (or, to reopen, were decided)."""
    sent = request.POST.getlist("decided" if decision == "reopen" else "waiting")
    ticked = set(request.POST.getlist("point"))
    try:
        read = {UUID(pk): int(version) for pk, _, version in (one.partition(":") for one in sent)}
        chosen = {pk: version for pk, version in read.items() if not ticked or str(pk) in ticked}
    except ValueError as error:
        raise WrongDecision("What was sent could not be read. Look at the item and decide again.") from error
    if not chosen:
        state = "was decided on" if decision == "reopen" else "waits for a decision"
        raise WrongDecision(f"No point that you chose {state}. Look at the item and decide again.")
    if decision == "reopen":
        return reopen_points(item, request.user, chosen)
    kind = DecisionKind(decision)
    return decide_item(item, request.user, kind, reason if kind == DecisionKind.REJECT else "", chosen)


@require_POST
def undo_item_page(request: HttpRequest, context: Context, decision_id: int) -> HttpResponse:
    """Take back what an own decision did to the points of an item, and show the item; or a batch, and show the
    board."""
    wanted = ItemFilter.from_query(request.GET)
    try:
        item, outcome = undo_press(decision_id, request.user)
    except WrongDecision as error:
        messages.error(request, str(error))
        return _to_item(None, wanted)
    messages.success(request, f"Taken back: {outcome.done} point{pluralize(outcome.done)}.")
    for changed in outcome.changed:
        messages.warning(request, changed)
    if not item:
        return redirect(f"{reverse('admin:curation_item_board')}{wanted.all_tasks.query}")
    shown = items_for(request.user).filter(pk=item).first()  # None where it was withdrawn since
    return _to_item(shown.pk if shown else None, wanted)


def _go_on(place: ItemPlace, wanted: ItemFilter, user: Any, needs: Needs) -> HttpResponse:
    """To the item that a decision leads to; to the board if none is left."""
    following = place.next_in(list(item_queue(user, wanted, needs).values_list("pk", flat=True)))
    if following is None:
        return redirect(f"{reverse('admin:curation_item_board')}{wanted.all_tasks.query}")
    return _to_item(following, wanted)


def _to_item(item_id: UUID | None, wanted: ItemFilter) -> HttpResponse:
    """To this item; without one, to the first that waits."""
    if item_id is None:
        return redirect(f"{reverse('admin:curation_item_queue')}{wanted.query}")
    return redirect(f"{reverse('admin:curation_item', args=[item_id])}{wanted.query}")


def _own_decisions(user: Any) -> dict[str, Any]:
    """A reviewer's last presses, and which of them a key takes back: no batch, since whoever does so by a slip of the
    finger has to read another sample."""
    own = last_presses(user)
    return {
        "own_decisions": own,
        "undoable": next((one.pk for one in own if one.stands and not one.batch), None),
    }


def _render_item(
    request: HttpRequest,
    item: Item | None,
    wanted: ItemFilter,
    context: Context,
    *,
    needs: Needs | None = None,
    wrong: str = "",
    changed: Sequence[str] = (),
    reader: Any = None,
    status: int = 200,
) -> HttpResponse:
    """`changed` says what happened to the points that were not decided; `reader` is somebody else who reads it."""
    needs = needs or needs_at_hand(request.user, wanted.certificate)
    shown: dict[str, Any] = {
        **context,
        "title": "Items to review",
        "item": item,
        "wanted": wanted,
        "states": ITEM_STATES,
        "certificates": loaded_certificates(),
        **_own_decisions(request.user),
        "wrong": wrong,
        "changed": changed,
        "reader": reader,
    }
    if item is not None:
        place = ItemPlace.of(item, wanted, request.user, needs)
        known = {ITEMS: place.total} if wanted == ItemFilter() else {}
        points = PointShown.of(item.points.select_related("concept").order_by("order"))
        shown |= {
            "place": place,
            "kinds": partial(kinds_waiting, request, kept=True, known=known),
            "unlocking": next((one for one in needs.unlocking if one.item == item.pk), None),
            "entry": getattr(item, "queue_entry", None),
            "wording": {
                name: fill_slots(text, first_filling(item))
                for name, text in (("stem", item.stem), ("again", item.again), ("on_trip", item.on_trip))
            },
            "points": points,
            "waits": any(one.waits for one in points),
            "decided": any(one.decided for one in points),
            "reasons": REASONS,
            "reject_reason": request.POST.get("reason", ""),
            "open_reject": request.POST.get("decision") == "reject",
            "artifacts": Artifact.objects.filter(key__in=item.needs),
            "mixups": item.mixups.all(),
        }
    return TemplateResponse(request, "admin/curation/item/item.html", shown, status=status)


@require_http_methods(["GET", "POST"])
def sample_page(request: HttpRequest, context: Context) -> HttpResponse:
    """The sample of a batch of clean points: read it, mark what is wrong; if nothing is, a job accepts the batch.

    The lot is drawn here and kept in the session until it is decided on, so that nobody can choose what to read. The
    page has signed what its sample stands for; what changed, or came, since then is not accepted.
    """
    lot = request.session.setdefault(LOT, token_hex())
    salt = f"clean points for {request.user.pk}: {lot}"
    if request.method == "POST":
        try:
            stands_for, concepts, size = signing.loads(
                request.POST.get("stands_for", ""), salt=salt, max_age=conf.SAMPLE_READ_SECONDS
            )
        except signing.BadSignature:
            stands_for, concepts, size = {}, 0, 0
        read = dict(list(stands_for.items())[:concepts])
        waiting = clean_points(request.user).filter(concept__in=read)
        if not read or read != {
            str(pk): version for pk, version in waiting.values_list("concept", "concept__version")
        }:
            messages.warning(request, "The batch has changed since you opened it. Read its new sample.")
            return redirect("admin:curation_item_sample")
        del request.session[LOT]
        wrong = set(request.POST.getlist("wrong"))
        jobs = request_points(request.user, list(stands_for.items()), read=concepts, sample=size, wrong=wrong)
        if len(jobs) > 1:  # of several schools; the board lists them
            return redirect("admin:curation_item_board")
        return redirect("desk:job", jobs[0].pk)
    batch = list(clean_points(request.user))
    drawn = draw_sample(batch, lot)
    in_order = {str(one.concept_id): one.concept.version for one in (*drawn, *batch) if one.concept}
    shown = {
        **context,
        "title": "Accept clean points by sample",
        "batch": len(batch),
        "points": PointShown.of(drawn),
        "stands_for": signing.dumps(
            (in_order, len({one.concept_id for one in drawn}), len(drawn)), salt=salt, compress=True
        ),
        "wrong_most": f"{WRONG_MOST:.0%}",
        "confidence": f"{CONFIDENCE:.0%}",
    }
    return TemplateResponse(request, "admin/curation/item/sample.html", shown)
