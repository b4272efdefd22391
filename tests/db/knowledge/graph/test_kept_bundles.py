"""What a process keeps of the graph: nothing is read again while nothing changes, and every change is seen at once."""

from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.db import connection, transaction

from knowledge.graph.bundle import bundle_for_element
from knowledge.graph.skeleton import load_standard
from knowledge.models import Concept, ConceptChunkEvidence, ConceptRelation, Document
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

pytestmark = pytest.mark.django_db(transaction=True)
RULE = "Class G by day: 1 SM."


@pytest.fixture(autouse=True)
def rule() -> Concept:
    """An approved rule of the element, in a bundle that this process keeps."""
    load_standard(small_standard())
    node = make_node(RULE)
    make_evidence(node, make_chunk(WEATHER, section="91.155"), WEATHER)
    join(node, "applies_in_scenario", element_node("PA.I.E.K1"))
    assert rules() == [RULE]
    return node


@pytest.fixture
def elsewhere(rule: Concept) -> Iterator[psycopg.Connection]:
    """The session of another process; it waits for no lock."""
    with psycopg.connect(**connection.get_connection_params(), options="-c lock_timeout=1s") as other:
        yield other
        other.rollback()


def rules(tenant: int | None = None) -> list[str]:
    found = bundle_for_element("PA.I.E.K1", model=MODEL.name, tenant=tenant)
    return [node.name for node in found.requirements]


def reads() -> int:
    """How often this session walked the graph."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COALESCE(sum(generic_plans + custom_plans), 0) FROM pg_prepared_statements"
            " WHERE statement LIKE '%RECURSIVE start%'"
        )
        return int(cursor.fetchone()[0])


def test_a_bundle_is_read_once_while_nothing_changes() -> None:
    before = reads()
    assert rules() == rules() == [RULE]
    assert reads() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda: Concept.objects.filter(name=RULE).update(stale=True),
        lambda: Concept.objects.filter(name=RULE).delete(),
        lambda: ConceptRelation.objects.filter(source__name=RULE).update(status="pending"),
        lambda: ConceptChunkEvidence.objects.all().delete(),
        lambda: Document.objects.update(status="archived"),
    ],
    ids=["stale", "deleted", "no relation", "no evidence", "archived"],
)
def test_what_is_no_longer_in_force_is_gone_at_once(change: Callable[[], object]) -> None:
    change()
    assert rules() == []


@pytest.mark.parametrize(
    "table",
    [
        *("concept", "conceptrelation", "conceptchunkevidence", "keypoint"),
        *("document", "page", "chunk", "chunkembedding"),
    ],
)
def test_a_change_of_any_table_is_read(table: str, elsewhere: psycopg.Connection) -> None:
    before = reads()
    elsewhere.execute(f"UPDATE knowledge_{table} SET id = id")
    elsewhere.commit()
    assert rules() == [RULE]
    assert reads() == before + 1


def test_a_change_of_another_process_is_seen_when_it_commits(elsewhere: psycopg.Connection) -> None:
    elsewhere.execute(
        "UPDATE knowledge_concept SET name = 'Class G by day: 1 statute mile.' WHERE name = %s", [RULE]
    )
    assert rules() == [RULE]
    elsewhere.commit()
    assert rules() == ["Class G by day: 1 statute mile."]


def test_writers_do_not_wait_for_each_other_and_both_are_seen(
    rule: Concept, elsewhere: psycopg.Connection
) -> None:
    """The one that began first commits last, after its version has been overtaken."""
    elsewhere.execute("UPDATE knowledge_conceptchunkevidence SET quote = 'One mile.'")
    Concept.objects.filter(pk=rule.pk).update(name="Changed here.")
    found = bundle_for_element("PA.I.E.K1", model=MODEL.name).requirements
    assert [(node.name, node.evidence[0].quote) for node in found] == [("Changed here.", WEATHER)]
    elsewhere.commit()
    found = bundle_for_element("PA.I.E.K1", model=MODEL.name).requirements
    assert [(node.name, node.evidence[0].quote) for node in found] == [("Changed here.", "One mile.")]


def test_a_change_is_seen_though_one_before_it_was_rolled_back(elsewhere: psycopg.Connection) -> None:
    rename = "UPDATE knowledge_concept SET name = %s WHERE category = 'regulatory_claim'"
    with elsewhere.transaction():
        with elsewhere.transaction(force_rollback=True):
            elsewhere.execute(rename, ["Never."])
        elsewhere.execute(rename, ["After all."])
    assert rules() == ["After all."]


def test_a_transaction_sees_its_own_changes_and_leaves_none_when_it_fails(rule: Concept) -> None:
    with transaction.atomic():
        for name in ("First.", "Second."):
            Concept.objects.filter(pk=rule.pk).update(name=name)
            assert rules() == [name]
        transaction.set_rollback(True)
    assert rules() == [RULE]


def test_what_is_kept_for_a_school_is_shown_to_no_other() -> None:
    school, other = make_tenant(), make_tenant("other")
    join(
        own := make_node("House rule: 5 SM.", tenant=school), "applies_in_scenario", element_node("PA.I.E.K1")
    )
    make_evidence(own, make_chunk(f"{WEATHER} 5", section="91.157"), WEATHER)
    for _ in range(2):
        assert set(rules(school.pk)) == {RULE, own.name}
        assert rules(other.pk) == rules() == [RULE]
