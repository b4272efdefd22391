"""Read claims for reviewers: which they see, in which order, and with which evidence. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, IntegerField, Prefetch, Q, QuerySet, When

from curation.models import Claim, ReviewDecision
from curation.offline.key_facts import UNBOUND
from knowledge.access.people import acts_for
from knowledge.documents.queries import Passage, passage_for
from knowledge.ingestion.claim_anchoring import out_of_service
from knowledge.models import Concept, ConceptChunkEvidence
from knowledge.models.graph import EvidenceType, Priority, ValidationStatus
from knowledge.models.tenancy import Role

UNBOUND_LAST = Case(When(key_facts__has_key=UNBOUND, then=1), default=0, output_field=IntegerField()).asc()
ORDER = (UNBOUND_LAST, "priority", "created_at", "key")


class UnknownClaim(LookupError):
    """No claim with this id is among those that the reader may see."""


def claims_for(user: Any) -> QuerySet[Claim]:
    """The claims of the schools, or of the shared library, for which the user is a reviewer."""
    return Claim.objects.filter(acts_for(user, Role.REVIEWER))


def claim_for(user: Any, claim_id: UUID | str) -> Claim:
    """Raises UnknownClaim."""
    claim = claims_for(user).filter(pk=claim_id).first()
    if claim is None:
        raise UnknownClaim(f"there is no claim {claim_id}")
    return claim


def queue_for(user: Any) -> QuerySet[Claim]:
    """The claims that wait for a decision: P0 first, then the oldest; those that bind nobody in the oral last. Approved
    claims whose evidence changed wait too."""
    pending = Q(validation_status=ValidationStatus.PENDING)
    waiting = pending | Q(validation_status=ValidationStatus.VALIDATED, stale=True)
    return claims_for(user).filter(waiting).order_by(*ORDER)


@dataclass(frozen=True)
class Place:
    """A claim's neighbors in the queue, None at either end, and its number of `total`."""

    before: UUID | None
    after: UUID | None
    number: int
    total: int


def place_in_queue(user: Any, claim: Claim) -> Place:
    """The claim's place in the queue, or the place it would have."""
    queue = queue_for(user)
    ahead, behind = (
        queue.filter(_stands_before(claim)),
        queue.filter(~_stands_before(claim)).exclude(pk=claim.pk),
    )
    before = ahead.reverse().values_list("pk", flat=True).first()
    after = behind.values_list("pk", flat=True).first()
    return Place(before, after, ahead.count() + 1, queue.count())


def _stands_before(claim: Claim) -> Q:
    same_priority = Q(priority=claim.priority)
    older = Q(created_at__lt=claim.created_at) | Q(created_at=claim.created_at, key__lt=claim.key)
    in_group = Q(priority__lt=claim.priority) | (same_priority & older)
    unbound = Q(key_facts__has_key=UNBOUND)
    return ~unbound | (unbound & in_group) if UNBOUND in claim.key_facts else ~unbound & in_group


def waiting_by_priority(user: Any) -> dict[str, int]:
    counted = queue_for(user).order_by().values("priority").annotate(n=Count("pk"))
    found = {row["priority"]: row["n"] for row in counted}
    return {priority: found.get(priority, 0) for priority in Priority.values}


def evidence_for(concept: Concept) -> list[tuple[ConceptChunkEvidence, Passage]]:
    """The evidence of a claim or key point, each opened at its quote; primary evidence first."""
    rows = concept.evidence.select_related("chunk__document").order_by("evidence_type", "id")
    ordered = sorted(rows, key=lambda row: row.evidence_type != EvidenceType.PRIMARY)
    return [(row, passage_for(row.chunk, row.quote, row.page)) for row in ordered]


def is_out_of_service(claim: Claim) -> bool:
    """Whether all primary evidence (or, without any, all evidence) stands in passages out of service. A claim without
    evidence was written by hand: the reviewer answers for it."""
    first = claim.evidence.filter(evidence_type=EvidenceType.PRIMARY)
    rows = first if first.exists() else claim.evidence.all()
    return rows.exists() and not rows.exclude(out_of_service()).exists()


def decisions_for(claim: Claim) -> QuerySet[ReviewDecision]:
    return (
        ReviewDecision.objects.filter(claim_id=claim.pk)
        .select_related("reviewer")
        .order_by("-created_at", "-id")
    )


def quotes_of(claim: Claim) -> list[str]:
    """The exact words the claim rests on, its lead-in before the item."""
    said = claim.key_facts.get("quotes") if isinstance(claim.key_facts, dict) else None
    stored = list(claim.evidence.values_list("quote", flat=True))
    return [str(quote) for quote in said] if said else stored


def with_evidence(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    """The same claims with their evidence prefetched, without the passages' texts."""
    rows = ConceptChunkEvidence.objects.select_related("chunk__document").only(
        *("concept_id", "evidence_type", "quote", "page", "chunk__document__title"),
        "chunk__document__abbreviation",
    )
    return claims.prefetch_related(Prefetch("evidence", rows))


def claim_as_dict(claim: Claim) -> dict[str, Any]:
    """A claim as the queue and the command show it."""
    evidence = min(claim.evidence.all(), key=lambda row: (row.evidence_type, row.pk), default=None)
    document = evidence.chunk.document if evidence else None
    return {
        "id": str(claim.pk),
        "statement": claim.name,
        "priority": claim.priority,
        "status": claim.validation_status,
        "version": claim.version,
        "stale": claim.stale,
        "key_facts": claim.key_facts,
        "document": str(document) if document else None,
        "page": evidence.page if evidence else None,
        "quote": evidence.quote if evidence else "",
    }
