"""The page around a node: what is drawn and listed, for whom, and how much of it."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from knowledge import conf
from knowledge.graph.skeleton import load_standard
from knowledge.models import Concept, Membership
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.library import (
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


def signed_in(name: str, role: Role | None, school: Any = None) -> Client:
    client = Client()
    user = make_user(name, None)
    if role:
        Membership.objects.create(user=user, tenant=school, role=role)
    client.force_login(user)
    return client


def page(client: Client, node: Concept, query: str = "") -> str:
    answer = client.get(f"/library/graph/{node.pk}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def drawing(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="graph-data" type="application/json">(.*?)</script>', text, re.S)
    assert found
    drawn: dict[str, Any] = json.loads(found[1])
    return drawn


def claim(name: str, status: str = "validated", **fields: Any) -> Concept:
    node = make_node(name, status=status, **fields)
    join(node, "applies_in_scenario", element_node("PA.I.E.K1"))
    return node


def test_neighbors_are_drawn_and_listed_with_their_evidence() -> None:
    node = claim("Class G by day: 1 SM.")
    make_evidence(node, make_chunk(WEATHER, section="91.155"), WEATHER)
    beyond = make_node("Class G airspace", "topic")
    join(node, "is_component_of", beyond)
    text = page(signed_in("stu", None), element_node("PA.I.E.K1"))
    assert "Is a matter of" in text
    assert ">regulatory claim<" in text
    assert f"/library/graph/{node.pk}/" in text
    assert f"/library/graph/{beyond.pk}/" in text
    assert f"/library/passages/{node.evidence.get().chunk_id}/?page=1&amp;quote=" in text
    rings = {one["data"]["title"]: one["data"]["ring"] for one in drawing(text)["nodes"]}
    assert (rings["Class G by day: 1 SM."], rings["Class G airspace"]) == (1, 2)


def test_pending_is_for_reviewers_and_another_school_sees_nothing() -> None:
    school, other = make_tenant("one"), make_tenant("two")
    claim("Waits.", "pending", tenant=school)
    claim("House rule.", tenant=school)
    edge = claim("Edge waits.").relations_out.get()
    edge.status = "pending"
    edge.save()
    element = element_node("PA.I.E.K1")
    student = page(signed_in("student-one", Role.STUDENT, school), element)
    reviewer = page(signed_in("reviewer-one", Role.REVIEWER, school), element)
    stranger = page(signed_in("reviewer-two", Role.REVIEWER, other), element)
    assert ["House rule." in one for one in (student, reviewer, stranger)] == [True, True, False]
    assert ["Waits." in one for one in (student, reviewer, stranger)] == [False, True, False]
    assert ["Edge waits." in one for one in (student, reviewer)] == [False, True]
    secret = Concept.objects.get(name="House rule.")
    assert signed_in("stranger", Role.STUDENT, other).get(f"/library/graph/{secret.pk}/").status_code == 404


def test_relations_can_be_chosen() -> None:
    claim("Class G by day: 1 SM.")
    text = page(
        signed_in("stu", None), element_node("PA.I.E.K1"), "?relation=contrasts_with&relation=nonsense"
    )
    assert "Class G by day" not in text
    assert "Nothing is joined to it" in text


def test_hub_is_drawn_in_part_and_the_rest_is_counted() -> None:
    hub = make_node("Everything", "topic")
    parts = [make_node(f"Part {n}", "topic") for n in range(conf.GRAPH_DRAWN)]
    for part in parts:
        join(part, "is_component_of", hub)
    join(hub, "is_component_of", parts[0])  # a cycle
    client = signed_in("stu", None)
    with CaptureQueriesContext(connection) as queries:
        text = page(client, hub)
    assert len(drawing(text)["nodes"]) <= conf.GRAPH_DRAWN
    assert f"{conf.GRAPH_DRAWN - conf.GRAPH_DRAWN // 2 + 1} more are not drawn" in text
    assert len(queries) <= 12


def test_search_opens_an_element_by_its_code_and_lists_words() -> None:
    client = signed_in("stu", None)
    assert (
        client.get("/library/graph/", {"q": "pa.i.e.k1"})
        .headers["Location"]
        .endswith(f"/library/graph/{element_node('PA.I.E.K1').pk}/")
    )
    claim("Class G by day: 1 SM.")
    claim("Class G at night: 3 SM.")
    found = client.get("/library/graph/", {"q": "Class G"}).content.decode()
    assert "Class G at night" in found
    assert "National Airspace System" in found
    assert "Nothing in the graph" in client.get("/library/graph/", {"q": "%'"}).content.decode()


def test_names_are_escaped_and_unknown_nodes_are_not_found() -> None:
    client = signed_in("stu", None)
    node = claim("<script>alert(1)</script>")
    assert "<script>alert" not in page(client, node)
    assert client.get(f"/library/graph/{uuid4()}/").status_code == 404
    assert Client().get(f"/library/graph/{node.pk}/").status_code == 302
