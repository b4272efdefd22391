"""An approved claim is linked to the elements that it belongs to, within what their Tasks' references allow."""

import pytest

from knowledge.graph.claim_links import (
    ClaimSource,
    Match,
    elements_for_claim,
    link_claim,
    nearby_elements,
    source_of,
)
from knowledge.graph.skeleton import load_standard
from knowledge.models import Item, KeyPoint
from knowledge.standards.references import Cited
from tests.doubles.library import MODEL, element_node, make_chunk, make_document, make_evidence, make_node
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
PART_91 = Cited(doc_type="cfr", abbreviation="14 CFR 91")
PART_61 = Cited(doc_type="cfr", abbreviation="14 CFR 61")


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


def codes(matches: tuple[Match, ...]) -> list[str]:
    return [match.code for match in matches]


def test_a_section_that_was_read_leads_to_its_elements() -> None:
    source = ClaimSource(cited=PART_91, section="91.155", heading="Basic VFR weather minimums")
    assert codes(elements_for_claim("Visibility must be 3 statute miles.", source)) == [
        "PA.I.E.K1",
        "PA.I.E.S1",
    ]


@pytest.mark.parametrize("model", [None, MODEL])
def test_other_sections_lead_there_by_likeness(model: object) -> None:
    source = ClaimSource(cited=PART_91, section="91.999", heading="Light signals")
    found = elements_for_claim("Air Traffic Control gives light signals to an aircraft.", source, model)  # type: ignore[arg-type]
    assert codes(found)[0] == "PA.III.A.K5"


def test_a_document_that_no_task_names_leads_nowhere() -> None:
    source = ClaimSource(cited=PART_61, section="61.999", heading="Light signals")
    assert elements_for_claim("Air Traffic Control (ATC) light signals.", source) == ()


def test_a_claim_that_is_like_no_element_is_linked_to_none() -> None:
    source = ClaimSource(cited=PART_91, section="91.999")
    assert elements_for_claim("Parachutes are repacked every 180 days.", source) == ()


def test_a_match_says_why() -> None:
    source = ClaimSource(cited=PART_91, section="91.999", heading="Light signals")
    (match, *_) = elements_for_claim("Air Traffic Control gives light signals to an aircraft.", source)
    assert match.reason.startswith("shared words")
    assert "its Task names the document" in match.reason


def test_what_rests_on_passages_nearby_counts() -> None:
    chunks = [make_chunk("Passage 0.", make_document(title), embed=False) for title in ("One", "Other")]
    point = make_node("A restricted area is shown in blue.")
    make_evidence(point, chunks[0], "Passage 0.")
    item = Item.objects.create(key="a", task="PA.I.E", elements=["PA.I.E.K2a"], stem="?", again="?", why="")
    KeyPoint.objects.create(item=item, key="p", text=point.name, concept=point, ask="?", hint="?")
    near = nearby_elements(source_of(chunks[0]))
    assert near["PA.I.E.K2a"] > 0.9
    assert nearby_elements(source_of(chunks[1])) == {}


def test_linking_twice_makes_one_edge() -> None:
    claim = make_node("A rule.")
    match = Match("PA.I.E.K1", 0.8, "shared words")
    assert link_claim(claim, [match]) == 1
    assert link_claim(claim, [match]) == 0
    edge = claim.relations_out.get()
    assert (edge.target, edge.reason) == (element_node("PA.I.E.K1"), "shared words")


def test_an_element_without_a_node_is_passed_over() -> None:
    assert link_claim(make_node("A rule."), [Match("PA.I.Z.K1", 1.0)]) == 0
