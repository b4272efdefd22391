"""Approves, edits, rejects, re-anchors, retires, and reopens claims: the only writer of `validated` on claims.

A decision is one conditional UPDATE on id, version, and status, with one audit row in the same transaction. A decision
on an older version changes nothing and raises StaleDecision. Elements are looked up before the transaction, so that
none is open while a model works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from curation import conf
from curation.extraction import facts_of_wording, find_fact_fault
from curation.models import Claim, DecisionKind, ParkedGroup, QueueEntry, ReviewDecision
from curation.offline.key_facts import read_fields
from curation.reading.editable_facts import BY_HAND, changed_facts
from curation.reading.reanchoring import lost_evidence, passage_offered, quotes_after
from curation.reading.second_reader import JUDGED, readings_of
from curation.reading.served_elements import (
    BY_REVIEWER,
    chosen_matches,
    keep_chosen,
    proposed_matches,
)
from curation.selectors import WrongDecision, claim_for, is_out_of_service, quotes_of, unbound_in
from knowledge.access.people import schools_of
from knowledge.conf import UNBOUND
from knowledge.graph.claim_links import CREATED_BY, Match, link_claim
from knowledge.graph.identity import node_key
from knowledge.grounding.citations import find_quote
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.library_version import library_changed
from knowledge.models import Chunk, Concept, ConceptChunkEvidence
from knowledge.models.graph import UNDECIDED, RelationType, ValidationStatus
from knowledge.models.tenancy import Role
from knowledge.standards.elements import UnknownElement

_APPROVED: Final[dict[str, Any]] = {
    "validation_status": ValidationStatus.VALIDATED,
    "stale": False,
    "stale_reason": "",
}
_REJECTED: Final[dict[str, Any]] = {**_APPROVED, "validation_status": ValidationStatus.REJECTED}
_NOT_REJECTED: Final = ~Q(validation_status=ValidationStatus.REJECTED)
_DECIDED: Final = Q(validation_status__in=[ValidationStatus.VALIDATED, ValidationStatus.REJECTED])
_READ_FROM_WORDS: Final = frozenset(
    ("airspace_class", "altitude_band", "day_night", "aircraft", "visibility_sm", "cloud_clearance", UNBOUND)
) | {one["name"] for one in read_fields() if "quantity" in one}
"""Key facts that a new wording may drop."""
NOT_UNDONE: Final = (DecisionKind.REOPEN, DecisionKind.REANCHOR)
STALE_BEFORE: Final = "Its evidence had changed before the decision that was taken back."
_EDITED: Final[dict[str, Any]] = {"with_edit": True}
"""Notes an approval that was one decision with the edit before it."""
_PAST_TENSE: Final = {
    DecisionKind.APPROVE: "approved",
    DecisionKind.EDIT: "edited",
    DecisionKind.REJECT: "rejected",
    DecisionKind.REOPEN: "reopened",
    DecisionKind.REANCHOR: "placed in the edition in force",
    DecisionKind.RETIRE: "retired",
    DecisionKind.MERGE: "merged",
    DecisionKind.SPLIT: "split",
}


@dataclass(frozen=True)
class ClaimState:
    """A claim as it stood at one moment."""

    statement: str
    status: str
    priority: str
    version: int
    stale: bool

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class StaleDecision(Exception):
    """Somebody decided first. `current` is the claim now, `changed` what happened since it was read, in words."""

    def __init__(self, current: ClaimState, changed: Sequence[str]) -> None:
        self.current = current
        self.changed = tuple(changed)
        super().__init__("This claim was changed since you read it: " + "; ".join(self.changed))


def approve_claim(
    claim_id: UUID | str,
    reviewer: Any,
    *,
    version: int,
    reason: str = "",
    elements: Sequence[str] | None = None,
    note: Mapping[str, Any] = MappingProxyType({}),
) -> Claim:
    """Let the claim count from now on, and link it to its elements: those of these codes, else those proposed. A
    P0 claim that needs a second reader stays as it is until that one agrees. `note` is kept in the audit row.

    Raises StaleDecision, UnknownClaim, PermissionDenied, and WrongDecision where its quote stands in no edition in
    force, or where no standard has one of the elements.
    """
    claim = _claim_to_decide(claim_id, reviewer)
    matches = _elements_to_link(claim, elements=elements)
    with transaction.atomic():
        decided = _record_decision(
            claim,
            reviewer,
            DecisionKind.APPROVE,
            version,
            UNDECIDED,
            _APPROVED,
            reason,
            ({}, {**note, **_note_of_elements(elements)}),
        )
        if not decided.is_undecided:
            _link_to(decided, matches, elements)
    return decided


def reject_claim(claim_id: UUID | str, reviewer: Any, *, version: int, reason: str) -> Claim:
    """Never let the claim count. It stays, so that it is not extracted again. A P0 claim that waits needs a second
    reader, as for an approval. Raises WrongDecision without a reason."""
    if not reason.strip():
        raise WrongDecision("Say why the claim is rejected.")
    claim = _claim_to_decide(claim_id, reviewer)
    with transaction.atomic():
        return _record_decision(
            claim, reviewer, DecisionKind.REJECT, version, _NOT_REJECTED, _REJECTED, reason
        )


def edit_claim(
    claim_id: UUID | str,
    reviewer: Any,
    *,
    version: int,
    statement: str,
    priority: str = "",
    reason: str = "",
    facts: Mapping[str, str] | None = None,
) -> Claim:
    """Reword the claim over the same quote. It waits for approval again, with key facts read anew, but for those that
    the reviewer changed in `facts` (as `editable_facts` names them).

    Raises WrongDecision where numbers, limits or negations differ from the quote, or where another claim says the same.
    """
    claim = _claim_to_decide(claim_id, reviewer)
    changes = _changes_of_wording(claim, statement, priority, facts or {})
    try:
        with transaction.atomic():
            notes: tuple[dict[str, Any], dict[str, Any]] = ({"key_facts": claim.key_facts}, {})
            decided = _record_decision(
                claim, reviewer, DecisionKind.EDIT, version, Q(), changes, reason, notes
            )
            _drop_links(decided)
            return decided
    except IntegrityError as error:
        raise WrongDecision("Another claim already says exactly this; reject this one instead.") from error


def edit_and_approve_claim(
    claim_id: UUID | str,
    reviewer: Any,
    *,
    version: int,
    statement: str,
    elements: Sequence[str] | None = None,
    **given: Any,
) -> Claim:
    """Reword the claim and approve it; both or neither. Takes what `edit_claim` and `approve_claim` take."""
    reason = given.get("reason", "")
    matches = _elements_to_link(
        _claim_to_decide(claim_id, reviewer), " ".join(statement.split()), elements=elements
    )
    with transaction.atomic():
        edited = edit_claim(claim_id, reviewer, version=version, statement=statement, **given)
        decided = _record_decision(
            edited,
            reviewer,
            DecisionKind.APPROVE,
            edited.version,
            UNDECIDED,
            _APPROVED,
            reason,
            ({}, _EDITED | _note_of_elements(elements)),
        )
        if not decided.is_undecided:
            _link_to(decided, matches, elements)
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
    """Replace a quote that is gone by one of the edition in force; the claim counts again unless another quote is gone.

    `evidence` is the row that lost its passage, `chunk` the passage in force that has the new quote, word for word.
    Raises StaleDecision, UnknownClaim, PermissionDenied, and WrongDecision.
    """
    claim = _claim_to_decide(claim_id, reviewer)
    if claim.version != version:
        raise StaleDecision(state_of(claim), changes_since(claim, version))
    matches = _elements_to_link(claim)
    try:
        with transaction.atomic():
            was = _evidence_note(claim)
            row = lost_evidence(claim).filter(pk=evidence).first()
            if row is None:
                raise WrongDecision("This piece of evidence does not wait for a new place.")
            _move_evidence(claim, row, chunk, quote, reviewer)
            changes = _changes_of_wording(claim, statement or claim.name, "") | _APPROVED
            if left := lost_evidence(claim).first():
                changes |= {
                    "validation_status": claim.validation_status,
                    "stale": True,
                    "stale_reason": f"Another of its quotes has no place yet: “{left.quote}”"[:300],
                }
            again = left is None and readings_of(claim).two_needed  # a second reader for the new place, too
            if again:
                changes["validation_status"] = ValidationStatus.PENDING
            notes = was, _evidence_note(claim)
            decided = _record_decision(
                claim, reviewer, DecisionKind.REANCHOR, version, _NOT_REJECTED, changes, reason, notes
            )
            if again:
                return _note_verdict(decided, reviewer, DecisionKind.APPROVE, reason)
            if not decided.stale:
                link_claim(decided, matches)
            return decided
    except IntegrityError as error:
        raise WrongDecision("Another claim already says exactly this; retire this one instead.") from error


def retire_claim(claim_id: UUID | str, reviewer: Any, *, version: int, reason: str = "") -> Claim:
    """Let a claim that lost its evidence count no longer, because the edition in force no longer says it."""
    claim = _claim_to_decide(claim_id, reviewer)
    why = reason.strip() or claim.stale_reason or "The edition in force no longer says it."
    allowed = _NOT_REJECTED & Q(stale=True)
    with transaction.atomic():
        return _record_decision(claim, reviewer, DecisionKind.RETIRE, version, allowed, _REJECTED, why)


def reopen_claim(
    claim_id: UUID | str, reviewer: Any, *, version: int, reason: str = "", point: bool = False
) -> Claim:
    """Let a claim, or a key point, that was approved or rejected wait for a decision again, without the links of an
    approval."""
    claim = _claim_to_decide(claim_id, reviewer, point=point)
    with transaction.atomic():
        pending = {"validation_status": ValidationStatus.PENDING, **_staleness(claim)}
        reopened = _record_decision(claim, reviewer, DecisionKind.REOPEN, version, _DECIDED, pending, reason)
        _drop_links(reopened)
        return reopened


def end_claim(
    claim: Claim, reviewer: Any, kind: DecisionKind, version: int, reason: str, note: dict[str, Any]
) -> Claim:
    """Let the claim count no longer because others take its place; `note` names them. Within a transaction."""
    _claim_to_decide(claim.pk, reviewer)
    return _record_decision(claim, reviewer, kind, version, _NOT_REJECTED, _REJECTED, reason, ({}, note))


def undo_decision(decision_id: int, reviewer: Any, *, point: bool = False) -> Claim:
    """Take back an own decision on a claim, or a key point: it reads as before and waits, or is approved or rejected as
    it was. It is stale if it was, or if its evidence went out of force meanwhile. What a merge or a split made is
    removed.

    Raises WrongDecision where the claim, or a part of it, was decided on since, or where the decision moved evidence.
    """
    decision = ReviewDecision.objects.filter(pk=decision_id, reviewer=reviewer).first()
    if decision is None or decision.decision in NOT_UNDONE:
        raise WrongDecision("Only your own approvals, edits and rejections can be taken back.")
    claim = _claim_to_decide(decision.claim_id, reviewer, point=point)
    version = int(decision.after["version"])
    if claim.version != version:
        changed = "; ".join(changes_since(claim, version))
        raise WrongDecision(
            f"This was changed since, so it is not taken back: {changed}. Look at it and decide again."
        )
    if decision.decision == DecisionKind.VERDICT and readings_of(claim).disputed:
        raise WrongDecision("A second reviewer has read this claim and differs. Look at it and decide again.")
    before = _state_before(decision)
    if before["statement"] != claim.name and "key_facts" not in before:
        raise WrongDecision("This edit was made before edits could be taken back. Edit the claim again.")
    changes: dict[str, Any] = {"priority": before["priority"], "validation_status": before["status"]}
    if "key_facts" in before:
        words = before["statement"]
        changes |= {"name": words, "key": node_key(claim.category, words), "key_facts": before["key_facts"]}
    approved = before["status"] == ValidationStatus.VALIDATED
    matches = _elements_to_link(claim, before["statement"]) if approved and not point else ()
    why = f"{DecisionKind(decision.decision).label} taken back"
    try:
        with transaction.atomic():
            if before["status"] != ValidationStatus.REJECTED:
                changes |= _staleness(claim, STALE_BEFORE if before["stale"] else "")
            _remove_what_it_made(decision)
            undone = _record_decision(claim, reviewer, DecisionKind.REOPEN, version, Q(), changes, why)
            if approved and not undone.stale:
                link_claim(undone, matches)
            elif not approved:
                _drop_links(undone)
            return undone
    except IntegrityError as error:
        raise WrongDecision("Another claim says meanwhile what this one said before.") from error


def _remove_what_it_made(decision: ReviewDecision) -> None:
    """The quotes that a merge gave to another claim, and the parts of a split."""
    copied = ConceptChunkEvidence.objects.filter(
        pk__in=decision.after.get("evidence", ()), concept_id=decision.after.get("merged_into")
    )
    copied.filter(created_by="merge").delete()
    parts = Concept.objects.select_for_update().filter(pk__in=decision.after.get("parts", ()))
    if any(part.version > 1 for part in parts):
        raise WrongDecision("Somebody decided on a part of this claim. Reject its parts, then reopen it.")
    parts.delete()


def _state_before(decision: ReviewDecision) -> dict[str, Any]:
    """The claim before a decision, or before the edit that was one decision with an approval."""
    state: dict[str, Any] = decision.before
    if not decision.after.get("with_edit"):
        return state
    edit = ReviewDecision.objects.get(
        claim_id=decision.claim_id, decision=DecisionKind.EDIT, after__version=decision.version_read
    )
    return dict(edit.before)


def _staleness(claim: Claim, why: str = "") -> dict[str, Any]:
    """Whether the claim's quotes stand in no edition in force, or are stale for another reason `why`, as fields."""
    lost = lost_evidence(claim).first()
    return staleness_of(lost.quote if lost else None, why)


def staleness_of(lost: str | None, why: str = "") -> dict[str, Any]:
    """The fields of a claim that `lost` this quote, or is stale for another reason `why`, or neither."""
    if lost is not None:
        why = f"Its quote is in no edition in force: “{lost}”"[:300]
    return {"stale": bool(why), "stale_reason": why}


def _drop_links(claim: Claim) -> None:
    """Remove the links that an approval made, not those of a person."""
    made = claim.relations_out.filter(relation_type=RelationType.APPLIES_IN_SCENARIO, created_by=CREATED_BY)
    made.delete()


def state_of(claim: Concept) -> ClaimState:
    """The claim as it is now, for the record."""
    return ClaimState(claim.name, claim.validation_status, claim.priority, claim.version, claim.stale)


def _claim_to_decide(claim_id: UUID | str, reviewer: Any, *, point: bool = False) -> Claim:
    if not schools_of(reviewer, Role.REVIEWER):
        raise PermissionDenied("Only reviewers decide on claims.")
    return claim_for(reviewer, claim_id, point=point)


def _record_decision(
    claim: Claim,
    reviewer: Any,
    kind: DecisionKind,
    version: int,
    allowed: Q,
    changes: dict[str, Any],
    reason: str,
    notes: tuple[dict[str, Any], dict[str, Any]] = ({}, {}),
) -> Claim:
    """The conditional UPDATE and its audit row, which keeps `notes` of before and after beside the states. Raises
    StaleDecision where no row is at this version and `allowed`."""
    every = Claim._base_manager  # a key point is no claim, and is reopened and taken back as one
    before = every.select_for_update().get(pk=claim.pk)
    if kind == DecisionKind.APPROVE and version == before.version and is_out_of_service(before):
        raise WrongDecision(
            "Its quote is in no edition in force. Move it to a suggested passage, or retire the claim."
        )
    if kind in JUDGED and before.is_undecided and version == before.version:
        readings = readings_of(before)
        waits = readings.two_needed and not readings.is_decided_by(reviewer, kind)
        notes = notes[0], notes[1] | ({"settles": True} if readings.disputed else {})
        if waits:
            return _note_verdict(before, reviewer, kind, reason, notes[1])
    rows = every.filter(allowed, pk=claim.pk, version=version)
    if not rows.update(version=F("version") + 1, updated_at=timezone.now(), **changes):
        raise StaleDecision(state_of(before), changes_since(before, version))
    QueueEntry.objects.filter(pk=claim.pk).exclude(aside="").update(aside="", aside_by=None)
    if changes.get("name", before.name) != before.name:  # other words may serve other elements
        QueueEntry.objects.filter(pk=claim.pk).update(elements_found_at=None)
    after = every.get(pk=claim.pk)
    parking = ParkedGroup.objects.filter(entries=claim.pk, unbound_only=True).first()
    if parking and not every.filter(unbound_in(parking.certificate), pk=claim.pk).exists():
        QueueEntry.objects.filter(pk=claim.pk).update(parked=None)  # that parking no longer covers it
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


def _note_verdict(
    claim: Claim,
    reviewer: Any,
    verdict: DecisionKind,
    reason: str,
    note: Mapping[str, Any] = MappingProxyType({}),
) -> Claim:
    """Record what a reader said of a claim that waits for another one. The claim stays as it is."""
    state = state_of(claim).to_dict()
    ReviewDecision.objects.create(
        claim_id=claim.pk,
        reviewer=reviewer,
        decision=DecisionKind.VERDICT,
        version_read=claim.version,
        before=state,
        after=state | {"verdict": verdict.value, **note},
        reason=reason.strip()[: conf.REASON_LENGTH],
    )
    QueueEntry.objects.filter(pk=claim.pk, held_by=reviewer).update(held_by=None, held_until=None)
    return claim


def changes_since(claim: Concept, version: int) -> list[str]:
    """What happened to a claim or key point since this version, in words."""
    later = ReviewDecision.objects.filter(claim_id=claim.pk, version_read__gte=version)
    later = later.exclude(decision=DecisionKind.VERDICT)  # not for another reader
    said = [
        f"{one.reviewer} {_PAST_TENSE[DecisionKind(one.decision)]} it on {one.created_at:%d %B %Y at %H:%M} UTC"
        for one in later.select_related("reviewer").order_by("created_at", "id")
    ]
    if claim.stale and claim.stale_reason:
        said.append(f"its evidence changed: {claim.stale_reason}")
    if claim.version != version and not said:
        said = [f"you read version {version}, it is now version {claim.version}"]
    return said or [f"it is {claim.validation_status} and does not wait for this decision"]


def _changes_of_wording(
    claim: Claim, statement: str, priority: str, facts_sent: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """The fields of the claim in a new wording. Raises WrongDecision where it does not agree with the quotes."""
    statement = " ".join(statement.split())
    if not statement:
        raise WrongDecision("The statement is empty.")
    if len(statement) > conf.EDITED_LENGTH:
        raise WrongDecision(f"The statement is longer than {conf.EDITED_LENGTH} characters.")
    if fault := find_fact_fault(statement, *quotes_of(claim)):
        raise WrongDecision(f"The statement no longer agrees with its quote: {fault}")
    facts = dict(claim.key_facts)
    by_hand = changed_facts(claim, facts_sent)
    if statement != claim.name and (evidence := _first_evidence(claim)):
        # Those that are not read from words (a reference, a role) are kept.
        found = facts_of_wording(statement, evidence.chunk, quotes_of(claim))
        given = {key: facts[key] for key in ("domain", "cfr_reference", "effective_date") if facts.get(key)}
        others = {key: value for key, value in facts.items() if key not in _READ_FROM_WORDS}
        corrected = {key: facts.get(key, "") for key in facts.get(BY_HAND, ())}
        facts = others | found | given | corrected
    if by_hand:
        facts |= by_hand | {BY_HAND: sorted({*facts.get(BY_HAND, ()), *by_hand})}
    emptied = {name for name in facts.get(BY_HAND, ()) if facts.get(name) in ("", [])}
    facts = {name: value for name, value in facts.items() if name not in emptied}
    return {
        "name": statement,
        "key": node_key(claim.category, statement),
        "key_facts": facts,
        "priority": priority or claim.priority,
        "validation_status": ValidationStatus.PENDING,
    }


def _move_evidence(
    claim: Claim, row: ConceptChunkEvidence, chunk_id: UUID | str, quote: str, reviewer: Any
) -> None:
    """To the passage, with its new words; other lost evidence that stands there word for word moves too."""
    chunk = passage_offered(row, chunk_id)
    if chunk is None:
        raise WrongDecision("This passage is no longer in force. Choose one of the passages suggested now.")
    span = find_quote(chunk.text, quote)
    if span is None or len(quote) > conf.QUOTE_LENGTH:
        raise WrongDecision("The quote must be in the passage word for word. Copy it from there.")
    exact = " ".join(chunk.text[slice(*span)].split())
    claim.key_facts = {**claim.key_facts, "quotes": quotes_after(claim, row.quote, exact)}
    _store_evidence_at(row, chunk, exact, reviewer)
    for other in lost_evidence(claim):
        if find_quote(chunk.text, other.quote):
            _store_evidence_at(other, chunk, other.quote, reviewer)


def _store_evidence_at(row: ConceptChunkEvidence, chunk: Chunk, quote: str, reviewer: Any) -> None:
    lit = rectangles_for_quote(chunk.text, chunk.lines, quote)
    row.chunk, row.quote, row.reviewer = chunk, quote, reviewer
    row.page = lit[0].page if lit else chunk.page_start
    row.concept.evidence.filter(chunk=chunk, evidence_type=row.evidence_type).exclude(pk=row.pk).delete()
    row.save(update_fields=["chunk", "quote", "page", "reviewer"])


def _evidence_note(claim: Claim) -> dict[str, Any]:
    """The claim's first evidence, for the record."""
    row = _first_evidence(claim)
    return {"quote": row.quote, "document": str(row.chunk.document), "page": row.page} if row else {}


def _first_evidence(claim: Claim) -> ConceptChunkEvidence | None:
    return claim.evidence.select_related("chunk__document").order_by("evidence_type", "id").first()


def _elements_to_link(
    claim: Claim, statement: str = "", *, elements: Sequence[str] | None = None
) -> tuple[Match, ...]:
    """What the reviewer chose; else the elements the claim belongs to, none if somebody linked it already. A new
    `statement` is linked anew."""
    if elements is not None:
        try:
            return chosen_matches(claim, elements)
        except UnknownElement as error:
            raise WrongDecision(str(error)) from error
    links = claim.relations_out.filter(relation_type=RelationType.APPLIES_IN_SCENARIO)
    linked = links.exclude(created_by=CREATED_BY) if statement else links
    return () if linked.exists() else proposed_matches(claim, statement)


def _link_to(claim: Claim, matches: Sequence[Match], chosen: Sequence[str] | None) -> None:
    """Link the claim; where a reviewer chose the elements, to these alone."""
    if chosen is not None:
        claim.relations_out.filter(relation_type=RelationType.APPLIES_IN_SCENARIO).delete()
        keep_chosen(claim, matches)
    own = [match for match in matches if match.reason == BY_REVIEWER]
    link_claim(claim, [match for match in matches if match not in own])
    link_claim(claim, own, created_by="reviewer")


def _note_of_elements(chosen: Sequence[str] | None) -> dict[str, Any]:
    return {} if chosen is None else {"elements": list(chosen)}
