"""Verifies the chains of review decisions, and removes the decisions of a school that is given up.

A chain shows that a row was changed, removed, or added outside the application. A person who can rewrite the whole
table can also rewrite every hash; a head that was recorded in another place reveals that as well.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from heapq import merge
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.utils import timezone

from curation import conf
from curation.models import AuditChain, CaseDecision, GraphDecision, RemovedDecisions, ReviewDecision
from curation.values import link_hash
from knowledge.access.case_record import Case
from knowledge.access.people import acts_for, may_act_for
from knowledge.models import Tenant
from knowledge.models.tenancy import Role

KINDS: Final[dict[str, type[ReviewDecision | GraphDecision | CaseDecision]]] = {
    "claim": ReviewDecision,
    "graph": GraphDecision,
    "case": CaseDecision,
}
"""The tables whose rows form a school's chain together."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One break of a chain. `number` is the place in the chain, `decision` the row's id among those of its `kind`
    (`KINDS`); None and empty where it is missing."""

    school: str
    number: int
    decision: int | None
    fault: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """`rows` decisions were read; `heads` are the ends of the chains by school, to be noted elsewhere."""

    rows: int
    broken: tuple[Fault, ...]
    heads: dict[str, dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def verify_chains() -> Verified:
    """Recompute every school's chain and note the result in its row. Decisions that are made meanwhile are no fault."""
    slugs: dict[int | None, str] = {None: "", **dict(Tenant.objects.values_list("pk", "slug"))}
    before = {chain.tenant_id: chain for chain in AuditChain.objects.all()}
    owners = set(before)
    for chained in KINDS.values():
        owners |= set(chained.objects.order_by().values_list("tenant", flat=True).distinct())
    rows, broken, heads = 0, list[Fault](), dict[str, Any]()
    for tenant in sorted(owners, key=lambda one: one or 0):
        read, faults = _verify_chain(tenant, slugs[tenant], before.get(tenant))
        AuditChain.objects.filter(tenant=tenant).update(
            checked_at=timezone.now(), checked_rows=read, faults=[asdict(one) for one in faults]
        )
        rows, broken = rows + read, broken + faults
        if chain := before.get(tenant):
            heads[slugs[tenant]] = {"rows": chain.length, "hash": chain.head}
    return Verified(rows, tuple(broken), heads)


def _verify_chain(tenant: int | None, school: str, chain: AuditChain | None) -> tuple[int, list[Fault]]:
    """How many rows were read, and the faults. `chain` was read before the rows."""
    length, head = (chain.length, chain.head) if chain else (0, "")
    faults, rows, number = [], 0, 0
    previous: str | None = ""  # None after a gap: what stood there is unknown
    kinds = {chained: kind for kind, chained in KINDS.items()}
    tables = [
        chained.objects.filter(tenant=tenant).order_by("number").iterator(conf.AUDIT_BATCH)
        for chained in kinds
    ]
    for row in merge(*tables, key=lambda one: one.number):
        kind = kinds[type(row)]
        rows += 1
        if row.number != number + 1:
            # Past the end that was read before, one table may be read before a decision, the other after the next.
            if number < length:
                faults.append(
                    Fault(school, number + 1, None, _missing(number + 1, min(row.number - 1, length)))
                )
            previous = None
        if previous is not None and link_hash(previous, row.content) != row.hash:
            faults.append(Fault(school, row.number, row.pk, "differs from what was recorded", kind))
        elif row.number == length and row.hash != head:
            faults.append(
                Fault(school, row.number, row.pk, "is not the decision that the chain ends with", kind)
            )
        number, previous = row.number, row.hash
    if number < length:
        faults.append(Fault(school, number + 1, None, _missing(number + 1, length)))
    now = AuditChain.objects.filter(tenant=tenant).values_list("length", flat=True).first()
    if number > (now or 0):
        why = "was added past the end of the chain" if chain else "belongs to a chain whose end was removed"
        faults.append(Fault(school, (now or 0) + 1, None, why))
    return rows, faults


def _missing(first: int, last: int) -> str:
    return f"decision {first} is missing" if first == last else f"decisions {first} to {last} are missing"


def keep_case(case: Case) -> CaseDecision:
    """Record a decision on a dispute or an item in the chain of its school."""
    return CaseDecision.objects.create(
        kind=case.kind,
        row=case.id,
        decision=case.decision,
        reviewer=case.reviewer,
        tenant_id=case.tenant,
        before=case.before,
        after=case.after,
    )


def chains_for(user: Any) -> list[AuditChain]:
    """The chains that an operator or reviewer may know of, with their last verification."""
    own = AuditChain.objects.filter(acts_for(user, Role.OPERATOR, Role.REVIEWER))
    return list(own.select_related("tenant").order_by("tenant__slug"))


def remove_school_decisions(slug: str, person: Any, reason: str) -> RemovedDecisions:
    """Remove the decisions of a school that is given up, and record who did it and why; nothing else removes any.

    Raises ValueError without a reason or decisions, and PermissionDenied but for operators of the shared library.
    """
    if not reason.strip():
        raise ValueError("Say why the decisions are removed.")
    if not may_act_for(person, Role.OPERATOR, None):
        raise PermissionDenied("Only operators of the shared library remove a school's decisions.")
    with transaction.atomic():
        chain = AuditChain.objects.select_for_update(of=("self",)).filter(tenant__slug=slug).first()
        if chain is None:
            raise ValueError(f"there is no school {slug!r} that has decisions")
        with connection.cursor() as cursor:  # the trigger lets through what this transaction says it removes
            cursor.execute("SELECT set_config('heydpe.removed_school', %s, true)", [str(chain.tenant_id)])
            for chained in KINDS.values():
                cursor.execute(
                    f"DELETE FROM {chained._meta.db_table} WHERE tenant_id = %s", [chain.tenant_id]
                )
            cursor.execute("SELECT set_config('heydpe.removed_school', '', true)")
        chain.delete()
        return RemovedDecisions.objects.create(
            school=slug,
            rows=chain.length,
            head=chain.head,
            removed_by=person,
            reason=reason.strip()[: conf.REASON_LENGTH],
        )
