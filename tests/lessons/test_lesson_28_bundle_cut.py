"""The bundle was cut to 50 rows in random order; evidence was fetched and thrown away; things were sent
twice.
"""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge import conf
from knowledge.graph.bundle import Bundle, bundle_for_element
from knowledge.graph.skeleton import load_standard
from tests.doubles.library import MODEL, element_node, join, make_chunk, make_evidence, make_node
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
CLAIMS = conf.BUNDLE_NODES + 15


@pytest.fixture(autouse=True)
def library() -> None:
    """More claims than a bundle holds, made in no order, each with more passages than are shown."""
    load_standard(small_standard())
    chunks = [make_chunk(f"Rule {n} stands here.", section=f"91.{n}") for n in range(5)]
    numbers = list(range(CLAIMS))
    random.Random(7).shuffle(numbers)
    for n in numbers:
        node = make_node(f"Claim {n:03}")
        join(node, "applies_in_scenario", element_node("PA.I.E.K1"), 0.4 + n / 200)
        for at, chunk in enumerate(chunks):
            make_evidence(node, chunk, f"Rule {at} stands here.", 0.5 + at / 10)


def bundle() -> Bundle:
    return bundle_for_element("PA.I.E.K1", model=MODEL.name)


def test_bundle_cut_keeps_the_surest_nodes() -> None:
    kept = sorted(node.name for node in bundle().requirements)
    assert kept == [f"Claim {n:03}" for n in range(CLAIMS - len(kept), CLAIMS)]
    assert len(bundle().nodes) == conf.BUNDLE_NODES


def test_bundle_is_the_same_every_time() -> None:
    assert bundle() == bundle()


def test_three_passages_each_the_surest_first() -> None:
    for node in bundle().requirements:
        assert [round(one.confidence, 1) for one in node.evidence] == [0.9, 0.8, 0.7]


def walks() -> int:
    """How often this session ran the prepared statement that walks the graph."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COALESCE(sum(generic_plans + custom_plans), 0) FROM pg_prepared_statements"
            " WHERE statement LIKE '%RECURSIVE start%'"
        )
        return int(cursor.fetchone()[0])


def test_one_query_reads_the_bundle() -> None:
    before = walks()
    with CaptureQueriesContext(connection) as captured:
        bundle()
    assert len(captured) == 1  # the element with its Task; a prepared statement is not captured
    assert walks() == before + 1


def test_no_node_is_in_two_sections_of_a_bundle() -> None:
    definition = make_node("Ceiling: the lowest broken layer", "definition")
    join(definition, "applies_in_scenario", element_node("PA.I.E.K1"))
    join(element_node("PA.I.E.K1"), "requires_knowledge_of", definition)
    said = bundle().to_dict()
    entries = [
        one["node"] for section in said["sections"].values() for one in section if isinstance(one, dict)
    ]
    assert len(entries) == len(set(entries))
    assert len({node["id"] for node in said["nodes"]}) == len(said["nodes"])
