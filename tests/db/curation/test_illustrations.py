"""An example or a counterexample stands beside a claim, and never supports it."""

from typing import Any

import pytest
from django.test import Client

from curation.graph.candidates import concepts_beside
from curation.merging import merge_claims
from curation.models import Claim
from curation.reading.illustrations import illustrations_of, mark_illustration, remove_illustration
from curation.selectors import WrongDecision, claim_as_dict, evidence_of, is_out_of_service, quotes_of
from desk.operations.library import HOLDINGS, count_holdings, with_holdings
from exams.examiner.element_facts import _claimed_elements
from knowledge.graph.bundle import bundle_for_element
from knowledge.graph.claim_links import ClaimSource, nearby_elements
from knowledge.graph.neighborhood import Viewer, neighborhood_of
from knowledge.graph.skeleton import load_standard
from knowledge.models import ConceptChunkEvidence, Document, Item, KeyPoint
from knowledge.models.graph import EvidenceType
from knowledge.models.tenancy import Role
from knowledge.retrieval.searchable import Scope
from knowledge.standards.references import Cited
from tests.doubles.claims import make_user
from tests.doubles.library import (
    FUEL,
    LIGHTS,
    MODEL,
    element_node,
    join,
    make_chunk,
    make_evidence,
    make_node,
)
from tests.doubles.standards import small_standard

pytestmark = [pytest.mark.long, pytest.mark.django_db]
EXAMPLE, COUNTEREXAMPLE = EvidenceType.EXAMPLE, EvidenceType.COUNTEREXAMPLE
DENIED = "A glider that carries a ballast of water need not carry any fuel at all."


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


@pytest.fixture
def claim() -> Claim:
    """Approved, with its quote, and a passage beside it that denies it."""
    node = make_node(FUEL)
    make_evidence(node, make_chunk(FUEL, section="91.151"), FUEL)
    join(node, "applies_in_scenario", element_node("PA.I.E.K1"))
    make_chunk(f"{LIGHTS} {DENIED}", section="91.125")
    return Claim.objects.get(pk=node.pk)


def test_words_of_a_passage_are_kept_word_for_word_with_who_marked_them(claim: Claim, reviewer: Any) -> None:
    mark_illustration(claim.pk, reviewer, COUNTEREXAMPLE, DENIED.replace(" of ", "\n of  "))
    [row] = illustrations_of(claim)
    assert (row.evidence_type, row.quote, row.chunk.section, row.reviewer) == (
        "counterexample",
        DENIED,
        "91.125",
        reviewer,
    )
    mark_illustration(claim.pk, reviewer, EXAMPLE, LIGHTS)
    assert illustrations_of(claim).count() == 2
    remove_illustration(claim.pk, reviewer, row.pk)
    assert [one.quote for one in illustrations_of(claim)] == [LIGHTS]
    with pytest.raises(WrongDecision, match="removed"):
        remove_illustration(claim.pk, reviewer, row.pk)


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        (FUEL, "rests on"),
        (FUEL[:40], "rests on"),
        ("need not carry", "at least"),
        ("Words that are printed nowhere at all.", "No passage"),
        ("A glider that " + "carries " * 300, "at most"),
    ],
)
def test_words_that_cannot_illustrate_are_refused(claim: Claim, reviewer: Any, quote: str, said: str) -> None:
    with pytest.raises(WrongDecision, match=said):
        mark_illustration(claim.pk, reviewer, EXAMPLE, quote)


def test_evidence_of_a_claim_that_is_not_ones_own_cannot_be_removed(claim: Claim, reviewer: Any) -> None:
    with pytest.raises(WrongDecision):
        remove_illustration(claim.pk, reviewer, claim.evidence.get().pk)
    assert claim.evidence.exists()


def test_a_bundle_has_it_in_a_section_of_its_own(claim: Claim, reviewer: Any) -> None:
    mark_illustration(claim.pk, reviewer, COUNTEREXAMPLE, DENIED)
    found = bundle_for_element("PA.I.E.K1", model=MODEL.name)
    [node] = found.requirements
    assert [one.quote for one in node.evidence] == [FUEL]
    [entry] = found.to_dict()["examples"]
    assert (entry["kind"], entry["name"], found.nodes[entry["node"]].name) == ("counterexample", DENIED, FUEL)
    told = {one.kind: one.text for one in found.surroundings(400)}
    assert DENIED in told["counterexample"]
    assert FUEL in told["counterexample"]


def test_a_counterexample_alone_supports_nothing(claim: Claim, reviewer: Any) -> None:
    mark_illustration(claim.pk, reviewer, COUNTEREXAMPLE, DENIED)
    claim.evidence.all().delete()
    assert illustrations_of(claim).count() == 1
    found = bundle_for_element("PA.I.E.K1", model=MODEL.name)
    assert found.requirements == ()
    assert found.to_dict()["examples"] == []
    assert found.surroundings(400) == ()
    assert (quotes_of(claim), evidence_of([claim.pk]), claim_as_dict(claim)["quote"]) == ([], {}, "")


def test_what_counts_claims_by_their_passages_leaves_it_out(claim: Claim, reviewer: Any) -> None:
    scope = Scope(tenant=None, model=MODEL.name)
    item = Item.objects.create(
        key="pa.i.e.k1.x", task="PA.I.E", elements=["PA.I.E.K1"], stem="?", again="?", why="."
    )
    KeyPoint.objects.create(item=item, key="x", text=FUEL, ask="?", hint=".", concept_id=claim.pk)

    def counted() -> tuple[object, ...]:
        chunk = row.chunk
        near = nearby_elements(ClaimSource(cited=Cited(doc_type="cfr"), document=chunk.document_id))
        held: Any = with_holdings(Document.objects.all()).get(pk=chunk.document_id)
        document = Document.objects.get(pk=chunk.document_id)
        count_holdings([document])
        assert [getattr(held, name) for name in HOLDINGS] == [getattr(document, name) for name in HOLDINGS]
        claimed = _claimed_elements({"PA.I.E.K1": "knowledge"}, scope)
        return "PA.I.E.K1" in near, held.claims, held.elements, len(claimed), len(concepts_beside(chunk))

    row = claim.evidence.get()
    assert counted() == (1, 1, 1, 1, 1)
    ConceptChunkEvidence.every.update(evidence_type=COUNTEREXAMPLE)
    assert counted() == (0, 0, 0, 0, 0)


def test_students_see_it_beside_the_rule_in_the_graph(claim: Claim, reviewer: Any, client: Client) -> None:
    mark_illustration(claim.pk, reviewer, COUNTEREXAMPLE, DENIED)
    shown = neighborhood_of(claim, Viewer(None, False), Scope(tenant=None, model=MODEL.name)).center.evidence
    assert {(one.kind, one.quote) for one in shown} == {("", FUEL), ("counterexample", DENIED)}
    client.force_login(make_user("student", Role.STUDENT))
    assert "Counterexample." in client.get(f"/library/graph/{claim.pk}/").content.decode()


def test_a_claim_whose_support_is_superseded_does_not_stand_on_its_example(
    claim: Claim, reviewer: Any
) -> None:
    other = make_chunk(DENIED, Document.objects.create(title="Gliders", status="published", content_hash="g"))
    ConceptChunkEvidence.every.create(concept=claim, chunk=other, quote=DENIED, evidence_type=EXAMPLE)
    Document.objects.filter(title="14 CFR Part 91").update(superseded_by=other.document)
    assert is_out_of_service(claim)


def test_a_merge_makes_no_support_of_it(claim: Claim, reviewer: Any) -> None:
    waits = make_node(FUEL.replace("By day the", "By day an"), status="pending")
    make_evidence(waits, make_chunk(f"Again: {waits.name}"), waits.name)
    ConceptChunkEvidence.every.create(
        concept=waits, chunk=make_chunk(DENIED), quote=DENIED, evidence_type=COUNTEREXAMPLE
    )
    merge_claims(waits.pk, reviewer, version=1, into=claim.pk)
    assert DENIED not in claim.evidence.values_list("quote", flat=True)


def test_the_queue_marks_shows_and_removes(claim: Claim, reviewer: Any, client: Client) -> None:
    client.force_login(reviewer)
    page = f"/admin/curation/claim/queue/{claim.pk}/"

    def send(**said: Any) -> str:
        return client.post(page, {"version": claim.version, **said}, follow=True).content.decode()

    assert "marked by" not in client.get(page).content.decode()
    shown = send(decision="counterexample", quote=DENIED)
    assert "Marked as a counterexample" in shown
    assert f"marked by {reviewer}" in shown
    assert "rests on these words" in send(decision="example", quote=FUEL)
    assert "marked by" not in send(decision="unmark", evidence=illustrations_of(claim).get().pk)
