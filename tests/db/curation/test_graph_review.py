"""Reviewers accept and remove relations, definitions and wrong beliefs; every decision has its audit row."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.graph.decisions import concepts_for, decide_concept, decide_relation, undo_graph_decision
from curation.models import DecisionKind, GraphDecision, QueueEntry, RelationEntry, ReviewDecision
from curation.oversight.audit import verify_chains
from curation.selectors import WrongDecision
from curation.views import graph_review
from desk.views.home import waits_for
from exams.bank.loading import load_item_files
from knowledge.graph.skeleton import load_standard
from knowledge.graph.traversal import nodes_around
from knowledge.graph.writing import GraphPart, NewNode, write_part
from knowledge.models import Concept, ConceptRelation, Membership, MixUp
from knowledge.models.tenancy import Role, Tenant
from knowledge.retrieval.searchable import Scope
from tests.doubles.claims import make_user
from tests.doubles.item_files import item, point, write_file
from tests.doubles.library import WEATHER, join, make_chunk, make_evidence, make_node, make_tenant
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
PLACE = "/admin/curation/graphdecision/review/"
APPROVE, REJECT = DecisionKind.APPROVE, DecisionKind.REJECT


def relation(school: Tenant | None = None, status: str = "pending") -> ConceptRelation:
    name = f"Stalls of {school or 'all'}"
    edge = join(
        make_node(name, "topic", tenant=school), "requires_knowledge_of", make_node(f"Lift, {name}", "topic")
    )
    edge.status = status
    edge.save()
    return edge


def reviewer(name: str, school: Tenant | None = None) -> Any:
    user = make_user(name, None)
    Membership.objects.create(user=user, tenant=school, role=Role.REVIEWER)
    return user


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_relation_is_accepted_with_an_audit_row_and_taken_back() -> None:
    edge, user = relation(), reviewer("rev")
    decision = decide_relation(user, edge.pk, edge.version, APPROVE)
    edge.refresh_from_db()
    assert (edge.status, edge.version) == ("validated", 2)
    assert (decision.before["status"], decision.after["status"]) == ("pending", "validated")
    assert decision.before["source"] == edge.source.name
    undo_graph_decision(user, decision.pk)
    edge.refresh_from_db()
    assert (edge.status, edge.version) == ("pending", 3)
    assert list(GraphDecision.objects.values_list("decision", flat=True)) == ["reopen", "approve"]


@pytest.mark.long
def test_decision_on_an_older_reading_changes_nothing() -> None:
    edge = relation()
    first = decide_relation(reviewer("one"), edge.pk, 1, APPROVE)
    with pytest.raises(WrongDecision, match="meanwhile"):
        decide_relation(reviewer("two"), edge.pk, 1, REJECT)
    decide_relation(first.reviewer, edge.pk, 2, REJECT)
    with pytest.raises(WrongDecision, match="meanwhile"):
        undo_graph_decision(first.reviewer, first.pk)
    assert GraphDecision.objects.count() == 2


@pytest.mark.long
def test_record_outlives_the_relation() -> None:
    edge, person = relation(), reviewer("rev")
    decision, number = decide_relation(person, edge.pk, 1, REJECT), edge.pk
    edge.delete()
    decision.refresh_from_db()
    assert (decision.relation_id, decision.before["source"]) == (number, "Stalls of all")
    assert verify_chains().broken == ()
    for place in ("", f"{decision.pk}/change/"):
        assert signed_in(person).get(f"/admin/curation/graphdecision/{place}").status_code == 200


def test_belief_is_decided_on() -> None:
    node = make_node("Clouds are fine.", "misconception", "pending")
    decide_concept(reviewer("rev"), node.pk, 1, APPROVE)
    node.refresh_from_db()
    assert node.validation_status == "validated"


def test_a_wrong_belief_stands_beside_what_is_right_and_the_question_that_it_spoils(tmp_path: Path) -> None:
    load_item_files([write_file(tmp_path, item())])
    make_node("Clouds are fine.", "misconception", "pending")
    mixup = MixUp.objects.get()
    text = signed_in(reviewer("rev")).get(f"{PLACE}?what=beliefs").content.decode()
    for words in (
        mixup.text,
        mixup.answer,
        mixup.item.why,
        "You last flew 40 days ago",
        "Mistakes that students make",
    ):
        assert words in text
    assert reverse("admin:curation_item", args=[mixup.item_id]) in text
    assert text.count("No item in use says what is right instead.") == 1
    assert "Accept what is true" not in text


@pytest.mark.parametrize(("what", "title"), graph_review.WHAT.items())
def test_each_list_is_called_by_its_kind(what: str, title: str) -> None:
    assert f"<h1>{title}</h1>" in signed_in(reviewer("rev")).get(f"{PLACE}?what={what}").content.decode()


def test_another_schools_reviewer_sees_and_decides_nothing() -> None:
    one, two = make_tenant("one"), make_tenant("two")
    edge = relation(one)
    shared = relation()
    stranger = reviewer("two", two)
    text = signed_in(stranger).get(PLACE).content.decode()
    assert "Stalls" not in text
    for foreign in (edge, shared):
        with pytest.raises(WrongDecision):
            decide_relation(stranger, foreign.pk, 1, APPROVE)
    assert "Stalls of One" in signed_in(reviewer("one", one)).get(PLACE).content.decode()
    assert signed_in(make_user("student", Role.STUDENT)).get(PLACE).status_code in (302, 403)


@pytest.mark.long
def test_list_is_filtered_and_costs_few_queries(django_assert_max_num_queries: Any) -> None:
    client = signed_in(reviewer("rev"))
    for n in range(45):
        edge = join(make_node(f"One {n}", "topic"), "leads_to_discussion_of", make_node(f"Two {n}", "topic"))
        edge.status = "pending"
        edge.save()
    client.get(PLACE)
    with django_assert_max_num_queries(16):
        text = client.get(PLACE).content.decode()
    assert "45 waiting, page 1 of 2" in text
    assert "Nothing is waiting here" in client.get(PLACE, {"type": "contrasts_with"}).content.decode()
    assert "1 waiting" in client.get(PLACE, {"q": "One 44"}).content.decode()
    assert "Nothing is accepted" in client.get(PLACE, {"state": "accepted", "q": "%"}).content.decode()


@pytest.mark.long
@pytest.mark.parametrize("what", ["relations", "definitions", "beliefs"])
def test_two_reviewers_are_not_shown_the_same_rows(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_review, "ROWS", 2)
    names = [f"Word {n}" for n in range(5)]
    for name in names:
        if what == "relations":
            edge = join(make_node(name, "topic"), "leads_to_discussion_of", make_node(f"{name} too", "topic"))
            ConceptRelation.objects.filter(pk=edge.pk).update(status="pending")
        else:
            make_node(name, "definition" if what == "definitions" else "misconception", "pending")
    one, two, third = (signed_in(reviewer(name)) for name in ("one", "two", "third"))
    place = f"{PLACE}?what={what}"

    def shown(client: Client, page: int = 1) -> list[str]:
        rows = client.get(f"{place}&page={page}").context["rows"]
        return [row.lead for row in rows]

    assert shown(one) == names[:2]
    assert shown(two) == names[2:4]
    assert shown(one) == names[:2]  # the own ones again
    assert shown(third) == names[4:]
    kinds = {kind.title: kind.count for kind in one.get(place).context["kinds"]()}
    assert kinds[graph_review.WHAT[what]] == 2
    assert shown(one, 9) == names[:2]
    entries = RelationEntry if what == "relations" else QueueEntry
    entries.objects.filter(held_by__username="two").update(held_until=timezone.now())
    assert shown(third) == names[2:4]  # the last one is free again
    assert shown(one, 2) == names[4:]
    assert shown(two) == names[:2]


@pytest.mark.long
@pytest.mark.parametrize(("what", "category"), [("definitions", "definition"), ("beliefs", "misconception")])
def test_a_list_of_the_graph_does_not_let_go_of_the_claim_in_hand(what: str, category: str) -> None:
    claim, _ = make_node("A rule.", status="pending"), make_node("One", category, "pending")
    client = signed_in(reviewer("one"))
    client.get(f"/admin/curation/claim/queue/{claim.pk}/")
    assert len(client.get(f"{PLACE}?what={what}").context["rows"]) == 1
    held = QueueEntry.objects.filter(held_by__username="one")
    assert held.count() == 2
    client.get(f"/admin/curation/claim/queue/{make_node('Another.', status='pending').pk}/")
    assert not held.filter(pk=claim.pk).exists()


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_readers_of_one_moment_get_different_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_review, "ROWS", 3)
    for n in range(9):
        edge = join(make_node(f"One {n}", "topic"), "leads_to_discussion_of", make_node(f"Two {n}", "topic"))
        ConceptRelation.objects.filter(pk=edge.pk).update(status="pending")
    clients = [signed_in(reviewer(name)) for name in ("one", "two", "third")]
    together = Barrier(len(clients))

    def read(client: Client) -> list[str]:
        together.wait()
        try:
            page = client.get(PLACE).content.decode()
            return [part.partition('"')[0] for part in page.split('data-row="')[1:]]
        finally:
            connection.close()

    with ThreadPoolExecutor(len(clients)) as pool:
        rows = [row for found in pool.map(read, clients) for row in found]
    assert len(rows) == len(set(rows)) == 9


@pytest.mark.parametrize("what", ["relations", "definitions", "beliefs", "subjects"])
def test_page_decides_by_form_and_takes_back(what: str) -> None:
    client, row = signed_in(reviewer("rev")), _pending(what)
    place = f"{PLACE}?what={what}"
    assert client.post(place, {"act": "accept", "id": row.pk, "version": 1}).status_code == 302
    answer = client.post(
        place, {"act": "remove", "id": row.pk, "version": 2}, headers={"X-Requested-With": "fetch"}
    )
    row.refresh_from_db()
    assert _status(row) == "rejected"
    kind = ReviewDecision if what == "definitions" else GraphDecision
    undo = f'name="id" value="{kind.objects.latest("number").pk}"'
    assert undo in answer.json()["own"]
    # Also for somebody who comes back later, without JavaScript.
    assert undo in client.get(place).content.decode()
    assert client.post(place, {"act": "undo", "id": kind.objects.latest("number").pk}).status_code == 302
    row.refresh_from_db()
    assert _status(row) == "validated"
    assert kind.objects.count() == 3


@pytest.mark.long
def test_last_decisions_are_listed_and_those_that_stand_are_taken_back() -> None:
    person, edge, other = reviewer("rev"), relation(), relation(make_tenant())
    node = make_node("Clouds are fine.", "misconception", "pending")
    mine = decide_relation(person, edge.pk, 1, REJECT)
    decide_relation(reviewer("else"), edge.pk, 2, APPROVE)
    last = decide_concept(person, node.pk, 1, APPROVE)
    decide_relation(reviewer("theirs", make_tenant()), other.pk, 1, REJECT)
    page = signed_in(person).get(PLACE)
    assert [one.pk for one in page.context["own_decisions"]] == [last.pk, mine.pk]
    assert [one.stands for one in page.context["own_decisions"]] == [True, False]
    assert page.context["undoable"] == last.pk
    undo_graph_decision(person, last.pk)
    assert signed_in(person).get(PLACE).context["undoable"] is None


@pytest.mark.long
def test_ten_decisions_on_the_graph_are_taken_back_one_after_another() -> None:
    person = reviewer("rev")
    client = signed_in(person)
    for number in range(10):
        decide_concept(person, make_node(f"Belief {number}.", "misconception", "pending").pk, 1, APPROVE)
    taken_back = 0
    while last := client.get(PLACE).context["undoable"]:
        undo_graph_decision(person, last)
        taken_back += 1
    assert taken_back == 10


@pytest.mark.parametrize("category", ["topic", "procedure", "artifact"])
def test_a_subject_that_is_removed_is_not_in_the_graph_and_stays_away(category: str) -> None:
    part = GraphPart()
    part.add_node(NewNode(category=category, identity="Chapter 3", name="Chapter 3"))
    write_part("documents", part)
    node = Concept.objects.get()
    join(element := make_node("PA.I.A.K1", "acs_element"), "leads_to_discussion_of", node)
    client = signed_in(reviewer("rev"))
    place = f"{PLACE}?what=subjects&type={category}"
    text = client.get(place).content.decode()
    assert "1 accepted" in text
    assert '<button class="queue-button queue-yes"' not in text
    assert node.key in keys_around(element)
    client.post(place, {"act": "remove", "id": node.pk, "version": 1})
    assert node.key not in keys_around(element)
    write_part("documents", part)
    node.refresh_from_db()
    assert node.validation_status == "rejected"
    assert "Chapter 3" in client.get(f"{place}&state=removed").content.decode()


def keys_around(node: Concept) -> set[str]:
    return {one.key for one in nodes_around(node.key, Scope(tenant=None, model="any"), 2)}


@pytest.mark.long
def test_what_a_standard_prints_is_not_decided_on() -> None:
    load_standard(small_standard())
    person = reviewer("rev")
    task = Concept.objects.filter(category="topic", origin="acs")[0]
    assert "Nothing is accepted" in signed_in(person).get(f"{PLACE}?what=subjects").content.decode()
    with pytest.raises(WrongDecision):
        decide_concept(person, task.pk, task.version, REJECT)


def _pending(what: str) -> Any:
    if what == "relations":
        return relation()
    category = {"definitions": "definition", "beliefs": "misconception", "subjects": "topic"}[what]
    node = make_node("NIGHT: The dark hours.", category, "pending")
    make_evidence(node, make_chunk(WEATHER, section="1.1"), WEATHER)
    return node


def _status(row: ConceptRelation | Concept) -> str:
    return row.status if isinstance(row, ConceptRelation) else row.validation_status


@pytest.mark.parametrize(
    "given", [{}, {"act": "accept", "id": "x", "version": 1}, {"act": "undo", "id": "no"}]
)
def test_bad_posts_get_a_clear_answer(given: dict[str, Any]) -> None:
    client = signed_in(reviewer("rev"))
    for what in ("relations", "definitions", "beliefs", "subjects"):
        answer = client.post(f"{PLACE}?what={what}", given, headers={"X-Requested-With": "fetch"})
        assert answer.status_code == 409
        assert answer.json()["message"]


def test_a_key_point_that_its_item_no_longer_has_is_no_topic_to_review(tmp_path: Path) -> None:
    user = reviewer("rev")
    for words in ("A stall is a loss of lift.", "A stall costs lift at any speed."):
        load_item_files([write_file(tmp_path, item(points=[point(role="explain", text=words)]))])
    assert Concept.objects.filter(name="A stall is a loss of lift.", category="topic").exists()
    assert {one.category for one in concepts_for(user)} == {"misconception"}
    told = {words: count for count, words, _ in waits_for(user)["Verification"]}
    assert told == {"wrong belief": 1}
