"""An element's bundle: which way edges are walked, what is cut, and what stands in which section."""

import pytest

from knowledge import conf
from knowledge.graph.bundle import Bundle, WrongDepth, bundle_for_element
from knowledge.graph.skeleton import load_standard
from knowledge.models import Chunk, Concept, Page
from knowledge.standards.elements import UnknownElement
from tests.doubles.library import (
    MODEL,
    WEATHER,
    element_node,
    join,
    make_chunk,
    make_evidence,
    make_node,
    make_tenant,
)
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


def bundle(code: str = "PA.I.E.K1", **options: int) -> Bundle:
    return bundle_for_element(code, model=MODEL.name, **options)


def claim(name: str, code: str = "PA.I.E.K1", status: str = "validated", confidence: float = 0.9) -> Concept:
    node = make_node(name, status=status)
    make_evidence(node, make_chunk(f"{name} {WEATHER}", section="91.155"), WEATHER)
    join(node, "applies_in_scenario", element_node(code), confidence)
    return node


def test_a_claim_that_applies_is_a_requirement_with_its_passage() -> None:
    claim("Class G by day: 1 SM.")
    (node,) = bundle().requirements
    assert (node.name, node.depth, node.relation) == ("Class G by day: 1 SM.", 1, "applies_in_scenario")
    (evidence,) = node.evidence
    assert (evidence.document, evidence.page, evidence.quote) == ("14 CFR Part 91", 1, WEATHER)


@pytest.mark.parametrize(("on", "printed"), [(7, "15-1"), (8, "15-2"), (9, "")])
def test_evidence_names_its_page_as_printed_beside_that_of_the_file(on: int, printed: str) -> None:
    node = claim("Class G by day: 1 SM.")
    row = node.evidence.get()
    Page.objects.create(document=row.chunk.document, number=8, label="15-2", width=612, height=792)
    Chunk.objects.update(page_start=7, page_end=9, page_label="15-1")
    node.evidence.update(page=on)
    told = bundle().to_dict()["nodes"]
    (evidence,) = next(one["evidence"] for one in told if one["name"] == node.name)
    assert (evidence["page"], evidence["page_label"]) == (on, printed)


def test_the_element_leads_to_its_task_and_area_but_not_to_its_neighbours() -> None:
    names = {node.name: node.depth for node in bundle().nodes}
    assert names == {
        "Airspace classes and associated requirements and limitations.": 0,
        "National Airspace System": 1,
        "Preflight Preparation": 2,
    }


def test_an_element_leads_to_its_sub_elements() -> None:
    assert {"Airports"} <= {node.name for node in bundle("PA.I.E.K2").nodes}


def test_a_claim_does_not_lead_to_other_elements() -> None:
    node = claim("Class G by day: 1 SM.")
    join(node, "applies_in_scenario", element_node("PA.III.A.K1"))
    assert "How to obtain appropriate radio frequencies." not in {one.name for one in bundle().nodes}


@pytest.mark.parametrize(
    ("relation", "forward", "section"),
    [
        ("requires_knowledge_of", True, "follow_ups"),
        ("requires_knowledge_of", False, None),
        ("leads_to_discussion_of", True, "follow_ups"),
        ("leads_to_discussion_of", False, None),
        ("contrasts_with", True, "follow_ups"),
        ("contrasts_with", False, "follow_ups"),
        ("mitigates_risk_of", False, "concepts"),
        ("applies_in_scenario", False, "concepts"),
    ],
)
def test_edges_are_walked_the_sensible_way(relation: str, forward: bool, section: str | None) -> None:
    topic, element = make_node("Cloud clearance", "topic"), element_node("PA.I.E.K1")
    join(*((element, relation, topic) if forward else (topic, relation, element)))
    found = bundle()
    sections = {name for name in found.to_dict()["sections"] if topic.name in _names(found, name)}
    assert sections == ({section} if section else set())


def _names(found: Bundle, section: str) -> list[str]:
    entries = found.to_dict()["sections"][section]
    return [entry["name"] for entry in entries if isinstance(entry, dict)]


def test_a_cycle_ends() -> None:
    one, other = make_node("One", "topic"), make_node("Other", "topic")
    join(element_node("PA.I.E.K1"), "requires_knowledge_of", one)
    join(one, "requires_knowledge_of", other)
    join(other, "requires_knowledge_of", one)
    join(other, "requires_knowledge_of", element_node("PA.I.E.K1"))
    names = [node.name for node in bundle(depth=4).nodes]
    assert len(names) == len(set(names))


def test_depth_cuts() -> None:
    one, other = make_node("One", "topic"), make_node("Other", "topic")
    join(element_node("PA.I.E.K1"), "requires_knowledge_of", one)
    join(one, "requires_knowledge_of", other)
    assert "Other" not in {node.name for node in bundle(depth=1).nodes}
    assert "Other" in {node.name for node in bundle(depth=2).nodes}
    assert [node.depth for node in bundle(depth=0).nodes] == [0]


def test_an_uncertain_edge_is_not_followed() -> None:
    claim("Perhaps.", confidence=conf.BUNDLE_CONFIDENCE - 0.1)
    assert bundle().requirements == ()


def test_definitions_errors_and_artifacts_have_sections_of_their_own() -> None:
    for category, section in (
        ("definition", "definitions"),
        ("misconception", "errors"),
        ("artifact", "references"),
    ):
        node = make_node(f"A {category}", category)
        join(node, "applies_in_scenario", element_node("PA.I.E.K1"))
        assert node.name in _names(bundle(), section)


def test_the_tasks_references_are_named() -> None:
    assert "14 CFR part 91" in bundle().to_dict()["sections"]["references"]


def test_a_schools_own_nodes_are_its_own() -> None:
    school = make_tenant()
    node = make_node("House rule: 5 SM.", tenant=school)
    join(node, "applies_in_scenario", element_node("PA.I.E.K1"))
    assert node.name not in {one.name for one in bundle().nodes}
    own = bundle_for_element("PA.I.E.K1", model=MODEL.name, tenant=school.pk)
    assert node.name in {one.name for one in own.nodes}


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(WrongDepth, match="from 0 to 4"):
        bundle(depth=9)
    with pytest.raises(UnknownElement):
        bundle("PA.I.E.K77")


def test_pending_edge_is_not_followed() -> None:
    node = claim("Class G by day: 1 SM.")
    node.relations_out.update(status="pending")
    assert bundle().requirements == ()


def test_node_of_many_edges_leads_on_by_its_surest() -> None:
    hub = make_node("Everything", "topic")
    join(element_node("PA.I.E.K1"), "requires_knowledge_of", hub)
    parts = [make_node(f"Part {n}", "topic") for n in range(conf.BUNDLE_FAN + 5)]
    for n, part in enumerate(parts):
        join(part, "is_component_of", hub, 0.4 + n / 1000)
    walked = {node.name for node in bundle().nodes if node.depth == 2}
    assert parts[-1].name in walked
    assert parts[0].name not in walked


def test_budget_of_tokens_leaves_room_for_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "BUNDLE_TOKENS", 250)
    for n in range(20):
        claim(f"Rule number {n} of many words, which takes its share of what a prompt may hold.")
    for category in ("definition", "misconception"):
        join(make_node(f"The {category}", category), "applies_in_scenario", element_node("PA.I.E.K1"))
    found = bundle()
    assert {"definition", "misconception", "regulatory_claim"} <= {node.category for node in found.nodes}
    assert len(found.requirements) < 20


def test_surroundings_are_in_force_and_within_their_budget() -> None:
    claim("Class G by day: 1 SM.")
    claim("Expected already.")
    wrong = make_node("One mile is good everywhere.", "misconception")
    unread = make_node("Two miles is good everywhere.", "misconception", "pending")
    step = make_node("Turn back early.", "procedure")
    make_evidence(step, make_chunk(f"Turn back early. {WEATHER}", section="91.157"), WEATHER)
    for node in (wrong, unread):
        join(node, "applies_in_scenario", element_node("PA.I.E.K1"))
    join(step, "mitigates_risk_of", element_node("PA.I.E.K1"))
    found = bundle()
    said = {(one.kind, one.text) for one in found.surroundings(200, {"Expected already."})}
    assert said == {
        ("approved rule", "Class G by day: 1 SM."),
        ("wrong belief", "One mile is good everywhere."),
        ("mitigation", "Turn back early."),
    }
    assert len(found.surroundings(10)) == 1
