"""What the exam still needs of reviewers, by Task and element: what can be asked, and what a decision would unlock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, Func, Q

from curation.models import QueueEntry
from curation.queue import STATES
from curation.selectors import claims_for
from knowledge.access.people import acts_for
from knowledge.models import AcsElement, AnchorState, Item
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role

_HAS_PASSAGE = Q(points__anchor__in=(AnchorState.CLEAN, AnchorState.DOUBTFUL, AnchorState.TABLE))
_APPROVED = Q(points__concept__validation_status=ValidationStatus.VALIDATED, points__concept__stale=False)
_PENDING = Q(points__concept__validation_status=ValidationStatus.PENDING) | Q(
    points__concept__validation_status=ValidationStatus.VALIDATED, points__concept__stale=True
)


@dataclass(slots=True)
class ElementNeed:
    """An element at the table. `asked` items can be asked, `waiting` ones only wait for a decision; `claims` wait that
    would serve it."""

    code: str
    text: str
    task: str
    asked: int = 0
    waiting: int = 0
    claims: int = 0
    missing: set[str] = field(default_factory=set)

    @property
    def state(self) -> str:
        """ "ready", "unlocked" by a reviewer, or "missing" a document or an item."""
        return "ready" if self.asked else "unlocked" if self.waiting else "missing"


@dataclass(frozen=True, slots=True)
class TaskNeed:
    code: str
    title: str
    elements: tuple[ElementNeed, ...]

    def count(self, state: str) -> int:
        return sum(one.state == state for one in self.elements)

    @property
    def ready(self) -> int:
        return self.count("ready")

    @property
    def unlocked(self) -> int:
        return self.count("unlocked")

    @property
    def reachable(self) -> int:
        return self.ready + self.unlocked

    @property
    def lacking(self) -> int:
        return self.count("missing")

    @property
    def waiting(self) -> int:
        return sum(one.waiting for one in self.elements)

    @property
    def claims(self) -> int:
        return sum(one.claims for one in self.elements)

    @property
    def missing(self) -> list[str]:
        return sorted({name for one in self.elements if one.state == "missing" for name in one.missing})


def needs_of(user: Any) -> list[TaskNeed]:
    """Every Task of the standards in use, the one that most elements of wait for a reviewer first. Four queries."""
    tasks: dict[str, tuple[str, list[ElementNeed]]] = {}
    known = AcsElement.objects.filter(task__area__standard__current=True, archived=False, where="table")
    rows = known.order_by("task__area__standard__certificate", "order")
    for code, text, task, title in rows.values_list("code", "text", "task__code", "task__title"):
        tasks.setdefault(task, (title, []))[1].append(ElementNeed(code, text, task))
    elements = {one.code: one for _, found in tasks.values() for one in found}
    _add_items(user, elements)
    for code, claims in _claims_by_element(user).items():
        if code in elements:
            elements[code].claims = claims
    needs = [TaskNeed(code, title, tuple(found)) for code, (title, found) in tasks.items()]
    return sorted(needs, key=lambda need: -need.unlocked)


def _add_items(user: Any, elements: dict[str, ElementNeed]) -> None:
    """An item can be asked when all its must points are approved; it waits when each other one has its passage."""
    must = Q(points__must=True)
    items = Item.objects.filter(acts_for(user, Role.REVIEWER), withdrawn=False).annotate(
        musts=Count("points", filter=must),
        approved=Count("points", filter=must & _APPROVED),
        open=Count("points", filter=must & _PENDING & _HAS_PASSAGE),
    )
    for codes, musts, approved, waiting in items.values_list("elements", "musts", "approved", "open"):
        for one in _known(codes, elements):
            one.asked += musts > 0 and approved == musts
            one.waiting += waiting > 0 and approved + waiting == musts
    absent = Item.objects.filter(
        acts_for(user, Role.REVIEWER), withdrawn=False, points__anchor=AnchorState.MISSING, points__must=True
    ).exclude(points__missing_document="")
    for codes, document in absent.values_list("elements", "points__missing_document").distinct():
        for one in _known(codes, elements):
            if document:
                one.missing.add(document)


def _known(codes: Iterable[str], elements: dict[str, ElementNeed]) -> list[ElementNeed]:
    return [elements[code] for code in codes if code in elements]


def _claims_by_element(user: Any) -> Counter[str]:
    entries = QueueEntry.objects.filter(claim__in=claims_for(user).filter(STATES["waiting"]))
    each = entries.annotate(code=Func(F("elements"), function="unnest"))
    counted = each.order_by().values("code").annotate(claims=Count("pk"))
    return Counter(dict(counted.values_list("code", "claims")))
