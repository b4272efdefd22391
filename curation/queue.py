"""The verification queue: which claims wait for whom, in which order, and which are put aside or parked.

It also hands out items, and rows of the graph by the page. Parking, deferring, and flagging never change a claim: it
stays pending and counts for nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from typing import Any, ClassVar, Self, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import connection, models, transaction
from django.db.models import CharField, Count, Q, QuerySet, Value
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from django.utils import timezone

from curation import conf
from curation.models import (
    Aside,
    CaseDecision,
    CaseKind,
    Claim,
    DecisionKind,
    ItemEntry,
    ParkedGroup,
    QueueEntry,
    RelationEntry,
)
from curation.selectors import (
    ORDER,
    WrongDecision,
    claims_for,
    claims_read_by,
    decided_by,
    unbound_in,
    with_readings,
)
from knowledge.access.people import acts_for, may_act_for
from knowledge.conf import UNBOUND
from knowledge.graph.identity import node_key
from knowledge.grounding.applicability import subpart_in
from knowledge.ingestion.editions.work_identity import name_of_work
from knowledge.models import AcsElement, Chunk, Concept, ConceptRelation, Document, Item, Tenant
from knowledge.models.graph import (
    CLAIMED,
    UNBOUND_LAST,
    UNDECIDED,
    ConceptCategory,
    Priority,
    RelationType,
    ValidationStatus,
)
from knowledge.models.tenancy import Role
from knowledge.standards.certificate_data import DATA

ASIDE = {"defer": Aside.DEFERRED.value, "flag": Aside.FLAGGED.value, "in_line": ""}
"""What a decision puts a claim or item aside as."""
_IN_LINE = Q(queue_entry__isnull=True) | Q(queue_entry__aside="", queue_entry__parked__isnull=True)
STATES: Mapping[str, Q] = {
    "waiting": UNDECIDED & _IN_LINE,
    "deferred": UNDECIDED & Q(queue_entry__aside=Aside.DEFERRED, queue_entry__parked__isnull=True),
    "flagged": UNDECIDED & Q(queue_entry__aside=Aside.FLAGGED, queue_entry__parked__isnull=True),
    "aside": UNDECIDED & Q(queue_entry__parked__isnull=True) & Q(queue_entry__aside__gt=""),
    "parked": UNDECIDED & Q(queue_entry__parked__isnull=False),
    "approved": Q(validation_status=ValidationStatus.VALIDATED, stale=False),
    "rejected": Q(validation_status=ValidationStatus.REJECTED),
    "decided": ~UNDECIDED,
}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "state": tuple(STATES),
    "priority": tuple(Priority.values),
    "category": tuple(one.value for one in CLAIMED),
    "bound": ("yes", "no", *DATA.bound_kinds),
}
"""Filters with fixed values. `bound` is whether a claim binds somebody in any oral, or in that of a certificate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressFilter:
    """A filter of a queue as it stands in an address. `choices` are the values of members that have fixed ones."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @classmethod
    def from_query(cls, given: Mapping[str, Any]) -> Self:
        """The filter that an address names; values that do not exist are left out."""
        said = {one.name: str(given.get(one.name, "")).strip() for one in fields(cls)}
        known = {name: value for name, value in said.items() if value in cls.choices.get(name, (value,))}
        return cls(**{name: value[: conf.FILTER_LENGTH] for name, value in known.items() if value})

    @property
    def query(self) -> str:
        """As it stands in an address: "?state=parked", or ""."""
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        named = urlencode({one.name: said[one.name] for one in fields(self) if said[one.name] != one.default})
        return f"?{named}" if named else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFilter(AddressFilter):
    """Which claims a reviewer goes through. Empty members filter nothing; `reviewer` is as `decided_by` has it."""

    choices = CHOICES
    state: str = "waiting"
    source: str = ""
    group: str = ""
    priority: str = ""
    category: str = ""
    domain: str = ""
    bound: str = ""
    element: str = ""
    reviewer: str = ""
    q: str = ""

    @classmethod
    def from_query(cls, given: Mapping[str, Any]) -> Self:
        wanted = super(QueueFilter, cls).from_query(given)
        if wanted.reviewer and wanted.state == "waiting":  # what waits was decided by nobody
            return replace(wanted, state="decided")
        return wanted

    def condition(self, user: Any) -> Q:
        found = STATES[self.state]
        for name, path in _PATHS.items():
            if value := getattr(self, name):
                found &= Q(**{path: value})
        if self.bound:
            unbound = unbound_in("" if self.bound in ("yes", "no") else self.bound)
            found &= unbound if self.bound == "no" else ~unbound
        if self.reviewer:
            found &= decided_by(user, self.reviewer)
        if self.element:
            found &= serves(self.element)
        if self.q:
            found &= Q(name__icontains=self.q) | Q(key_facts__cfr_reference__iregex=_reference(self.q))
        return found


_PATHS = {
    "source": "queue_entry__source",
    "group": "queue_entry__group",
    "priority": "priority",
    "category": "category",
    "domain": "key_facts__domain",
}


def serves(code: str) -> Q:
    """Claims that will serve an element, or one of a Task ("PA.I.E"), or do already."""
    code = code.strip().upper()
    named = Q(code=code) | Q(parent__code=code) | Q(code__startswith=f"{code}.")
    codes = list(AcsElement.objects.filter(named).values_list("code", flat=True))
    linked = ConceptRelation.objects.filter(
        relation_type=RelationType.APPLIES_IN_SCENARIO,
        target__key__in=[node_key(ConceptCategory.ACS_ELEMENT, one) for one in codes],
    )
    return Q(queue_entry__elements__overlap=[*codes, code]) | Q(pk__in=linked.values("source"))


def _reference(words: str) -> str:
    """A pattern for references that name the words as a whole: "91.15" is not found in "91.155"."""
    number = words.removeprefix("14 CFR").strip(" §")
    return rf"(^|[^\w.]){re.escape(number)}([^\d]|$)"


# --- what waits, and in which order ---------------------------------------------------------------------------


def queue_for(user: Any, wanted: QueueFilter | None = None) -> QuerySet[Claim]:
    """The claims of a filter (without one, those that wait for a decision), without those that somebody else reads now
    or that wait for another reader: what binds nobody in the oral last, then P0 first, then the oldest."""
    condition = (wanted or QueueFilter()).condition(user)
    claims = claims_for(user).select_related("queue_entry").filter(condition).exclude(claims_read_by(user))
    return claims.exclude(read_by_others(user)).order_by(*ORDER)


def read_by_others(user: Any) -> Q:
    """A condition for claims, items and rows of the graph that somebody else reads now."""
    return Q(queue_entry__held_until__gt=timezone.now()) & ~Q(queue_entry__held_by=user)


@dataclass(frozen=True)
class Place:
    """A claim's neighbors in the queue, None at either end, its number of `total`, and how many there are by priority.
    Only the first `conf.QUEUE_COUNTED` claims are counted; `more` says that others follow. A claim that is not among
    those counted, as one of another state, has no number."""

    before: UUID | None
    after: UUID | None
    number: int | None
    total: int
    by_priority: Mapping[str, int]
    more: bool = False


def place_in_queue(
    user: Any, claim: Claim, wanted: QueueFilter | None = None, *, counted: int | None = None
) -> Place:
    """The claim's place in the queue, or the place it would have. One query. `counted` replaces `conf.QUEUE_COUNTED`:
    with 0 it only finds the neighbors, in a fraction of the time."""
    most = conf.QUEUE_COUNTED if counted is None else counted
    here = Tuple(UNBOUND_LAST, *ORDER[1:])
    stands = (int(UNBOUND in claim.key_facts), claim.priority, claim.created_at, claim.key)
    earlier, later = TupleLessThan(here, stands), TupleGreaterThan(here, stands)
    queue = queue_for(user, wanted)
    parts = {
        "before": queue.filter(earlier).reverse()[:1],
        "after": queue.filter(later)[:1],
        "line": queue[: most + 1] if most else queue.none(),
    }
    first, *others = (
        part.values_list("pk", "priority", Value(name, CharField())) for name, part in parts.items()
    )
    rows = list(first.union(*others, all=True))
    neighbors = {part: pk for pk, _, part in rows}
    line = [(pk, priority) for pk, priority, part in rows if part == "line"]
    counts = Counter(priority for _, priority in line)
    return Place(
        neighbors.get("before"),
        neighbors.get("after"),
        next((number for number, (pk, _) in enumerate(line[:most], 1) if pk == claim.pk), None),
        min(len(line), most),
        {one: counts[one] for one in Priority.values},
        len(line) > most,
    )


def next_to_read(user: Any, wanted: QueueFilter | None = None) -> Claim | None:
    """The first claim of the filter that nobody else reads; from now on this reader does."""
    claims: QuerySet[Claim] = with_readings(queue_for(user, wanted)).select_related("queue_entry__aside_by")
    return hand_out(claims, user)


Waiting = TypeVar("Waiting", Claim, Item)


def hand_out(queue: QuerySet[Waiting], user: Any) -> Waiting | None:
    """The first claim or item of a queue that nobody else reads; from now on this reader does."""
    for row in queue[: conf.HAND_OUT_TRIES]:
        if hold_for_reader(row, user) is None:
            return row
    return None


def hold_for_reader(row: Claim | Item, user: Any) -> Any:
    """Keep a claim or item for this reader for some minutes, and let go of others; or the person who reads it now."""
    if hold_rows([row], user):
        return None
    return _entries_of(row).select_related("held_by").get(pk=row.pk).held_by


def hold_page(queue: QuerySet[Any], user: Any, most: int) -> list[Any]:
    """The first rows of a queue, `most` of them, that nobody else reads; from now on this reader does."""
    for _ in range(conf.HAND_OUT_TRIES):
        rows = list(queue[:most])
        held = hold_rows(rows, user)
        if len(held) == len(rows):
            break
    return [row for row in rows if row.pk in held]


def hold_rows(rows: Sequence[Row], user: Any) -> set[Any]:
    """Keep rows of one kind for this reader for some minutes, and let go of others of it (of concepts, of the same
    category); the ids of those that nobody else reads."""
    if not rows:
        return set()
    entries = _entries_of(rows[0])
    if new := [row.pk for row in rows if not hasattr(row, "queue_entry")]:
        entries.bulk_create([entries.model(pk=pk) for pk in new], ignore_conflicts=True)
    now = timezone.now()
    named = {
        "rows": [row.pk for row in rows],
        "user": user.pk,
        "now": now,
        "until": now + timedelta(minutes=conf.HOLD_MINUTES),
        "categories": list({row.category for row in rows if isinstance(row, Concept)}),
    }
    sql = _HOLD.format(
        table=entries.model._meta.db_table,
        key=entries.model._meta.pk.column,
        alike=_ALIKE if named["categories"] else "",
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, named)
        return {pk for pk, held in cursor.fetchall() if held}


_HOLD = """
    WITH free AS (
        SELECT {key} FROM {table}
        WHERE {key} = ANY(%(rows)s)
              AND (held_by_id IS NULL OR held_by_id = %(user)s OR held_until IS NULL OR held_until <= %(now)s)
           OR {key} <> ALL(%(rows)s) AND held_by_id = %(user)s {alike}
        ORDER BY {key} FOR UPDATE
    )
    UPDATE {table}
    SET held_by_id = CASE WHEN {table}.{key} = ANY(%(rows)s) THEN %(user)s END,
        held_until = CASE WHEN {table}.{key} = ANY(%(rows)s) THEN %(until)s::timestamptz END
    FROM free WHERE {table}.{key} = free.{key}
    RETURNING {table}.{key}, held_until IS NOT NULL"""
"""Locks the rows in one order, since readers of pages hold several."""
_ALIKE = "AND (SELECT category FROM knowledge_concept WHERE id = claim_id) = ANY(%(categories)s)"
"""Claims, definitions and wrong beliefs have one table: a list of one kind does not let go of the claim in hand."""

Row = Claim | Item | Concept | ConceptRelation


def _entries_of(row: Row) -> models.Manager[Any]:
    if isinstance(row, ConceptRelation):
        return RelationEntry.objects
    return ItemEntry.objects if isinstance(row, Item) else QueueEntry.objects


# --- putting aside --------------------------------------------------------------------------------------------


def put_aside(row: Claim | Item, user: Any, aside: str) -> None:
    """Defer or flag a claim or item (`Aside`), which goes on record, or with "" put it back in line."""
    _entries_of(row).get_or_create(pk=row.pk)
    entries = _entries_of(row).filter(pk=row.pk)
    with transaction.atomic():
        changed = entries.exclude(aside=aside).update(aside=aside, aside_by=user if aside else None)
        if changed and aside:
            CaseDecision.objects.create(
                kind=CaseKind.ITEM if isinstance(row, Item) else CaseKind.CLAIM,
                row=str(row.pk),
                decision=DecisionKind.DEFER if aside == Aside.DEFERRED else DecisionKind.FLAG,
                reviewer=user,
                tenant_id=row.tenant_id,
                before={},
                after={"aside": str(aside), "what": str(row)},
            )
        entries.filter(held_by=user).update(held_by=None, held_until=None)


def park_group(
    user: Any,
    *,
    tenant: Tenant | None,
    source: str,
    group: str = "",
    unbound_only: bool = False,
    certificate: str = "",
) -> tuple[ParkedGroup, int]:
    """Park what waits of a document, or of one group of it, and what is extracted later; with how many claims. Only
    what binds nobody in any oral with `unbound_only`, and in that of the `certificate` if it is given.

    Raises WrongDecision, and PermissionDenied for a school that the person does not review for.
    """
    _check_reviewer(user, tenant)
    if certificate and certificate not in DATA.bound_kinds:
        raise WrongDecision(f"Nothing is known of a {certificate} oral. Choose a certificate of the board.")
    entries = QueueEntry.objects.filter(source=source, claim__tenant=tenant)
    if not source or not (entries.filter(group=group) if group else entries).exists():
        raise WrongDecision("There are no claims of this document or subpart.")
    named = {
        "tenant": tenant,
        "source": source,
        "group": group,
        "unbound_only": unbound_only or bool(certificate),
        "certificate": certificate,
    }
    with transaction.atomic():
        _, new = ParkedGroup.objects.get_or_create(**named, ended_at=None, defaults={"reviewer": user})
        park = ParkedGroup.objects.select_for_update().filter(**named, ended_at=None).first()
        if park is None:
            raise WrongDecision("Somebody has just brought this back. Look again.")
        count = _park_waiting(park)
        if new:
            _record_parking(park, user, DecisionKind.PARK, count)
        return park, count


def _record_parking(park: ParkedGroup, user: Any, kind: DecisionKind, claims: int) -> None:
    """In the chain, with how many claims it parked or brought back."""
    CaseDecision.objects.create(
        kind=CaseKind.PARKING,
        row=str(park.pk),
        decision=kind,
        reviewer=user,
        tenant=park.tenant,
        before={"parked": kind == DecisionKind.BRING_BACK},
        after={"parked": kind == DecisionKind.PARK, "what": str(park), "claims": claims},
    )


def _park_waiting(park: ParkedGroup, claims: Sequence[UUID] | None = None) -> int:
    """Park what waits and is covered, of these claims if they are given; with how many claims."""
    covered = Q(source=park.source, claim__tenant=park.tenant_id, parked__isnull=True)
    if park.group:
        covered &= Q(group=park.group)
    undecided = Claim.objects.filter(UNDECIDED)
    if park.unbound_only:
        undecided = undecided.filter(unbound_in(park.certificate))
    if claims is not None:
        undecided = undecided.filter(pk__in=claims)
    return QueueEntry.objects.filter(covered, claim__in=undecided).update(parked=park)


def bring_group_back(user: Any, park_id: int) -> tuple[ParkedGroup, int]:
    """End a parking: its claims wait again, but for those that another parking covers; with how many.

    Raises WrongDecision, PermissionDenied.
    """
    with transaction.atomic():
        park = ParkedGroup.objects.select_for_update().filter(pk=park_id, ended_at__isnull=True).first()
        if park is None:
            raise WrongDecision("This is not parked any more.")
        _check_reviewer(user, park.tenant)
        ParkedGroup.objects.filter(pk=park.pk).update(ended_by=user, ended_at=timezone.now())
        freed = park.entries.update(parked=None)
        others = ParkedGroup.objects.filter(tenant=park.tenant_id, source=park.source, ended_at__isnull=True)
        freed -= sum(map(_park_waiting, others))
        _record_parking(park, user, DecisionKind.BRING_BACK, freed)
        return park, freed


def parks_in_force(user: Any) -> QuerySet[ParkedGroup]:
    parks = ParkedGroup.objects.filter(acts_for(user, Role.REVIEWER), ended_at__isnull=True)
    return parks.select_related("reviewer", "tenant").annotate(claims=Count("entries"))


def _check_reviewer(user: Any, tenant: Tenant | None) -> None:
    if not may_act_for(user, Role.REVIEWER, tenant.pk if tenant else None):
        raise PermissionDenied("Only reviewers of this school park its claims.")


# --- the board ------------------------------------------------------------------------------------------------


def group_counts(user: Any) -> list[dict[str, Any]]:
    """A row for each document and group: what waits (also by P0, and what binds nobody in any oral, or in that of a
    certificate, under its name), and what was decided."""
    waiting = UNDECIDED & _IN_LINE
    rows = claims_for(user).filter(queue_entry__isnull=False)
    counted = rows.order_by("queue_entry__source", "queue_entry__group", "tenant").values(
        "queue_entry__source", "queue_entry__group", "tenant", "tenant__name"
    )
    return [
        {name.removeprefix("queue_entry__"): value for name, value in row.items()}
        for row in counted.annotate(
            waiting=Count("pk", filter=waiting),
            p0=Count("pk", filter=waiting & Q(priority=Priority.P0)),
            unbound=Count("pk", filter=waiting & unbound_in()),
            aside=Count("pk", filter=UNDECIDED & ~Q(queue_entry__aside="")),
            parked=Count("pk", filter=STATES["parked"]),
            approved=Count("pk", filter=STATES["approved"]),
            rejected=Count("pk", filter=STATES["rejected"]),
            **{name: Count("pk", filter=waiting & unbound_in(name)) for name in DATA.bound_kinds},
        )
    ]


# --- claims that come in ----------------------------------------------------------------------------------------


def enter_claims(claims: Sequence[UUID], chunk: Chunk) -> None:
    """Give new claims of a chunk their place in the queue, parked where their group is parked. Within a transaction."""
    if not claims:
        return
    source, group = source_of(chunk.document), group_of(chunk)
    # Locked, so that one that ends meanwhile does not keep a claim that it can no longer bring back.
    parks = ParkedGroup.objects.select_for_update().filter(
        Q(group="") | Q(group=group), tenant=chunk.document.tenant_id, source=source, ended_at__isnull=True
    )
    parks_found = list(parks)
    QueueEntry.objects.bulk_create(
        [QueueEntry(claim_id=pk, source=source, group=group) for pk in claims], ignore_conflicts=True
    )
    for park in parks_found:
        _park_waiting(park, claims)


def source_of(document: Document) -> str:
    """The document's name without its edition: AC 90-66B and AC 90-66C are one."""
    return name_of_work(str(document))[:300]


def group_of(chunk: Chunk) -> str:
    """The subpart that a passage stands in, with its part where the document has several; elsewhere the first heading
    above it."""
    path = [str(one) for one in chunk.section_path]
    group = subpart_in(path) or next(iter(path), "")
    part = re.match(r"(\d+)\.\d", chunk.section)
    if part and group.startswith("Subpart") and re.search(r"\bparts\b", chunk.document.title, re.I):
        group = f"Part {part[1]}, {group}"
    return group[:300]
