"""What the exam needs from reviewers, by Task and element: what can be asked, and what a decision would unlock."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.db.models import Count, F, Func, Q

from curation.models import ItemEntry, QueueEntry
from curation.queue import STATES
from curation.selectors import claims_for
from knowledge.access.people import acts_for
from knowledge.models import AcsElement, AnchorState, Item, LibraryGeneration
from knowledge.models.graph import ValidationStatus
from knowledge.models.standards import ElementKind
from knowledge.models.tenancy import Role
from knowledge.standards.ask_location import SUBELEMENTS_NEEDED
from knowledge.standards.elements import borrowing_elements

_HAS_PASSAGE = Q(points__anchor__in=(AnchorState.CLEAN, AnchorState.DOUBTFUL, AnchorState.TABLE))
_APPROVED = Q(points__concept__validation_status=ValidationStatus.VALIDATED, points__concept__stale=False)
_PENDING = Q(points__concept__validation_status=ValidationStatus.PENDING) | Q(
    points__concept__validation_status=ValidationStatus.VALIDATED, points__concept__stale=True
)
_LEAST_KINDS = (ElementKind.KNOWLEDGE, ElementKind.RISK)
"""A Task can be completed when an element of each of these kinds that it has can be asked."""


@dataclass(slots=True)
class ElementNeed:
    """An element at the table. `asked` items can be asked, the `items` only wait for a decision; `claims` wait that
    would serve it; `lent` is the element with whose items it is asked, where it borrows them."""

    code: str
    text: str
    task: str
    kind: str
    parent: str
    asked: int = 0
    items: set[UUID] = field(default_factory=set)
    claims: int = 0
    missing: set[str] = field(default_factory=set)
    lent: str = ""

    @property
    def waiting(self) -> int:
        return len(self.items)

    @property
    def state(self) -> str:
        """ "ready", "unlocked" by a reviewer, or "missing" a document or an item."""
        return "ready" if self.asked else "unlocked" if self.items else "missing"


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
    def items(self) -> set[UUID]:
        """The items that wait for a decision and would let an element be asked."""
        return {item for one in self.elements for item in one.items}

    @property
    def codes_asked(self) -> list[str]:
        """Its elements, and those whose items they borrow."""
        return [code for one in self.elements for code in (one.code, one.lent) if code]

    @property
    def claims(self) -> int:
        return sum(one.claims for one in self.elements)

    @property
    def missing(self) -> list[str]:
        return sorted({name for one in self.elements if one.state == "missing" for name in one.missing})

    def is_completable(self, unlocked: Collection[str] = ()) -> bool:
        """Whether its least can be asked, with these elements too: of sub-elements as many as the standard counts."""
        parents = {one.parent for one in self.elements}
        asked = Counter(
            one.parent or one.code
            for one in self.elements
            if one.code not in parents and (one.asked or one.code in unlocked)
        )
        able = {
            one.kind
            for one in self.elements
            if asked[one.parent or one.code] >= SUBELEMENTS_NEEDED.get(one.parent or one.code, 1)
        }
        return all(one.kind in able for one in self.elements if one.kind in _LEAST_KINDS)


@dataclass(frozen=True, slots=True)
class Unlocking:
    """What the approval of one item does: the `elements` that can be asked then, and the `tasks` that it completes.
    `repeats` if those before it unlock all of that; those put aside come after the others."""

    item: UUID
    elements: tuple[str, ...]
    tasks: tuple[str, ...]
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """Every Task, the one that most elements of wait for a reviewer first; the items that unlock most first, those that
    repeat others last."""

    tasks: Sequence[TaskNeed]
    unlocking: Sequence[Unlocking]

    def task(self, code: str) -> TaskNeed | None:
        return next((one for one in self.tasks if one.code == code), None)


def needs_at_hand(user: Any, certificate: str = "") -> Needs:
    """The needs without claims and missing documents, as this process read them last, unless the library has changed or
    an item was put aside since. Two queries, or five."""
    generations = tuple(LibraryGeneration.objects.values_list("tenant_key", "generation"))
    aside = tuple(ItemEntry.objects.exclude(aside="").order_by("pk").values_list("pk", flat=True))
    ground = repr((acts_for(user, Role.REVIEWER), certificate, generations, aside))
    key = f"needs:{sha256(ground.encode()).hexdigest()}"
    found: Needs | None = caches["process"].get(key)
    if found is None:
        found = needs_of(user, certificate)
        caches["process"].set(key, found)
    return found


def needs_of(user: Any, certificate: str = "", *, whole: bool = False) -> Needs:
    """What the standards in use need, or the one of a certificate: of items, and as a `whole` also the claims that wait
    and the documents that are missing. Three queries, or five."""
    tasks: dict[str, tuple[str, list[ElementNeed]]] = {}
    known = AcsElement.objects.filter(task__area__standard__current=True, archived=False, where="table")
    if certificate:
        known = known.filter(task__area__standard__certificate=certificate)
    rows = known.order_by("task__area__standard__certificate", "order")
    columns = ("code", "text", "task__code", "kind", "parent__code", "task__title")
    for code, text, task, kind, parent, title in rows.values_list(*columns):
        need = ElementNeed(code, text, task, kind, parent or "")
        tasks.setdefault(task, (title, []))[1].append(need)
    elements = {one.code: one for _, found in tasks.values() for one in found}
    aside = _add_items(user, elements, _missing_by_element(user) if whole else defaultdict(set))
    for code, claims in _claims_by_element(user).items() if whole else ():
        if code in elements:
            elements[code].claims = claims
    needs = [TaskNeed(code, title, tuple(found)) for code, (title, found) in tasks.items()]
    return Needs(sorted(needs, key=lambda need: -need.unlocked), _unlocking(needs, aside))


def _unlocking(needs: Iterable[TaskNeed], aside: Collection[UUID]) -> list[Unlocking]:
    """The items that let an element be asked that cannot be asked yet, those that unlock most first."""
    unlocked: defaultdict[UUID, list[str]] = defaultdict(list)
    completed: defaultdict[UUID, list[str]] = defaultdict(list)
    for need in needs:
        by_item: defaultdict[UUID, list[str]] = defaultdict(list)
        for one in need.elements:
            for item in one.items if one.state == "unlocked" else ():
                by_item[item].append(one.code)
        can_now = need.is_completable()
        for item, codes in by_item.items():
            unlocked[item] += codes
            if not can_now and need.is_completable(codes):
                completed[item].append(need.code)
    found = [Unlocking(item, tuple(codes), tuple(completed[item])) for item, codes in unlocked.items()]
    found.sort(key=lambda one: (one.item in aside, -len(one.elements), -len(one.tasks), one.item))
    before: set[str] = set()
    for place, each in enumerate(found):
        found[place] = replace(each, repeats=before.issuperset(each.elements))
        before.update(each.elements)
    return sorted(found, key=lambda one: one.repeats)


def _add_items(user: Any, elements: dict[str, ElementNeed], missing: defaultdict[str, set[str]]) -> set[UUID]:
    """An item can be asked when all its must points are approved; it waits when each other one has its passage. An
    element has the items that it borrows, and those of its sub-elements. Returns those that were put aside."""
    must = Q(points__must=True)
    items = Item.objects.filter(acts_for(user, Role.REVIEWER), withdrawn=False).annotate(
        musts=Count("points", filter=must),
        approved=Count("points", filter=must & _APPROVED),
        open=Count("points", filter=must & _PENDING & _HAS_PASSAGE),
    )
    asked: Counter[str] = Counter()
    waiting: defaultdict[str, set[UUID]] = defaultdict(set)
    aside: set[UUID] = set()
    columns = ("pk", "elements", "queue_entry__aside", "musts", "approved", "open")
    for item, codes, put_aside, musts, approved, open_ in items.values_list(*columns):
        if put_aside:
            aside.add(item)
        for code in codes if musts else ():
            if approved == musts:
                asked[code] += 1
            elif approved + open_ == musts:
                waiting[code].add(item)
    for code, lent, _ in borrowing_elements(list(asked)):
        asked[code] = asked[lent]
        waiting[code] |= waiting[lent]
        missing[code] |= missing[lent]
        if code in elements:
            elements[code].lent = lent
    for one in elements.values():
        for need in filter(None, (one, elements.get(one.parent))):
            need.asked += asked[one.code]
            need.items |= waiting[one.code]
            need.missing |= missing[one.code]
    return aside


def _missing_by_element(user: Any) -> defaultdict[str, set[str]]:
    absent = Item.objects.filter(
        acts_for(user, Role.REVIEWER), withdrawn=False, points__anchor=AnchorState.MISSING, points__must=True
    ).exclude(points__missing_document="")
    missing: defaultdict[str, set[str]] = defaultdict(set)
    for codes, document in absent.values_list("elements", "points__missing_document").distinct():
        for code in codes if document else ():
            missing[code].add(document)
    return missing


def _claims_by_element(user: Any) -> Counter[str]:
    entries = QueueEntry.objects.filter(claim__in=claims_for(user).filter(STATES["waiting"]))
    each = entries.annotate(code=Func(F("elements"), function="unnest"))
    counted = each.order_by().values("code").annotate(claims=Count("pk"))
    return Counter(dict(counted.values_list("code", "claims")))
