"""Claims over HTTP: reviewers only, with the version that was read."""

from typing import Any

import pytest
from rest_framework.test import APIRequestFactory, force_authenticate

from curation.api import ClaimViewSet
from curation.models import Claim
from curation.review import approve_claim
from knowledge.models import Chunk, ConceptChunkEvidence, Page
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_claims, make_user

pytestmark = pytest.mark.django_db
METHODS = {"list": "get", "retrieve": "get", "approve": "post", "edit": "post", "reject": "post"}


def call(user: Any, action: str, data: Any = None, **kwargs: Any) -> Any:
    method = METHODS[action]
    request = getattr(APIRequestFactory(), method)(
        "/claims/", data or {}, format="json" if method == "post" else None
    )
    force_authenticate(request, user)
    response = ClaimViewSet.as_view({method: action})(request, **kwargs)
    response.render()
    return response


@pytest.fixture
def claim() -> Claim:
    make_claims()
    return Claim.objects.get(name__contains="2 days")


@pytest.fixture
def reviewer() -> Any:
    return make_user("reviewer")


def test_the_list_is_paged_and_filtered(claim: Claim, reviewer: Any) -> None:
    assert call(reviewer, "list").data["count"] == 4
    assert call(reviewer, "list", {"status": "validated"}).data["count"] == 0
    assert call(reviewer, "list", {"status": "perhaps"}).status_code == 400


def test_one_claim_has_what_the_queue_shows(claim: Claim, reviewer: Any) -> None:
    found = call(reviewer, "retrieve", pk=str(claim.pk)).data
    assert found["statement"] == claim.name
    assert found["version"] == 1


def test_a_claim_names_its_page_as_printed_beside_that_of_the_file(
    claim: Claim, reviewer: Any, django_assert_max_num_queries: Any
) -> None:
    document = claim.evidence.get().chunk.document
    Page.objects.create(document=document, number=8, label="15-2", width=612, height=792)
    Chunk.objects.update(page_start=7, page_end=8, page_label="15-1")
    claim.evidence.update(page=8)
    ConceptChunkEvidence.objects.exclude(concept=claim).update(page=7)
    with django_assert_max_num_queries(5):
        found = call(reviewer, "list").data["results"]
    assert {(one["page"], one["page_label"]) for one in found} == {(7, "15-1"), (8, "15-2")}
    approved = call(reviewer, "approve", {"version": 1}, pk=str(claim.pk)).data
    assert (approved["page"], approved["page_label"]) == (8, "15-2")


def test_approve_edit_and_reject(claim: Claim, reviewer: Any) -> None:
    said = "A member must log each flight within 2 days of landing."
    assert (
        call(reviewer, "edit", {"version": 1, "statement": said}, pk=str(claim.pk)).data["statement"] == said
    )
    assert call(reviewer, "approve", {"version": 2}, pk=str(claim.pk)).data["status"] == "validated"
    answer = call(reviewer, "reject", {"version": 3, "reason": "Superseded."}, pk=str(claim.pk))
    assert answer.data["status"] == "rejected"


def test_a_stale_decision_is_a_409_that_says_what_changed(claim: Claim, reviewer: Any) -> None:
    approve_claim(claim.pk, make_user("other"), version=1)
    answer = call(reviewer, "approve", {"version": 1}, pk=str(claim.pk))
    assert answer.status_code == 409
    assert set(answer.data) == {"code", "message", "fields"}
    assert answer.data["code"] == "stale"
    assert "other approved it" in answer.data["fields"]["changed"][0]


@pytest.mark.parametrize(
    ("action", "data"),
    [
        ("approve", {}),
        ("approve", {"version": None}),
        ("approve", {"version": 0}),
        ("approve", {"version": "x"}),
        ("reject", {"version": 1}),
        ("reject", {"version": 1, "reason": ""}),
        ("edit", {"version": 1}),
        ("edit", {"version": 1, "statement": "x" * 5000}),
        ("edit", {"version": 1, "statement": "Log within 9 days.", "priority": "P9"}),
        ("edit", {"version": 1, "statement": "Each member must log a flight within 9 days after landing."}),
    ],
)
def test_bad_input_is_a_400(action: str, data: Any, claim: Claim, reviewer: Any) -> None:
    answer = call(reviewer, action, data, pk=str(claim.pk))
    assert answer.status_code == 400
    assert {"code", "message", "fields"} <= set(answer.data)


@pytest.mark.parametrize(
    "pk", ["00000000-0000-0000-0000-000000000000", "------------------------------------"]
)
def test_an_unknown_claim_is_a_404(pk: str, reviewer: Any) -> None:
    assert call(reviewer, "approve", {"version": 1}, pk=pk).status_code == 404
    assert call(reviewer, "retrieve", pk=pk).status_code == 404


@pytest.mark.parametrize("role", [Role.STUDENT, Role.OPERATOR])
@pytest.mark.parametrize("action", ["list", "retrieve", "approve"])
def test_only_reviewers(role: Role, action: str, claim: Claim) -> None:
    kwargs = {} if action == "list" else {"pk": str(claim.pk)}
    assert call(make_user("somebody", role), action, {"version": 1}, **kwargs).status_code == 403
