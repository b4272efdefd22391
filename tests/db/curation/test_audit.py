"""The record of decisions is append-only, and a chain shows what was changed past the application."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from io import StringIO
from threading import Barrier
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import ProtectedError
from django.test import Client

from curation.models import (
    AppendOnly,
    AuditChain,
    CaseDecision,
    DecisionKind,
    GraphDecision,
    QueueEntry,
    RemovedDecisions,
    ReviewDecision,
)
from curation.oversight.audit import keep_case, verify_chains
from curation.queue import bring_group_back, park_group
from curation.values import link_hash
from knowledge.access.case_record import Case
from knowledge.models import Concept, Tenant
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.library import make_tenant
from tests.doubles.schools import Schools
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
MANY = 5000 if os.environ.get("HEYDPE_SOAK") else 25
"""Decisions of each of two reviewers."""


def make_concept(name: str = "A rule.", tenant: Tenant | None = None) -> Concept:
    return Concept.objects.create(key=f"claim:{name}", name=name, category="regulatory_claim", tenant=tenant)


def decide(concept: Concept, reviewer: Any, **fields: Any) -> ReviewDecision:
    given = {"decision": DecisionKind.APPROVE, "version_read": 1, "before": {}, "after": {"limit": 3.0}}
    return ReviewDecision.objects.create(claim=concept, reviewer=reviewer, **given | fields)


def decide_on_graph(concept: Concept, reviewer: Any, **fields: Any) -> GraphDecision:
    given = {"decision": DecisionKind.REJECT, "version_read": 1, "before": {"text": "A belief."}, "after": {}}
    return GraphDecision.objects.create(
        concept=concept, tenant=concept.tenant, reviewer=reviewer, **given | fields
    )


def make_decisions(count: int = 4, tenant: Tenant | None = None) -> list[ReviewDecision]:
    concept, reviewer = make_concept(f"Of {tenant}", tenant), make_user(f"reader-of-{tenant}")
    return [decide(concept, reviewer, reason=f"{number}") for number in range(1, count + 1)]


def tamper(sql: str, *values: Any) -> None:
    """As somebody with the database's own password could: past the triggers."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        cursor.execute(sql, values)
        cursor.execute("SET LOCAL session_replication_role = 'origin'")


def faults() -> list[tuple[int, str]]:
    return [(one.number, one.fault) for one in verify_chains().broken]


def test_decisions_made_by_the_application_verify() -> None:
    rows = make_decisions()
    ReviewDecision.objects.bulk_create(
        ReviewDecision(
            claim=rows[0].claim,
            reviewer=rows[0].reviewer,
            decision=DecisionKind.REJECT,
            version_read=2,
            before={"key_facts": {"visibility_sm": 3.0, "far": 1e20, "near": 1e-7, "cases": [1, None, True]}},
            after={"statement": "“Fünf” ☂"},
            reason="",
            created_at=datetime(2026, 3, 1, 12, 30, 0, 123456, UTC),
        )
        for _ in range(2)
    )
    done = verify_chains()
    assert (done.rows, done.broken) == (6, ())
    assert done.heads[""] == {"rows": 6, "hash": ReviewDecision.objects.get(number=6).hash}


def test_each_school_has_a_chain_of_its_own() -> None:
    school = make_tenant("first")
    make_decisions(2), make_decisions(3, school)
    assert {one.tenant: one.length for one in AuditChain.objects.all()} == {None: 2, school: 3}
    tamper("DELETE FROM curation_reviewdecision WHERE tenant_id = %s AND number = 2", school.pk)
    (fault,) = verify_chains().broken
    assert (fault.school, fault.number, fault.fault) == ("first", 2, "decision 2 is missing")


def test_decisions_on_the_graph_belong_to_the_same_chain() -> None:
    (first,) = make_decisions(1)
    graph = decide_on_graph(first.claim, first.reviewer)
    last = decide(first.claim, first.reviewer)
    assert [one.number for one in (first, graph, last)] == [1, 2, 3]
    done = verify_chains()
    assert (done.rows, done.broken) == (3, ())
    tamper("UPDATE curation_graphdecision SET decision = 'approve' WHERE id = %s", graph.pk)
    (fault,) = verify_chains().broken
    assert (fault.number, fault.kind, fault.decision) == (2, "graph", graph.pk)
    tamper("DELETE FROM curation_graphdecision WHERE id = %s", graph.pk)
    assert faults() == [(2, "decision 2 is missing")]


@pytest.mark.long
def test_parkings_belong_to_the_same_chain() -> None:
    (first,) = make_decisions(1)
    QueueEntry.objects.create(claim=make_concept("Another."), source="AC 1")
    for _ in range(2):  # the second one parks nothing
        park, _ = park_group(first.reviewer, tenant=None, source="AC 1", unbound_only=True)
    bring_group_back(first.reviewer, park.pk)
    back, parked = CaseDecision.objects.all()
    assert [(one.number, one.decision, one.row) for one in (parked, back)] == [
        (2, "park", str(park.pk)),
        (3, "bring_back", str(park.pk)),
    ]
    assert parked.after == {"parked": True, "what": str(park), "claims": 0}
    assert faults() == []
    tamper("UPDATE curation_casedecision SET after = '{}' WHERE id = %s", parked.pk)
    (fault,) = verify_chains().broken
    assert (fault.number, fault.kind, fault.decision) == (2, "case", parked.pk)


@pytest.mark.parametrize(
    ("column", "value"),
    sample_of(
        [
            ("reason", "Another reason."),
            ("after", '{"limit": 4}'),
            ("before", '{"limit": 4}'),
            ("decision", "reject"),
            ("version_read", 7),
            ("created_at", "2020-01-01 00:00+00"),
            ("hash", "0" * 64),
        ],
        3,
    ),
)
def test_altered_row_is_found(column: str, value: Any) -> None:
    rows = make_decisions()
    tamper(f"UPDATE curation_reviewdecision SET {column} = %s WHERE id = %s", value, rows[1].pk)
    assert (2, "differs from what was recorded") in faults()


@pytest.mark.long
def test_decision_given_to_another_reviewer_is_found() -> None:
    rows, other = make_decisions(), make_user("other")
    tamper("UPDATE curation_reviewdecision SET reviewer_id = %s WHERE id = %s", other.pk, rows[2].pk)
    assert faults() == [(3, "differs from what was recorded")]


def test_altered_row_with_a_hash_to_match_is_found_by_the_next() -> None:
    rows = make_decisions()
    rows[1].reason = "Another."
    forged = link_hash(rows[0].hash, rows[1].content)
    tamper(
        "UPDATE curation_reviewdecision SET reason = 'Another.', hash = %s WHERE id = %s", forged, rows[1].pk
    )
    assert faults() == [(3, "differs from what was recorded")]


@pytest.mark.parametrize(
    ("number", "fault"),
    [(1, "decision 1 is missing"), (3, "decision 3 is missing"), (4, "decision 4 is missing")],
)
def test_deleted_row_is_found(number: int, fault: str) -> None:
    make_decisions()
    tamper("DELETE FROM curation_reviewdecision WHERE number = %s", number)
    assert faults() == [(number, fault)]


@pytest.mark.long
def test_all_rows_deleted_are_found() -> None:
    make_decisions()
    tamper("DELETE FROM curation_reviewdecision")
    assert faults() == [(1, "decisions 1 to 4 are missing")]


def test_inserted_row_is_found() -> None:
    rows = make_decisions()
    tamper(
        "INSERT INTO curation_reviewdecision (claim_id, reviewer_id, decision, version_read, before, after, reason,"
        " created_at, number, hash) SELECT claim_id, reviewer_id, decision, version_read, before, after, 'Forged.',"
        " now(), 5, hash FROM curation_reviewdecision WHERE id = %s",
        rows[3].pk,
    )
    assert faults() == [
        (5, "differs from what was recorded"),
        (5, "was added past the end of the chain"),
    ]


@pytest.mark.long
def test_row_put_in_the_place_of_another_is_found() -> None:
    rows = make_decisions()
    tamper("DELETE FROM curation_reviewdecision WHERE number = 2")
    tamper(
        "INSERT INTO curation_reviewdecision (claim_id, reviewer_id, decision, version_read, before, after, reason,"
        " created_at, number, hash) VALUES (%s, %s, 'reject', 1, '{}', '{}', '', now(), 2, %s)",
        *(rows[1].claim_id, rows[1].reviewer_id, rows[1].hash),
    )
    assert faults() == [(2, "differs from what was recorded")]


def test_removed_end_of_the_chain_is_found() -> None:
    make_decisions()
    tamper("DELETE FROM curation_auditchain")
    assert faults() == [(1, "belongs to a chain whose end was removed")]


@pytest.mark.long
def test_decisions_of_before_are_chained() -> None:
    """Back before the chain and forward again, with rows of two schools."""
    rows, school = make_decisions(2), make_tenant("first")
    make_decisions(3, school)
    (
        decide_on_graph(rows[0].claim, rows[0].reviewer),
        decide_on_graph(make_concept("b", school), rows[0].reviewer),
    )
    heads = set(AuditChain.objects.values_list("tenant", "length", "head"))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    now = MigrationExecutor(connection).loader.graph.leaf_nodes("curation")
    MigrationExecutor(connection).migrate([("curation", "0016_parked_by_certificate")])
    executor.migrate([("curation", "0006_source_without_edition")])
    MigrationExecutor(connection).migrate([("curation", "0014_words_of_people")])
    MigrationExecutor(connection).migrate(now)
    assert set(AuditChain.objects.values_list("tenant", "length", "head")) == heads
    assert (verify_chains().rows, faults()) == (7, [])


# --- append-only ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    sample_of(
        [
            "UPDATE curation_reviewdecision SET reason = 'Another.'",
            "DELETE FROM curation_reviewdecision",
            "TRUNCATE curation_reviewdecision CASCADE",
            "UPDATE curation_graphdecision SET relation_id = NULL",
            "DELETE FROM curation_graphdecision",
            "TRUNCATE curation_graphdecision",
            "UPDATE curation_casedecision SET row = '2'",
            "DELETE FROM curation_casedecision",
            "TRUNCATE curation_casedecision",
        ],
        3,
    ),
)
def test_database_refuses_changes(statement: str) -> None:
    rows = make_decisions()
    decide_on_graph(rows[0].claim, rows[0].reviewer)
    keep_case(Case(kind="item", id="1", decision="withdraw", reviewer=rows[0].reviewer, tenant=None))
    with connection.cursor() as cursor:  # a TRUNCATE is refused before the rows of this test are looked at
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            cursor.execute(statement)
    assert faults() == []


def test_orm_refuses_changes_with_a_clear_message() -> None:
    (row,) = make_decisions(1)
    row.reason = "Another."
    rows = ReviewDecision.objects.all()
    for change in (
        row.save,
        row.delete,
        rows.delete,
        lambda: rows.update(reason="Another."),
        lambda: rows.bulk_update([row], ["reason"]),
    ):
        with pytest.raises(AppendOnly, match="Record a new decision instead"):
            change()
    assert ReviewDecision.objects.get().reason == "1"


# --- a school that is given up ----------------------------------------------------------------------------------


@pytest.mark.long
def test_school_with_decisions_is_removed_deliberately_and_on_record() -> None:
    school, operator = make_tenant("first"), make_user("operator", Role.OPERATOR)
    _, rows = make_decisions(1), make_decisions(2, school)
    decide_on_graph(rows[0].claim, rows[0].reviewer)
    keep_case(Case(kind="dispute", id="1", decision="uphold", reviewer=operator, tenant=school.pk))
    with pytest.raises(ProtectedError):
        school.delete()
    head = AuditChain.objects.get(tenant=school).head
    call_command("remove_decisions", "first", "--operator=operator", "--reason=The school closed.")
    school.delete()
    record = RemovedDecisions.objects.get()
    assert (record.school, record.rows, record.head, record.removed_by, record.reason) == (
        *("first", 4, head, operator),
        "The school closed.",
    )
    done = verify_chains()
    assert (done.rows, done.broken) == (1, ())
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        RemovedDecisions.objects.all().delete()
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM curation_reviewdecision")  # the door is shut again


@pytest.mark.long
@pytest.mark.parametrize(
    ("slug", "operator", "reason", "said"),
    [
        ("nowhere", "operator", "Closed.", "there is no school 'nowhere'"),
        ("first", "nobody", "Closed.", "there is no account nobody"),
        ("first", "operator", " ", "Say why"),
        ("first", "reader-of-None", "Closed.", "Only operators of the shared library"),
    ],
)
def test_removal_is_refused(slug: str, operator: str, reason: str, said: str) -> None:
    make_user("operator", Role.OPERATOR)
    make_decisions(1), make_decisions(1, make_tenant("first"))
    with pytest.raises(CommandError, match=said) as refused:
        call_command("remove_decisions", slug, f"--operator={operator}", f"--reason={reason}")
    assert refused.value.returncode == 2
    assert ReviewDecision.objects.count() == 2


# --- the command and the page -----------------------------------------------------------------------------------


def test_command_lists_what_is_broken() -> None:
    rows = make_decisions()
    out = StringIO()
    call_command("verify_audit", "--json", stdout=out)
    answer = json.loads(out.getvalue())
    assert (answer["rows"], answer["broken"]) == (4, [])
    tamper("UPDATE curation_reviewdecision SET reason = 'x' WHERE id = %s", rows[1].pk)
    out = StringIO()
    call_command("verify_audit", "--json", stdout=out)
    (fault,) = json.loads(out.getvalue())["broken"]
    assert (fault["school"], fault["number"], fault["decision"]) == ("", 2, rows[1].pk)
    out = StringIO()
    call_command("verify_audit", stdout=out)
    assert "shared library, decision 2" in out.getvalue()


def test_operator_sees_the_last_verification_of_own_school_alone(schools: Schools) -> None:
    make_decisions(2, schools.first), make_decisions(3, schools.second)
    verify_chains()
    client: Client = schools.client("operator-of-first")
    page = client.get("/operations/").content.decode()
    assert f"of {schools.first}: all 2 fit together" in page
    assert "all 3 fit" not in page
    tamper("DELETE FROM curation_reviewdecision WHERE number = 1 AND tenant_id = %s", schools.first.pk)
    verify_chains()
    assert "1 fault, first decision 1" in client.get("/operations/").content.decode()


# --- several writers at once --------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_writers_lose_and_double_nothing() -> None:
    """Two reviewers write at once, each in transactions of their own; every third one is given up and leaves no gap."""
    concept = make_concept()
    people = [make_user("one"), make_user("two")]
    barrier = Barrier(2)

    def give_up(reviewer: Any) -> None:
        with transaction.atomic():
            decide(concept, reviewer, reason="given up")
            transaction.set_rollback(True)

    def write(place: int) -> None:
        barrier.wait()
        try:
            for number in range(MANY):
                if number % 3 == 0:
                    give_up(people[place])
                decide(concept, people[place], reason=f"{place}.{number}")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(2)))
    done = verify_chains()
    assert (done.rows, done.broken) == (2 * MANY, ())
    written = set(ReviewDecision.objects.values_list("reason", flat=True))
    assert written == {f"{place}.{number}" for place in range(2) for number in range(MANY)}
