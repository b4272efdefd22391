"""What documents, standards, claims and definitions say becomes nodes and edges; reading again changes nothing."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.graph.counts import graph_counts
from knowledge.graph.identity import node_key
from knowledge.graph.skeleton import load_standard
from knowledge.graph.sources import SOURCES
from knowledge.graph.writing import GraphPart, NewEdge, NewNode, read_sources, write_part
from knowledge.models import Chunk, Concept, ConceptRelation, Document
from tests.doubles.library import (
    element_node,
    make_chunk,
    make_document,
    make_evidence,
    make_node,
    make_tenant,
)
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db

EXCEPTION = "Except as provided in § 91.157, no person may operate under VFR below these minimums."
GLOSSARY = "CONTROLLED AIRSPACE\n\nAn airspace of defined dimensions.\n\n(See ICAO term CONTROLLED AIRSPACE.)"


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


def section(number: str, title: str, text: str, document: Document | None = None) -> Chunk:
    path = ["14 CFR Part 91", "Subpart B—Flight Rules", f"§ {number} {title}."]
    return make_chunk(text, document, section=number, heading=title, section_path=path, embed=False)


def part_91() -> Chunk:
    section(
        "91.157", "Special VFR weather minimums", "A pilot stays clear of clouds. See § 91.155 for the rest."
    )
    return section("91.155", "Basic VFR weather minimums", EXCEPTION)


def glossary() -> None:
    document = make_document("Pilot/Controller Glossary, letter C", abbreviation="P/CG", doc_type="other")
    for term, text in (
        ("CONTROLLED AIRSPACE", GLOSSARY),
        ("CONTROLLED AIRSPACE [ICAO]", "CONTROLLED AIRSPACE [ICAO]\n\nAn airspace of the ICAO."),
    ):
        chunk = make_chunk(text, document, heading=term, section_path=[document.title, term], embed=False)
        said = text.split("\n\n")[1]
        make_evidence(make_node(f"{term}: {said}", "definition", "pending"), chunk, said)


def edges() -> set[tuple[str, str, str]]:
    return {
        (one.source.name, one.relation_type, one.target.name)
        for one in ConceptRelation.objects.exclude(created_by="acs").select_related("source", "target")
    }


def test_headings_are_topics_and_sections_are_artifacts() -> None:
    part_91()
    read_sources(SOURCES)
    rule, topic = "14 CFR 91.155, Basic VFR weather minimums", "Basic VFR weather minimums"
    assert {
        (topic, "is_component_of", "Flight Rules"),
        ("Flight Rules", "is_component_of", "14 CFR Part 91"),
        (rule, "is_component_of", "14 CFR Part 91"),
        (rule, "applies_in_scenario", topic),
        (rule, "applies_in_scenario", element_node("PA.I.E.K1").name),
    } <= edges()
    node = Concept.objects.get(name=rule)
    assert (node.validation_status, node.origin) == ("validated", "documents")
    assert node.evidence.get().quote == EXCEPTION


def test_section_that_names_another_leads_to_it_and_an_exception_contrasts() -> None:
    chunk = part_91()
    read_sources(SOURCES)
    basic, special = (
        "14 CFR 91.155, Basic VFR weather minimums",
        "14 CFR 91.157, Special VFR weather minimums",
    )
    assert {(basic, "contrasts_with", special), (special, "leads_to_discussion_of", basic)} <= edges()
    edge = ConceptRelation.objects.get(relation_type="contrasts_with")
    assert (edge.chunk_id, edge.reason) == (chunk.pk, f"14 CFR 91.155: “{EXCEPTION}”")


def test_task_names_documents_and_a_skill_requires_like_knowledge() -> None:
    read_sources(SOURCES)
    assert ("14 CFR part 71", "applies_in_scenario", "National Airspace System") in edges()
    assert (
        element_node("PA.I.E.R1").name,
        "requires_knowledge_of",
        element_node("PA.I.E.K1").name,
    ) in edges()


def test_claim_is_part_of_its_section_and_requires_the_terms_that_it_uses() -> None:
    chunk = part_91()
    glossary()
    claim = make_node("In controlled airspace a pilot needs 3 SM.", status="pending")
    make_evidence(claim, chunk, EXCEPTION)
    read_sources(SOURCES)
    term = "CONTROLLED AIRSPACE: An airspace of defined dimensions."
    assert {
        (claim.name, "is_component_of", "14 CFR 91.155, Basic VFR weather minimums"),
        (claim.name, "requires_knowledge_of", term),
        (term, "contrasts_with", "CONTROLLED AIRSPACE [ICAO]: An airspace of the ICAO."),
    } <= edges()


def test_reading_twice_changes_nothing_and_costs_few_queries() -> None:
    part_91()
    glossary()
    assert set(read_sources(SOURCES)) == {"documents", "standards", "claims", "definitions"}
    assert read_sources(SOURCES) == {}
    rows = list(ConceptRelation.objects.values_list("pk", "status", "reason"))
    again = read_sources(SOURCES, again=True)
    assert not any(number for changes in again.values() for number in changes.to_dict().values())
    assert list(ConceptRelation.objects.values_list("pk", "status", "reason")) == rows


def test_number_of_queries_does_not_grow_with_the_document() -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            read_sources(SOURCES, again=True)
        return len(captured)

    part_91()
    read_sources(SOURCES)
    few = queries()
    for number in range(300, 320):
        section(f"91.{number}", f"Rule number {number}", f"See § 91.155 in rule {number}.")
    read_sources(SOURCES, again=True)
    assert queries() <= few


def test_what_a_new_edition_no_longer_says_is_withdrawn_and_comes_back() -> None:
    chunk = part_91()
    read_sources(SOURCES)
    document = chunk.document
    Document.objects.filter(pk=document.pk).update(status="archived")
    read_sources(SOURCES)
    topic = Concept.objects.get(name="Basic VFR weather minimums")
    assert (topic.stale, topic.stale_reason) == (True, "The edition in force no longer says it.")
    assert not ConceptRelation.objects.filter(created_by="documents").exists()
    Document.objects.filter(pk=document.pk).update(status="published")
    read_sources(SOURCES)
    topic.refresh_from_db()
    assert not topic.stale
    assert ConceptRelation.objects.filter(created_by="documents").exists()


def test_rejected_edge_stays_rejected() -> None:
    part_91()
    read_sources(SOURCES)
    ConceptRelation.objects.filter(relation_type="contrasts_with").update(status="rejected")
    read_sources(SOURCES, again=True)
    assert ConceptRelation.objects.get(relation_type="contrasts_with").status == "rejected"


def test_schools_document_makes_nodes_of_the_school() -> None:
    school = make_tenant()
    document = make_document("House rules", abbreviation="", doc_type="sop", tenant=school)
    make_chunk("Call the desk.", document, section_path=["Weather at our field"], embed=False)
    read_sources(SOURCES)
    assert Concept.objects.get(name="Weather at our field").tenant == school
    topics = {who: graph_counts(who).nodes[1].validated for who in (None, school.pk)}
    assert topics[school.pk] == topics[None] + 1


def test_nodes_of_other_origins_are_left_alone_and_claims_are_refused() -> None:
    node = NewNode(category="topic", identity="PA.I.E", name="Something else")
    write_part("documents", GraphPart(nodes={node.id: node}))
    assert Concept.objects.get(key=node_key("topic", "PA.I.E")).name == "National Airspace System"
    with pytest.raises(ValueError, match="reviewer"):
        NewNode(category="regulatory_claim", identity="1 SM", name="1 SM")


def test_edge_to_a_node_that_does_not_exist_is_left_out() -> None:
    edge = NewEdge(source=(None, "topic:nowhere"), relation="contrasts_with", target=(None, "topic:else"))
    assert not write_part("documents", GraphPart(edges={edge.ends: edge})).edges_added


def told(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("graph", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_command_counts_each_type_and_names_the_empty_and_the_thin() -> None:
    part_91()
    found = told("--read")
    by_name = {row["name"]: row for row in (*found["nodes"], *found["edges"])}
    assert by_name["artifact"]["validated"] >= 3
    assert by_name["contrasts_with"] | {"origins": {}} == {
        "name": "contrasts_with",
        "validated": 1,
        "pending": 0,
        "rejected": 0,
        "withdrawn": 0,
        "empty": False,
        "origins": {},
    }
    assert {"mitigates_risk_of", "misconception"} <= set(found["empty"])
    assert "PA.III.A.K5" in {row["code"] for row in found["thin"]}
    assert found["read"]["documents"]["nodes_added"] > 0
    assert told()["read"] == {}
