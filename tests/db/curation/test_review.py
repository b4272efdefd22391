"""A decision counts if it was made on the claim as it stands; each leaves one audit row."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from curation.models import Claim, ReviewDecision
from curation.review import (
    StaleDecision,
    approve_claim,
    edit_and_approve_claim,
    edit_claim,
    reject_claim,
)
from curation.selectors import UnknownClaim, WrongDecision
from knowledge.graph.skeleton import load_standard
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_claims, make_user
from tests.doubles.library import make_chunk, make_evidence, make_node, make_tenant
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db


@pytest.fixture
def claim() -> Claim:
    make_claims()
    return Claim.objects.get(name__contains="2 days")


@pytest.fixture
def reviewer() -> Any:
    return make_user("reviewer")


def test_approving_makes_the_claim_count_and_writes_one_row(claim: Claim, reviewer: Any) -> None:
    approved = approve_claim(claim.pk, reviewer, version=claim.version)
    assert (approved.validation_status, approved.version) == ("validated", claim.version + 1)
    (row,) = ReviewDecision.objects.filter(claim_id=claim.pk)
    assert (row.decision, row.reviewer, row.version_read) == ("approve", reviewer, claim.version)
    assert (row.before["status"], row.after["status"]) == ("pending", "validated")


def test_rejecting_wants_a_reason(claim: Claim, reviewer: Any) -> None:
    with pytest.raises(WrongDecision):
        reject_claim(claim.pk, reviewer, version=claim.version, reason="  ")
    rejected = reject_claim(claim.pk, reviewer, version=claim.version, reason="Out of date.")
    assert rejected.validation_status == "rejected"
    assert ReviewDecision.objects.get().reason == "Out of date."


def test_an_approved_claim_is_linked_to_its_elements(reviewer: Any) -> None:
    load_standard(small_standard())
    text = "No person may operate an aircraft in Class G airspace unless the visibility is 1 statute mile."
    node = make_node(text, status="pending")
    make_evidence(node, make_chunk(text, section="91.155", embed=False), text)
    approve_claim(node.pk, reviewer, version=node.version)
    assert node.relations_out.filter(relation_type="applies_in_scenario").exists()


DECISIONS: list[Callable[[Claim, Any], Claim]] = [
    lambda claim, reviewer: approve_claim(claim.pk, reviewer, version=claim.version),
    lambda claim, reviewer: reject_claim(claim.pk, reviewer, version=claim.version, reason="Wrong."),
    lambda claim, reviewer: edit_claim(
        claim.pk, reviewer, version=claim.version, statement=claim.name + " Always."
    ),
]


@pytest.mark.parametrize("late", DECISIONS)
@pytest.mark.parametrize("first", DECISIONS)
def test_a_stale_decision_changes_nothing_and_says_what_happened(
    first: Any, late: Any, claim: Claim, reviewer: Any
) -> None:
    other = make_user("other")
    first(claim, other)
    standing = Claim.objects.get(pk=claim.pk)
    with pytest.raises(StaleDecision) as refused:
        late(claim, reviewer)
    assert any("other" in line for line in refused.value.changed)
    assert refused.value.current.version == standing.version
    now = Claim.objects.get(pk=claim.pk)
    assert (now.name, now.validation_status, now.version) == (
        standing.name,
        standing.validation_status,
        standing.version,
    )
    assert ReviewDecision.objects.count() == 1


def test_approving_what_is_approved_is_refused_too(claim: Claim, reviewer: Any) -> None:
    approved = approve_claim(claim.pk, reviewer, version=claim.version)
    with pytest.raises(StaleDecision, match="does not wait"):
        approve_claim(claim.pk, reviewer, version=approved.version)


def test_a_claim_whose_evidence_changed_can_be_approved_again(claim: Claim, reviewer: Any) -> None:
    approved = approve_claim(claim.pk, reviewer, version=claim.version)
    Claim.objects.filter(pk=claim.pk).update(stale=True)
    again = approve_claim(claim.pk, reviewer, version=approved.version)
    assert not again.stale


def test_an_edit_keeps_the_quote_reads_the_facts_anew_and_waits(claim: Claim, reviewer: Any) -> None:
    quotes = list(claim.evidence.values_list("quote", flat=True))
    edited = edit_claim(
        claim.pk,
        reviewer,
        version=claim.version,
        statement="A member must log each flight within 2 days of landing.",
        priority="P1",
    )
    assert (edited.validation_status, edited.priority) == ("pending", "P1")
    assert edited.key_facts["numbers"] == ["not more than 2 days"]
    assert edited.key_facts["cfr_reference"] == claim.key_facts["cfr_reference"]
    assert edited.key != claim.key
    assert list(edited.evidence.values_list("quote", flat=True)) == quotes


@pytest.mark.parametrize(
    "statement",
    [
        "Each member must log a flight within 3 days after landing.",
        "Each member must log a flight within 2 hours after landing.",
        "Each member need not log a flight within 2 days after landing.",
        "Each member must log a flight within 2 days after landing and pay 9 percent.",
        "",
        "x" * 2000,
    ],
)
def test_an_edit_that_leaves_its_quote_is_refused(statement: str, claim: Claim, reviewer: Any) -> None:
    with pytest.raises(WrongDecision):
        edit_claim(claim.pk, reviewer, version=claim.version, statement=statement)
    assert not ReviewDecision.objects.exists()


def test_two_claims_cannot_say_exactly_the_same(claim: Claim, reviewer: Any) -> None:
    twin = make_node("Members log within 2 days.", status="pending")
    make_evidence(twin, claim.evidence.get().chunk, claim.evidence.get().quote)
    with pytest.raises(WrongDecision, match="already says"):
        edit_claim(twin.pk, reviewer, version=1, statement=claim.name)


def test_editing_and_approving_are_both_or_neither(claim: Claim, reviewer: Any) -> None:
    said = "A member must log each flight within 2 days of landing."
    decided = edit_and_approve_claim(claim.pk, reviewer, version=claim.version, statement=said)
    assert (decided.name, decided.validation_status) == (said, "validated")
    assert list(ReviewDecision.objects.order_by("id").values_list("decision", flat=True)) == [
        "edit",
        "approve",
    ]


@pytest.mark.parametrize("role", [None, Role.STUDENT, Role.OPERATOR])
def test_only_reviewers_decide(role: Role | None, claim: Claim) -> None:
    with pytest.raises(PermissionDenied):
        approve_claim(claim.pk, make_user("somebody", role), version=claim.version)


def test_another_school_s_claim_is_unknown(claim: Claim, reviewer: Any) -> None:
    Claim.objects.filter(pk=claim.pk).update(tenant=make_tenant("elsewhere"))
    with pytest.raises(UnknownClaim):
        approve_claim(claim.pk, reviewer, version=claim.version)
