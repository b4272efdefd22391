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
from curation.key_facts import key_facts_of
from curation.models import Claim, DecisionKind, ReviewDecision
from curation.selectors import claim_for, quotes_of, rests_on_nothing
from knowledge.generations import library_changed
from knowledge.graph.claims import ClaimSource, Match, elements_for_claim, link_claim
from knowledge.graph.identity import node_key
from knowledge.models import ConceptChunkEvidence
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.models.tenancy import Role
from knowledge.people import has_role
from knowledge.standards.references import Cited

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
    standing = ~Q(validation_status=ValidationStatus.REJECTED)
    with transaction.atomic():
        return _decide(claim, reviewer, DecisionKind.REJECT, version, standing, changes, reason)


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
                relation_type=RelationType.APPLIES_IN_SCENARIO, created_by="likeness"
            ).delete()
            return decided
    except IntegrityError as error:
        raise WrongDecision("Another claim already says exactly this; reject this one instead.") from error


def edit_and_approve_claim(
    claim_id: UUID | str, reviewer: Any, *, version: int, statement: str, priority: str = "", reason: str = ""
) -> Claim:
    """Both decisions of a reviewer who corrects a claim and stands by it; both or neither."""
    with transaction.atomic():
        edited = edit_claim(
            claim_id, reviewer, version=version, statement=statement, priority=priority, reason=reason
        )
        matches = _elements(edited)
        changes = {"validation_status": ValidationStatus.VALIDATED, **_FRESH}
        decided = _decide(edited, reviewer, DecisionKind.APPROVE, edited.version, _waiting(), changes, reason)
        link_claim(decided, matches)
        return decided


def _claim(claim_id: UUID | str, reviewer: Any) -> Claim:
    if not has_role(reviewer, Role.REVIEWER):
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
) -> Claim:
    """The conditional UPDATE and its audit row. Whoever changes no row came too late."""
    before = Claim.objects.select_for_update().get(pk=claim.pk)
    if kind == DecisionKind.APPROVE and version == before.version and rests_on_nothing(before):
        raise WrongDecision(
            "Its quote stands in no edition in force. Reject it, and approve what is drawn from the new edition."
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
        before=state_of(before).to_dict(),
        after=state_of(after).to_dict(),
        reason=reason.strip()[: conf.REASON_LENGTH],
    )
    library_changed(claim.tenant_id)  # what can be asked has changed with it
    return after


def state_of(claim: Claim) -> ClaimState:
    return ClaimState(claim.name, claim.validation_status, claim.priority, claim.version, claim.stale)


_SAID = {
    DecisionKind.APPROVE: "approved",
    DecisionKind.EDIT: "edited",
    DecisionKind.REJECT: "rejected",
    DecisionKind.REOPEN: "reopened",
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
        "key": node_key(ConceptCategory.REGULATORY_CLAIM, statement),
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


def _elements(claim: Claim) -> tuple[Match, ...]:
    """The elements the claim belongs to; none if somebody linked it already."""
    evidence = _first_evidence(claim)
    if (
        evidence is None
        or claim.relations_out.filter(relation_type=RelationType.APPLIES_IN_SCENARIO).exists()
    ):
        return ()
    document = evidence.chunk.document
    cited = Cited(
        doc_type=document.doc_type,
        abbreviation=document.abbreviation,
        title=document.title,
        edition=document.edition,
    )
    source = ClaimSource(cited=cited, section=evidence.chunk.section, heading=evidence.chunk.heading)
    return elements_for_claim(claim.name, source)


def _first_evidence(claim: Claim) -> ConceptChunkEvidence | None:
    return claim.evidence.select_related("chunk__document").order_by("evidence_type", "id").first()
