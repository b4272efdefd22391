"""Pending claims were sent as "verified regulatory claims": here nothing but a reviewer's approval verifies one."""

from typing import Any

import pytest

from curation.intake import take_in_chunk
from curation.models import Claim, ReviewDecision
from curation.queue import queue_for
from curation.review import approve_claim, edit_claim, reject_claim
from curation.selectors import claim_as_dict
from knowledge.models import Chunk
from tests.doubles.claims import EXTRACTOR, make_claims, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer() -> Any:
    return make_user("reviewer")


def test_extracted_claim_is_pending() -> None:
    assert {claim_as_dict(claim)["status"] for claim in make_claims()} == {"pending"}


def test_extracting_again_verifies_nothing() -> None:
    make_claims()
    take_in_chunk(Chunk.objects.get(), EXTRACTOR)
    assert not Claim.objects.filter(validation_status="validated").exists()


def test_an_approval_has_a_name_and_a_version(reviewer: Any) -> None:
    claim = make_claims()[0]
    approve_claim(claim.pk, reviewer, version=claim.version)
    for verified in Claim.objects.filter(validation_status="validated"):
        decision = ReviewDecision.objects.get(claim_id=verified.pk, decision="approve")
        assert (decision.reviewer, decision.version_read) == (reviewer, verified.version - 1)


def test_another_wording_is_not_verified_by_the_approval_of_the_first(reviewer: Any) -> None:
    claim = next(claim for claim in make_claims() if "2 days" in claim.name)
    approved = approve_claim(claim.pk, reviewer, version=claim.version)
    said = "A member must log each flight within 2 days of landing."
    edited = edit_claim(claim.pk, reviewer, version=approved.version, statement=said)
    assert edited.validation_status == "pending"
    assert edited in queue_for(reviewer)


def test_a_rejected_claim_leaves_the_queue_and_is_verified_by_nothing(reviewer: Any) -> None:
    claim = make_claims()[0]
    reject_claim(claim.pk, reviewer, version=claim.version, reason="Not a rule.")
    take_in_chunk(Chunk.objects.get(), EXTRACTOR)
    assert claim.pk not in set(queue_for(reviewer).values_list("pk", flat=True))
