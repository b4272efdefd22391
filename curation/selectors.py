"""Reads claims for reviewers: which ones they see, in which order, and with which evidence. Changes nothing.

`curation.queue` decides what waits for whom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce, JSONObject
from waffle.models import Flag

from curation.models import Claim, DecisionKind, ReviewDecision
from knowledge.access.people import acts_for
from knowledge.conf import ORALS, UNBOUND
from knowledge.documents.queries import Passage, pages_of, passage_for
from knowledge.flags import SINGLE_READER
from knowledge.grounding.citations import find_quote
from knowledge.ingestion.claim_anchoring import out_of_service
from knowledge.models import ConceptChunkEvidence, Membership, Page
from knowledge.models.graph import UNBOUND_LAST, EvidenceType, Priority
from knowledge.models.tenancy import Role

DECIDED_BY = ME, COLLEAGUES = "me", "colleagues"
ORDER = (UNBOUND_LAST.asc(), "priority", "created_at", "key")


class UnknownClaim(LookupError):
    """No claim with this id is among those that the reader may see."""


class WrongDecision(ValueError):
    """The decision cannot be made as it stands; the text says what to do."""


def claims_for(user: Any, *, points: bool = False) -> QuerySet[Claim]:
    """The claims (or key points) of the schools, or of the shared library, for which the user is a reviewer."""
    return (Claim.points if points else Claim.objects).filter(acts_for(user, Role.REVIEWER))


def claim_for(user: Any, claim_id: UUID | str, *, point: bool = False) -> Claim:
    """A claim, or a key point. Raises UnknownClaim."""
    claim = claims_for(user, points=point).select_related("queue_entry").filter(pk=claim_id).first()
    if claim is None:
        raise UnknownClaim(f"there is no claim {claim_id}")
    return claim


def evidence_of(concepts: Collection[Any]) -> dict[UUID, list[tuple[ConceptChunkEvidence, Passage]]]:
    """The evidence of key points, by the id of their concept, each opened at its quote; primary evidence first. Two
    queries."""
    rows = ConceptChunkEvidence.objects.filter(concept__in=concepts).select_related("chunk__document")
    ordered = sorted(
        rows.order_by("evidence_type", "id"), key=lambda row: row.evidence_type != EvidenceType.PRIMARY
    )
    pages = pages_of(row.chunk for row in ordered)
    found: dict[UUID, list[tuple[ConceptChunkEvidence, Passage]]] = {}
    for row in ordered:
        passage = passage_for(row.chunk, row.quote, row.page, pages)
        found.setdefault(row.concept_id, []).append((row, passage))
    return found


@dataclass(frozen=True, slots=True)
class EvidenceShown:
    """A page, or a passage without pages, with all that a claim quotes from it. `parts` is the passage's text in order,
    each part with whether it is quoted."""

    rows: tuple[ConceptChunkEvidence, ...]
    passage: Passage
    parts: tuple[tuple[str, bool], ...]


def with_quotes_between(claim: Claim, rows: Sequence[ConceptChunkEvidence]) -> list[ConceptChunkEvidence]:
    """The claim's evidence, and the quotes of its passages that have no row of their own: a passage has one row for an
    item and one for its lead-in, but there may be a lead-in of the item in between."""
    stored = {row.quote for row in rows}
    told = list(claim.key_facts.get("quotes", ()))
    if stored.isdisjoint(told):
        return list(rows)  # its evidence was moved to other words
    between = [
        ConceptChunkEvidence(
            concept=claim, chunk=row.chunk, page=row.page, quote=quote, evidence_type=EvidenceType.SECONDARY
        )
        for quote in told
        if quote not in stored
        and (row := next((one for one in rows if find_quote(one.chunk.text, quote)), None))
    ]
    return [*rows, *between]


def evidence_shown(rows: Iterable[ConceptChunkEvidence]) -> list[EvidenceShown]:
    """A claim's evidence by page, primary evidence first."""
    ordered = sorted(
        rows, key=lambda row: (row.evidence_type != EvidenceType.PRIMARY, row.evidence_type, row.pk or 0)
    )
    sheets: dict[Any, list[tuple[ConceptChunkEvidence, Passage]]] = {}
    pages = pages_of(row.chunk for row in ordered)
    for row in ordered:
        passage = passage_for(row.chunk, row.quote, row.page, pages)
        sheets.setdefault(passage.page.pk if passage.page else row.chunk_id, []).append((row, passage))
    shown = []
    for found in sheets.values():
        first = found[0][1]
        lit = tuple(dict.fromkeys(one for _, passage in found for one in passage.lit))
        quotes = [row.quote for row, _ in found if row.chunk_id == first.chunk.pk]
        spans = sorted(span for quote in quotes if (span := find_quote(first.chunk.text, quote)))
        parts = tuple(_marked_parts(first.chunk.text, spans))
        shown.append(EvidenceShown(tuple(row for row, _ in found), replace(first, lit=lit), parts))
    return shown


def _marked_parts(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    at = 0
    for start, end in spans:
        yield text[at : max(at, start)], False
        yield text[max(at, start) : max(at, end)], True
        at = max(at, end)
    yield text[at:], False


def is_out_of_service(claim: Claim) -> bool:
    """Whether all primary evidence (or, without any, all evidence) stands in passages out of service. A claim without
    evidence was written by hand: the reviewer answers for it."""
    first = claim.evidence.filter(evidence_type=EvidenceType.PRIMARY)
    rows = first if first.exists() else claim.evidence.all()
    return rows.exists() and not rows.exclude(out_of_service()).exists()


def verdicts_waiting() -> QuerySet[ReviewDecision]:
    return ReviewDecision.objects.filter(decision=DecisionKind.VERDICT)


def reviewers_beside() -> QuerySet[Membership]:
    """The reviewers of the school of the claim that the outer query is about."""
    active = Membership.objects.filter(role=Role.REVIEWER, user__is_active=True)
    return active.annotate(school=Coalesce("tenant_id", 0)).filter(school=Coalesce(OuterRef("tenant_id"), 0))


def claims_read_by(user: Any) -> Q:
    """A condition for claims on which the user's verdict waits for another reviewer."""
    own = verdicts_waiting().filter(claim=OuterRef("pk"), version_read=OuterRef("version"), reviewer=user.pk)
    others = reviewers_beside().exclude(user=user.pk)
    return Q(Exists(own)) & Q(Exists(others)) & ~Q(Exists(single_reader_asked()))


def decisions_beside(user: Any) -> Q:
    """A condition for decisions that would tell this user what another reader said of a claim that still waits."""
    waiting = verdicts_waiting().filter(
        claim=OuterRef("claim"), version_read=OuterRef("claim__version"), reviewer=OuterRef("reviewer")
    )
    of_now = Q(Exists(waiting), version_read__gte=F("claim__version") - 1)
    return of_now & ~Q(reviewer=user.pk)


def decided_by(user: Any, reviewer: str) -> Q:
    """A condition for claims that one of `DECIDED_BY`, or the reviewer of this name, decided on, as far as the user may
    know of it."""
    rows = ReviewDecision.objects.filter(claim=OuterRef("pk")).exclude(decisions_beside(user))
    if reviewer == COLLEAGUES:
        rows = rows.exclude(reviewer=user.pk)
    else:
        rows = rows.filter(reviewer__username=user.get_username() if reviewer == ME else reviewer)
    return Q(Exists(rows))


def single_reader_asked() -> QuerySet[Any]:
    flags: QuerySet[Any] = Flag.objects.filter(name=SINGLE_READER, everyone=True)
    return flags


def unbound_in(certificate: str = "") -> Q:
    """Claims that bind nobody in the oral of a certificate, without one in any. One that says nothing of orals binds
    everybody."""
    unbound = Q(key_facts__has_key=UNBOUND)
    elsewhere = Q(key_facts__has_key=ORALS) & ~Q(**{f"key_facts__{ORALS}__contains": [certificate]})
    return unbound | elsewhere if certificate else unbound


def with_readings(claims: QuerySet[Any]) -> QuerySet[Any]:
    """The same claims, each with what `second_reader.readings_of` tells."""
    verdicts = verdicts_waiting().filter(claim=OuterRef("pk"), version_read=OuterRef("version"))
    said = JSONObject(
        reviewer="reviewer", name="reviewer__username", verdict=F("after__verdict"), reason="reason"
    )
    lowered = ReviewDecision.objects.filter(
        claim=OuterRef("pk"),
        decision=DecisionKind.EDIT,
        version_read=OuterRef("version") - 1,
        before__priority=Priority.P0,
    )
    counted = reviewers_beside().order_by().values("role").annotate(count=Count("pk")).values("count")
    told: QuerySet[Any] = claims.annotate(
        lowered=Exists(lowered),
        single=Exists(single_reader_asked()),
        reviewers=Coalesce(Subquery(counted), 0),
        said=ArraySubquery(verdicts.order_by("number").values(said=said)),
    )
    return told


def decisions_by(user: Any, *, points: bool = False) -> QuerySet[ReviewDecision]:
    """A reviewer's own decisions on claims (or key points) that they may still see, the last one first."""
    own = ReviewDecision.objects.filter(reviewer=user, claim__in=claims_for(user, points=points))
    return own.select_related("claim").order_by("-created_at", "-id")


def quotes_of(claim: Claim) -> list[str]:
    """The exact words the claim rests on, its lead-in before the item."""
    said = claim.key_facts.get("quotes") if isinstance(claim.key_facts, dict) else None
    stored = list(claim.evidence.values_list("quote", flat=True))
    return [str(quote) for quote in said] if said else stored


def with_evidence(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    """The same claims with their evidence prefetched, without the passages' texts."""
    return claims.prefetch_related(_evidence_told())


def _evidence_told() -> Prefetch[Any]:
    """Evidence with its document and, as `page_label`, what is printed on its page."""
    pages = Page.objects.filter(document=OuterRef("chunk__document"), number=OuterRef("page"))
    printed = Coalesce(Subquery(pages.values("label")), Value(""))
    rows = ConceptChunkEvidence.objects.select_related("chunk__document").only(
        *("concept_id", "evidence_type", "quote", "page", "chunk__document__title"),
        "chunk__document__abbreviation",
    )
    at_first = When(page=F("chunk__page_start"), then="chunk__page_label")
    return Prefetch("evidence", rows.annotate(page_label=Case(at_first, default=printed)))


def claim_as_dict(claim: Claim) -> dict[str, Any]:
    """A claim as the queue and the command show it."""
    prefetch_related_objects([claim], _evidence_told())  # unless it came `with_evidence`
    evidence: Any = min(claim.evidence.all(), key=lambda row: (row.evidence_type, row.pk), default=None)
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
        "page_label": evidence.page_label if evidence else "",
        "quote": evidence.quote if evidence else "",
    }
