"""A claim becomes approved, edited or rejected: the only writer of `validated` on claims.

A decision is one conditional UPDATE on id, version and status, with one audit row in the same transaction.
Whoever decided on an older reading changes nothing and is told what happened since. Elements are looked up
before the transaction, so that none is open while a model works.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from curation import conf
from curation.extraction import fact_fault, material_of
from curation.models import Claim, DecisionKind, ReviewDecision
from curation.offline.key_facts import key_facts_of
from curation.reanchoring import lost_evidence, passage_of, quotes_after
from curation.selectors import claim_for, quotes_of, rests_on_nothing
from knowledge.access.people import schools_of
from knowledge.graph.claim_links import CREATED_BY, Match, elements_for_claim, link_claim, source_of
from knowledge.graph.identity import node_key
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.grounding.quotes import find_quote
from knowledge.library_version import library_changed
from knowledge.models import Chunk, Concept, ConceptChunkEvidence
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.models.tenancy import Role
from knowledge.standards.elements import element_named
from llm.registry import embedding_model

_FRESH = {"stale": False, "stale_reason": ""}


@dataclass(frozen=True)
class ClaimState:
    """A claim as it stood at one moment."""

    statement: str
    status: str
    priority: str
    version: int
    stale: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "statement": self.statement,
            "status": self.status,
            "priority": self.priority,
            "version": self.version,
            "stale": self.stale,
        }


@dataclass(frozen=True, slots=True)
class Link:
    """An element that a claim belongs to, and why in words."""

    code: str
    text: str
    reason: str


class StaleDecision(Exception):
    """Somebody decided first. `current` is the claim now, `changed` says in words what happened since it
    was read."""

    def __init__(self, current: ClaimState, changed: Sequence[str]) -> None:
        self.current = current
        self.changed = tuple(changed)
        super().__init__("This claim was changed since you read it: " + "; ".join(self.changed))


class WrongDecision(ValueError):
    """The decision cannot be made as it stands; the text says what to do."""


def approve_claim(claim_id: UUID | str, reviewer: Any, *, version: int, reason: str = "") -> Claim:
    """The claim counts from now on, and is linked to the elements it belongs to.

    Raises StaleDecision, UnknownClaim, PermissionDenied, and WrongDecision where its quote stands in no edition in
    force.
    """
    claim = _claim(claim_id, reviewer)
    matches = _elements(claim)
    changes = {"validation_status": ValidationStatus.VALIDATED, **_FRESH}
    with transaction.atomic():
        decided = _decide(claim, reviewer, DecisionKind.APPROVE, version, _waiting(), changes, reason)
        link_claim(decided, matches)
    return decided


def reject_claim(claim_id: UUID | str, reviewer: Any, *, version: int, reason: str) -> Claim:
    """The claim never counts; it stays, so that it is not drawn from the text again. A reason is wanted."""
    if not reason.strip():
        raise WrongDecision("Say why the claim is rejected.")
    claim = _claim(claim_id, reviewer)
    changes = {"validation_status": ValidationStatus.REJECTED, **_FRESH}
    with transaction.atomic():
        return _decide(claim, reviewer, DecisionKind.REJECT, version, _not_rejected(), changes, reason)


def edit_claim(
    claim_id: UUID | str, reviewer: Any, *, version: int, statement: str, priority: str = "", reason: str = ""
) -> Claim:
    """Another wording over the same quote. It waits for approval again; key facts are read from it anew.

    Raises WrongDecision where numbers, limits or negations differ from the quote, or where another claim
    says the same.
    """
    claim = _claim(claim_id, reviewer)
    changes = _edited(claim, " ".join(statement.split()), priority)
    try:
        with transaction.atomic():
            decided = _decide(claim, reviewer, DecisionKind.EDIT, version, Q(), changes, reason)
            decided.relations_out.filter(
                relation_type=RelationType.APPLIES_IN_SCENARIO, created_by=CREATED_BY
            ).delete()
            return decided
    except IntegrityError as error:
        raise WrongDecision("Another claim already says exactly this; reject this one instead.") from error


def edit_and_approve_claim(
    claim_id: UUID | str, reviewer: Any, *, version: int, statement: str, priority: str = "", reason: str = ""
) -> Claim:
    """Both decisions of a reviewer who corrects a claim and stands by it; both or neither."""
    matches = _elements(_claim(claim_id, reviewer), " ".join(statement.split()))
    with transaction.atomic():
        edited = edit_claim(
            claim_id, reviewer, version=version, statement=statement, priority=priority, reason=reason
        )
        changes = {"validation_status": ValidationStatus.VALIDATED, **_FRESH}
        decided = _decide(edited, reviewer, DecisionKind.APPROVE, edited.version, _waiting(), changes, reason)
        link_claim(decided, matches)
        return decided


def reanchor_claim(
    claim_id: UUID | str,
    reviewer: Any,
    *,
    version: int,
    evidence: int,
    chunk: UUID | str,
    quote: str,
    statement: str = "",
    reason: str = "",
) -> Claim:
    """A quote that is gone is replaced by one of the edition in force; the claim counts again, unless another of its
    quotes is gone, too.

    `evidence` is the row that lost its passage, `chunk` the passage in force that has the new quote, word for word.
    Raises StaleDecision, UnknownClaim, PermissionDenied, and WrongDecision.
    """
    claim = _claim(claim_id, reviewer)
    if claim.version != version:
        raise StaleDecision(state_of(claim), _changes_since(claim, version))
    matches = _elements(claim)
    try:
        with transaction.atomic():
            was = _told(claim)
            row = lost_evidence(claim).filter(pk=evidence).first()
            if row is None:
                raise WrongDecision("This piece of evidence does not wait for a new place.")
            _move_evidence(claim, row, chunk, quote, reviewer)
            changes = _edited(claim, " ".join(statement.split()) or claim.name, "") | _standing(claim)
            notes = was, _told(claim)
            decided = _decide(
                claim, reviewer, DecisionKind.REANCHOR, version, _not_rejected(), changes, reason, notes
            )
            if not decided.stale:
                link_claim(decided, matches)
            return decided
    except IntegrityError as error:
        raise WrongDecision("Another claim already says exactly this; retire this one instead.") from error


def retire_claim(claim_id: UUID | str, reviewer: Any, *, version: int, reason: str = "") -> Claim:
    """A claim that lost its evidence no longer counts, because the edition in force no longer says it."""
    claim = _claim(claim_id, reviewer)
    changes = {"validation_status": ValidationStatus.REJECTED, **_FRESH}
    told = reason.strip() or claim.stale_reason or "The edition in force no longer says it."
    waiting = _not_rejected() & Q(stale=True)
    with transaction.atomic():
        return _decide(claim, reviewer, DecisionKind.RETIRE, version, waiting, changes, told)


def _move_evidence(
    claim: Claim, row: ConceptChunkEvidence, chunk_id: UUID | str, quote: str, reviewer: Any
) -> None:
    """To the passage, with its new words; what else of the claim stands there word for word goes along."""
    chunk = passage_of(row, chunk_id)
    if chunk is None:
        raise WrongDecision("This passage is no longer in force. Look at what is offered now.")
    span = find_quote(chunk.text, quote)
    if span is None or len(quote) > conf.QUOTE_LENGTH:
        raise WrongDecision("The quote has to stand in the passage word for word. Copy it from there.")
    exact = " ".join(chunk.text[slice(*span)].split())
    claim.key_facts = {**claim.key_facts, "quotes": quotes_after(claim, row.quote, exact)}
    _place(row, chunk, exact, reviewer)
    for other in lost_evidence(claim):
        if find_quote(chunk.text, other.quote):
            _place(other, chunk, other.quote, reviewer)


def _place(row: ConceptChunkEvidence, chunk: Chunk, quote: str, reviewer: Any) -> None:
    lit = rectangles_for_quote(chunk.text, chunk.lines, quote)
    row.chunk, row.quote, row.reviewer = chunk, quote, reviewer
    row.page = lit[0].page if lit else chunk.page_start
    row.concept.evidence.filter(chunk=chunk, evidence_type=row.evidence_type).exclude(pk=row.pk).delete()
    row.save(update_fields=["chunk", "quote", "page", "reviewer"])


def _standing(claim: Claim) -> dict[str, Any]:
    """Approved where all that it rests on is in force; else it goes on waiting, with what is still to be placed."""
    left = lost_evidence(claim).first()
    if left is None:
        return {"validation_status": ValidationStatus.VALIDATED, **_FRESH}
    told = f"Another of its quotes has no place yet: “{left.quote}”"
    return {"validation_status": claim.validation_status, "stale": True, "stale_reason": told[:300]}


def _told(claim: Claim) -> dict[str, Any]:
    """What the claim rests on first, for the record."""
    row = _first_evidence(claim)
    if row is None:
        return {}
    return {"quote": row.quote, "document": str(row.chunk.document), "page": row.page}


def _not_rejected() -> Q:
    return ~Q(validation_status=ValidationStatus.REJECTED)


def _claim(claim_id: UUID | str, reviewer: Any) -> Claim:
    if not schools_of(reviewer, Role.REVIEWER):
        raise PermissionDenied("Only reviewers decide on claims.")
    return claim_for(reviewer, claim_id)


def _waiting() -> Q:
    return Q(validation_status=ValidationStatus.PENDING) | Q(
        validation_status=ValidationStatus.VALIDATED, stale=True
    )


def _decide(
    claim: Claim,
    reviewer: Any,
    kind: DecisionKind,
    version: int,
    allowed: Q,
    changes: dict[str, Any],
    reason: str,
    notes: tuple[dict[str, Any], dict[str, Any]] = ({}, {}),
) -> Claim:
    """The conditional UPDATE and its audit row, which keeps `notes` of before and after beside the states. Whoever
    changes no row came too late."""
    before = Claim.objects.select_for_update().get(pk=claim.pk)
    if kind == DecisionKind.APPROVE and version == before.version and rests_on_nothing(before):
        raise WrongDecision(
            "Its quote stands in no edition in force. Place it in a passage that is offered, or retire the claim."
        )
    rows = Claim.objects.filter(allowed, pk=claim.pk, version=version)
    if not rows.update(version=F("version") + 1, updated_at=timezone.now(), **changes):
        raise StaleDecision(state_of(before), _changes_since(before, version))
    after = Claim.objects.get(pk=claim.pk)
    ReviewDecision.objects.create(
        claim_id=claim.pk,
        reviewer=reviewer,
        decision=kind,
        version_read=version,
        before=state_of(before).to_dict() | notes[0],
        after=state_of(after).to_dict() | notes[1],
        reason=reason.strip()[: conf.REASON_LENGTH],
    )
    library_changed(claim.tenant_id)  # what can be asked has changed with it
    return after


def state_of(claim: Concept) -> ClaimState:
    return ClaimState(claim.name, claim.validation_status, claim.priority, claim.version, claim.stale)


_SAID = {
    DecisionKind.APPROVE: "approved",
    DecisionKind.EDIT: "edited",
    DecisionKind.REJECT: "rejected",
    DecisionKind.REOPEN: "reopened",
    DecisionKind.REANCHOR: "placed in the edition in force",
    DecisionKind.RETIRE: "retired",
}


def _changes_since(claim: Claim, version: int) -> list[str]:
    later = ReviewDecision.objects.filter(claim_id=claim.pk, version_read__gte=version).select_related(
        "reviewer"
    )
    said = [
        (
            f"{decision.reviewer} {_SAID[DecisionKind(decision.decision)]} it on "
            f"{decision.created_at:%d %B %Y at %H:%M} UTC"
        )
        for decision in later.order_by("created_at", "id")
    ]
    if claim.stale and claim.stale_reason:
        said.append(f"its evidence changed: {claim.stale_reason}")
    if claim.version != version and not said:
        said = [f"you read version {version}, it is now version {claim.version}"]
    return said or [f"it is {claim.validation_status} and does not wait for this decision"]


def _edited(claim: Claim, statement: str, priority: str) -> dict[str, Any]:
    if not statement:
        raise WrongDecision("The statement is empty.")
    if len(statement) > conf.EDITED_LENGTH:
        raise WrongDecision(f"The statement is longer than {conf.EDITED_LENGTH} characters.")
    if fault := fact_fault(statement, *quotes_of(claim)):
        raise WrongDecision(f"The statement no longer agrees with its quote: {fault}")
    return {
        "name": statement,
        "key": node_key(claim.category, statement),
        "key_facts": _facts(claim, statement),
        "priority": priority or claim.priority,
        "validation_status": ValidationStatus.PENDING,
    }


def _facts(claim: Claim, statement: str) -> dict[str, Any]:
    """Key facts read from the new wording; what is not read from words (a reference, a role) is kept."""
    evidence = _first_evidence(claim)
    kept = dict(claim.key_facts)
    if evidence is None:
        return kept
    found = key_facts_of(statement, material_of(evidence.chunk), quotes=quotes_of(claim))
    given = {key: kept[key] for key in ("domain", "cfr_reference", "effective_date") if kept.get(key)}
    read_from_words = {
        "airspace_class",
        "altitude_band",
        "day_night",
        "aircraft",
        "visibility_sm",
        "cloud_clearance",
    }
    others = {key: value for key, value in kept.items() if key not in found and key not in read_from_words}
    return others | found | given


def _elements(claim: Claim, statement: str = "") -> tuple[Match, ...]:
    """The elements the claim belongs to; none if somebody linked it already. A new `statement` is linked anew."""
    links = claim.relations_out.filter(relation_type=RelationType.APPLIES_IN_SCENARIO)
    standing = links.exclude(created_by=CREATED_BY) if statement else links
    return () if standing.exists() else proposed_links(claim, statement)


def proposed_links(claim: Claim, statement: str = "") -> tuple[Match, ...]:
    """The elements that an approval would link the claim to, each with its reason."""
    evidence = _first_evidence(claim)
    if evidence is None:
        return ()
    return elements_for_claim(statement or claim.name, source_of(evidence.chunk), embedding_model())


def links_of(claim: Claim) -> list[Link]:
    """The elements that the claim belongs to; for one that waits, those that an approval would link it to."""
    edges = claim.relations_out.filter(
        relation_type=RelationType.APPLIES_IN_SCENARIO, target__category=ConceptCategory.ACS_ELEMENT
    ).order_by("-confidence", "target__key")
    found = [(edge.target.key.partition(":")[2], edge.reason) for edge in edges.select_related("target")]
    if not found and claim.validation_status == ValidationStatus.PENDING:
        found = [(match.code, match.reason) for match in proposed_links(claim)]
    elements = ((element_named(code), reason) for code, reason in found)
    return [Link(element.code, element.text, reason) for element, reason in elements]


def _first_evidence(claim: Claim) -> ConceptChunkEvidence | None:
    return claim.evidence.select_related("chunk__document").order_by("evidence_type", "id").first()
