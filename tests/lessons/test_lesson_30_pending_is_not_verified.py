"""Pending claims were sent as "verified regulatory claims"."""

import pytest

from knowledge.graph.bundle import Bundle, bundle_for_element
from knowledge.graph.skeleton import load_standard
from tests.doubles.library import (
    MODEL,
    WEATHER,
    element_node,
    join,
    make_chunk,
    make_document,
    make_evidence,
    make_node,
)
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


def bundle_with(status: str, *, stale: bool = False, document_status: str = "published") -> Bundle:
    document = make_document(status=document_status)
    node = make_node("A rule.", status=status, stale=stale)
    make_evidence(node, make_chunk(WEATHER, document), WEATHER)
    join(node, "applies_in_scenario", element_node("PA.I.E.K1"))
    return bundle_for_element("PA.I.E.K1", model=MODEL.name)


def test_an_approved_claim_is_a_requirement() -> None:
    assert [node.name for node in bundle_with("validated").requirements] == ["A rule."]


def test_a_pending_claim_is_marked_and_required_of_nobody() -> None:
    found = bundle_with("pending")
    assert found.requirements == ()
    assert [(node.name, node.status) for node in found.pending] == [("A rule.", "pending")]
    sections = found.to_dict()["sections"]
    assert not any("A rule." in str(section) for section in sections.values())


def test_a_rejected_claim_is_nowhere() -> None:
    assert "A rule." not in str(bundle_with("rejected").to_dict())


def test_a_claim_whose_evidence_changed_is_not_verified() -> None:
    assert bundle_with("validated", stale=True).requirements == ()


@pytest.mark.parametrize("status", ["draft", "archived"])
def test_a_claim_whose_document_is_withdrawn_is_not_verified(status: str) -> None:
    found = bundle_with("validated", document_status=status)
    assert found.requirements == ()
    assert all(not node.evidence for node in found.nodes)
