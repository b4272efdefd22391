"""Merges two claims that say the same, and splits a claim that says more than one thing.

Both end the claim with a decision of its reviewer. `review.undo_decision` takes it back as long as nobody decided on
the new claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from curation import conf
from curation.extraction import facts_of_wording, find_fact_fault
from curation.models import Claim, DecisionKind, QueueEntry
from curation.reading.similar_claims import difference_between, likeness_of
from curation.review import end_claim
from curation.selectors import UnknownClaim, WrongDecision, claim_for, quotes_of
from knowledge.graph.identity import node_key
from knowledge.models import Concept, ConceptChunkEvidence
from knowledge.models.graph import EvidenceType, ValidationStatus


def merge_claims(claim_id: UUID | str, reviewer: Any, *, version: int, into: UUID | str) -> Claim:
    """Give the claim's evidence to another claim that says the same, and end it.

    Raises StaleDecision, UnknownClaim, PermissionDenied, and WrongDecision where the two do not agree or have little in
    common, or where the other one was rejected or matters less.
    """
    claim = claim_for(reviewer, claim_id)
    try:
        kept = claim_for(reviewer, into)
    except UnknownClaim as error:
        raise WrongDecision("The other claim is gone. Look at the claims beside again.") from error
    if kept.pk == claim.pk:
        raise WrongDecision("A claim cannot be merged with itself.")
    if (kept.tenant_id, kept.category) != (claim.tenant_id, claim.category):
        raise WrongDecision("Only two rules, or two definitions, of the same library can become one.")
    if likeness_of(claim, kept) < conf.SIMILAR_LIKENESS:
        raise WrongDecision("The two have too few words in common to say the same.")
    if fault := difference_between(claim, kept) or difference_between(kept, claim):
        raise WrongDecision(f"The two do not say the same: {fault}. If one of them is wrong, reject it.")
    if kept.priority > claim.priority:
        raise WrongDecision(f"The other claim is only {kept.priority}. Raise its priority first.")
    with transaction.atomic():
        locked = Concept.objects.select_for_update().get(pk=kept.pk)
        if locked.validation_status == ValidationStatus.REJECTED:
            raise WrongDecision("The other claim was rejected meanwhile. Decide on this one by itself.")
        moved = _copy_evidence(claim, kept)
        note = {"merged_into": str(kept.pk), "evidence": moved}
        return end_claim(claim, reviewer, DecisionKind.MERGE, version, f"Merged into: {kept.name}", note)


def _copy_evidence(claim: Claim, kept: Claim) -> list[int]:
    """Give the other claim each quote that it does not have; the keys of the new rows."""
    held = set(kept.evidence.values_list("chunk_id", "evidence_type"))
    quoted = {" ".join(quote.split()) for quote in kept.evidence.values_list("quote", flat=True)}
    added = []
    for row in claim.evidence.order_by("evidence_type", "id"):
        kinds = (row.evidence_type, EvidenceType.PRIMARY.value, EvidenceType.SECONDARY.value)
        kind = next((one for one in kinds if (row.chunk_id, one) not in held), None)
        if kind is None or " ".join(row.quote.split()) in quoted:
            continue
        held.add((row.chunk_id, kind))
        copied = {name: getattr(row, name) for name in ("chunk_id", "quote", "page", "confidence")}
        added.append(
            kept.evidence.create(evidence_type=kind, created_by="merge", reviewer=row.reviewer, **copied).pk
        )
    return added


def split_claim(claim_id: UUID | str, reviewer: Any, *, version: int, statements: Sequence[str]) -> Claim:
    """End the claim and let each of these statements wait as a claim over the same quotes.

    Raises StaleDecision, UnknownClaim, PermissionDenied, and WrongDecision where a statement does not agree with the
    quotes or is a claim already.
    """
    claim = claim_for(reviewer, claim_id)
    parts = list(dict.fromkeys(said for one in statements if (said := " ".join(one.split()))))
    if not 2 <= len(parts) <= conf.PARTS_MOST:
        raise WrongDecision(f"Write two to {conf.PARTS_MOST} statements, one on each line.")
    quotes = quotes_of(claim)
    for part in parts:
        if len(part) > conf.EDITED_LENGTH or len(part.split()) < conf.DEFINITION_LEAST_WORDS:
            raise WrongDecision(f"“{part[:80]}” is too short or too long for a statement of its own.")
        if fault := find_fact_fault(part, *quotes):
            raise WrongDecision(f"“{part[:80]}” does not agree with the quote: {fault}")
    keys = {node_key(claim.category, part): part for part in parts}
    if known := Concept.objects.filter(tenant=claim.tenant_id, key__in=keys).first():
        raise WrongDecision(
            f"“{known.name[:80]}” is a claim already. Leave it out, or merge this one with it."
        )
    with transaction.atomic():
        entry = QueueEntry.objects.filter(pk=claim.pk).first()
        made = [_make_part(claim, key, part, entry) for key, part in keys.items()]
        note = {"parts": [str(one.pk) for one in made]}
        return end_claim(claim, reviewer, DecisionKind.SPLIT, version, f"Split into {len(made)} claims", note)


def _make_part(claim: Claim, key: str, statement: str, entry: QueueEntry | None) -> Concept:
    rows = list(claim.evidence.select_related("chunk__document").order_by("evidence_type", "id"))
    read = facts_of_wording(statement, rows[0].chunk, quotes_of(claim)) if rows else {}
    given = {
        name: claim.key_facts[name]
        for name in ("cfr_reference", "effective_date")
        if claim.key_facts.get(name)
    }
    made = Concept.objects.create(
        tenant_id=claim.tenant_id,
        key=key,
        name=statement,
        category=claim.category,
        key_facts=read | given,
        priority=claim.priority,
    )
    ConceptChunkEvidence.objects.bulk_create(
        ConceptChunkEvidence(
            concept=made,
            **{
                name: getattr(row, name) for name in ("chunk", "evidence_type", "quote", "page", "confidence")
            },
            created_by="split",
        )
        for row in rows
    )
    QueueEntry.objects.create(
        claim=made, source=entry.source if entry else "", group=entry.group if entry else ""
    )
    return made
