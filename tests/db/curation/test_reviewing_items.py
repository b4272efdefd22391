"""Items are reviewed as claims are: one reader for an item, put aside, decided on, reopened, and taken back."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from curation import conf
from curation.item_review import (
    ItemFilter,
    accept_clean_points,
    decide_item,
    decide_points,
    item_queue,
    last_presses,
    reopen_points,
    undo_press,
)
from curation.models import Claim, DecisionKind, ItemEntry, ReviewDecision
from curation.oversight.audit import verify_chains
from curation.queue import hand_out, hold_for_reader, put_aside
from curation.reading import needs
from curation.reading.needs import needs_of
from curation.review import undo_decision
from curation.selectors import UnknownClaim, WrongDecision
from knowledge.models import Chunk, Concept, Item, KeyPoint
from tests.doubles.claims import make_user
from tests.doubles.library import make_chunk, make_document, make_evidence, make_node, make_tenant
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
ITEMS = "/admin/curation/claim/items/"
WORDS = (
    "Members taxi with the brakes checked.",
    "Members log a flight within 2 days.",
    "Members park on the grass.",
)


def make_item(key: str = "pa.i.a.k1.a", words: Iterable[str] = WORDS, **fields: Any) -> Item:
    """An item with a point for each of these words; the first is P0, and each has its passage."""
    named = {
        "task": "PA.I.A",
        "elements": ["PA.I.A.K1"],
        "stem": "What do members do?",
        "again": "?",
        "why": ".",
    }
    item = Item.objects.create(key=key, **named | fields)
    document = make_document(f"Rules for {key}", tenant=item.tenant)
    for order, text in enumerate(words):
        said = f"{text[:-1]} ({key})."
        node = make_node(said, status="pending", tenant=item.tenant)
        make_evidence(node, make_chunk(said, document, embed=False, index=order), said)
        KeyPoint.objects.create(
            item=item, key=f"p{order}", order=order, text=said, p0=not order, concept=node, anchor="clean"
        )
    return item


def read(item: Item, *orders: int) -> dict[UUID, int]:
    """The points of an item (those of these orders, if given), as a reviewer reads them now."""
    points = item.points.filter(order__in=orders) if orders else item.points.all()
    return dict(points.values_list("concept", "concept__version"))


def statuses(item: Item) -> list[str]:
    return list(item.points.order_by("order").values_list("concept__validation_status", flat=True))


def sent(page: Any, decision: str, *ticked: int, **fields: Any) -> dict[str, Any]:
    """What the form of a page sends, with the points of these orders ticked."""
    shown = page.context["points"]
    named = [(f"{one.point.concept_id}:{one.point.concept.version}", one) for one in shown]
    return {
        "decision": decision,
        "waiting": [value for value, one in named if one.waits],
        "decided": [value for value, one in named if one.decided],
        "point": [str(one.point.concept_id) for one in shown if one.point.order in ticked],
        **fields,
    }


def said_in(page: Any) -> str:
    return " ".join(str(message) for message in page.context["messages"])


# --- one reader for an item, and putting aside ----------------------------------------------------------------


def test_two_reviewers_are_never_given_the_same_item(reviewer: Any) -> None:
    items = [make_item("pa.i.a.k1.a"), make_item("pa.i.a.k1.b")]
    second = make_user("second")
    given = [hand_out(item_queue(user), user) for user in (reviewer, second)]
    assert given == items
    assert hand_out(item_queue(reviewer), reviewer) == items[0]  # the own one again
    assert items[0] not in item_queue(second)
    assert not item_queue(make_user("third")).exists()


@pytest.mark.long
def test_an_item_that_was_left_open_is_free_after_a_while(reviewer: Any) -> None:
    item, second = make_item(), make_user("second")
    assert hold_for_reader(item, reviewer) is None
    assert hold_for_reader(item, second) == reviewer
    ItemEntry.objects.filter(pk=item.pk).update(held_until=timezone.now() - timedelta(seconds=1))
    assert hold_for_reader(item, second) is None


@pytest.mark.long
def test_the_page_hands_an_item_out_and_says_who_reads_it(browser: Client) -> None:
    items = [make_item("pa.i.a.k1.a"), make_item("pa.i.a.k1.b")]
    second = Client()
    second.force_login(make_user("second"))
    assert [one.get(f"{ITEMS}queue/").context["item"] for one in (browser, second)] == items
    page = browser.get(f"{ITEMS}{items[1].pk}/").content.decode()
    assert "second is reading this item now" in page
    assert browser.get(f"{ITEMS}queue/").context["item"] == items[0]


@pytest.mark.parametrize(("key", "state"), [("defer", "deferred"), ("flag", "flagged")])
def test_an_item_put_aside_comes_back_by_one_decision(browser: Client, key: str, state: str) -> None:
    first, second = make_item("pa.i.a.k1.a"), make_item("pa.i.a.k1.b")
    answer = browser.post(f"{ITEMS}{first.pk}/", {"decision": key}, follow=True)
    assert answer.context["item"] == second
    assert list(item_queue(make_user("third"), ItemFilter(state=state))) == [first]
    page = browser.get(f"{ITEMS}queue/?state={state}")
    assert page.context["item"] == first
    assert f"{state} by reviewer" in page.content.decode()
    assert browser.get(ITEMS).context["counted"] == {"waiting": 1, "aside": 1}
    waits = {words: count for count, words, _ in browser.get("/").context["waits"]["Verification"]}
    assert (waits["item"], waits["item deferred or flagged"]) == (1, 1)
    browser.post(f"{ITEMS}{first.pk}/", {"decision": "in_line"})
    assert first in item_queue(make_user("fourth"))


def test_an_item_that_was_decided_on_is_not_put_aside(browser: Client, reviewer: Any) -> None:
    item = make_item()
    browser.post(f"{ITEMS}{item.pk}/", {"decision": "defer"})
    decide_item(item, make_user("second"), DecisionKind.APPROVE, "", read(item))
    assert ItemEntry.objects.get(pk=item.pk).aside == ""  # back in line for the next time
    late = browser.post(f"{ITEMS}{item.pk}/", {"decision": "flag"})
    assert late.status_code == 400
    assert "decided on meanwhile" in late.content.decode()
    assert ItemEntry.objects.get(pk=item.pk).aside == ""


# --- deciding ---------------------------------------------------------------------------------------------------


def test_a_decision_is_on_the_points_that_are_ticked_or_on_all(browser: Client) -> None:
    item, other = make_item("pa.i.a.k1.a"), make_item("pa.i.a.k1.b")
    address = f"{ITEMS}{item.pk}/"
    page = browser.get(address)
    answer = browser.post(
        address, sent(page, "reject", 1, reason="The passage does not say it."), follow=True
    )
    assert statuses(item) == ["pending", "rejected", "pending"]
    assert answer.context["item"] == item  # the others wait still
    assert "Reject by reviewer" in answer.content.decode()
    answer = browser.post(address, sent(answer, "approve"), follow=True)
    assert statuses(item) == ["validated", "rejected", "validated"]
    assert answer.context["item"] == other
    assert "Approved: 2 points" in said_in(answer)
    assert not verify_chains().broken


@pytest.mark.long
def test_skipping_and_deciding_go_on_to_the_next_item_and_not_back(browser: Client) -> None:
    first, second, third = (make_item(f"pa.i.a.k1.{one}") for one in "abc")
    page = browser.get(f"{ITEMS}queue/")
    assert page.context["place"].after == second.pk
    assert 'data-key="s"' in page.content.decode()
    page = browser.get(f"{ITEMS}{second.pk}/")
    assert browser.post(f"{ITEMS}{second.pk}/", sent(page, "approve"), follow=True).context["item"] == third
    page = browser.get(f"{ITEMS}{third.pk}/")
    assert browser.post(f"{ITEMS}{third.pk}/", sent(page, "approve"), follow=True).context["item"] == first


def test_a_rejection_needs_a_reason_and_keeps_what_was_written(browser: Client) -> None:
    item = make_item()
    address = f"{ITEMS}{item.pk}/"
    page = browser.get(address)
    refused = browser.post(address, sent(page, "reject"))
    assert refused.status_code == 400
    assert "Say why you reject it." in refused.content.decode()
    decide_item(item, make_user("second"), DecisionKind.APPROVE, "", read(item, 0))
    late = browser.post(address, sent(page, "reject", 0, reason="My own words."))
    assert late.status_code == 409
    assert "second approved it on" in late.content.decode()
    assert "My own words." in late.content.decode()
    assert statuses(item) == ["validated", "pending", "pending"]


@pytest.mark.long
def test_a_point_whose_quote_changed_meanwhile_is_shown_again(browser: Client) -> None:
    item = make_item()
    address = f"{ITEMS}{item.pk}/"
    page = browser.get(address)
    moved = item.points.get(order=2)
    assert moved.concept_id
    Concept.objects.filter(pk=moved.concept_id).update(version=2)  # as anchoring does
    answer = browser.post(address, sent(page, "approve"))
    assert answer.status_code == 409
    assert statuses(item) == ["validated", "validated", "pending"]
    assert moved.text in " ".join(answer.context["changed"])
    assert "you read version 1, it is now version 2" in answer.content.decode()
    browser.post(address, sent(answer, "approve"))
    assert statuses(item) == ["validated"] * 3


@pytest.mark.long
def test_a_point_that_left_its_item_meanwhile_is_not_decided(browser: Client) -> None:
    item = make_item()
    address = f"{ITEMS}{item.pk}/"
    page = browser.get(address)
    gone = item.points.get(order=0)
    assert gone.concept_id
    KeyPoint.objects.filter(pk=gone.pk).update(concept=make_node("Other words.", status="pending"))
    answer = browser.post(address, sent(page, "approve"))
    assert "no longer part of this item" in answer.content.decode()
    assert not Concept.objects.filter(pk=gone.concept_id, validation_status="validated").exists()
    assert statuses(item) == ["pending", "validated", "validated"]


@pytest.mark.long
def test_a_point_that_no_passage_was_looked_for_does_not_wait(browser: Client) -> None:
    item = make_item()
    item.points.filter(order=1).update(anchor="waiting")
    page = browser.get(f"{ITEMS}{item.pk}/")
    browser.post(f"{ITEMS}{item.pk}/", sent(page, "approve"))
    assert statuses(item) == ["validated", "pending", "validated"]


@pytest.mark.parametrize(
    "body",
    sample_of(
        [
            {},
            {"decision": "burn"},
            {"decision": "approve"},
            {"decision": "approve", "waiting": ["nonsense"]},
            {"decision": "reopen", "decided": ["7:x"]},
            {"decision": "reject", "reason": "x" * 1001},
        ],
        3,
    ),
)
def test_what_cannot_be_read_decides_nothing_and_says_so(browser: Client, body: dict[str, Any]) -> None:
    item = make_item()
    answer = browser.post(f"{ITEMS}{item.pk}/", body)
    assert answer.status_code == 400
    assert answer.context["wrong"]
    assert statuses(item) == ["pending"] * 3


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_each_point_is_decided_once_by_two_reviewers_at_one_moment() -> None:
    item = make_item()
    reviewers, shown, barrier = [make_user("one"), make_user("two")], read(item), Barrier(2)

    def decide(place: int) -> int:
        barrier.wait()
        try:
            kind = (DecisionKind.APPROVE, DecisionKind.REJECT)[place]
            outcome = decide_item(item, reviewers[place], kind, "Read.", shown)
            assert outcome.done + len(outcome.changed) == 3
            return outcome.done
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(decide, range(2))) == 3
    assert ReviewDecision.objects.count() == 3
    assert not verify_chains().broken


# --- reopening and taking back ------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_decided_point_waits_again_by_one_decision(browser: Client, reviewer: Any) -> None:
    item = make_item()
    decide_item(item, reviewer, DecisionKind.APPROVE, "", read(item, 0, 1))
    decide_item(item, reviewer, DecisionKind.REJECT, "No.", read(item, 2))
    for state in ("approved", "rejected"):
        page = browser.get(f"{ITEMS}queue/?state={state}")
        assert page.context["item"] == item
    assert 'value="reopen"' in page.content.decode()
    browser.post(f"{ITEMS}{item.pk}/", sent(page, "reopen", 2))
    assert statuses(item) == ["validated", "validated", "pending"]
    again = browser.post(f"{ITEMS}{item.pk}/", sent(page, "reopen", 2))
    assert "reviewer reopened it on" in again.content.decode()
    assert not verify_chains().broken
    assert not Claim.objects.exists()


def test_one_press_is_taken_back_by_one_press(browser: Client, reviewer: Any) -> None:
    item, other = make_item("pa.i.a.k1.a"), make_item("pa.i.a.k1.b")
    for one in (item, other):
        browser.post(f"{ITEMS}{one.pk}/", sent(browser.get(f"{ITEMS}{one.pk}/"), "approve"))
    page = browser.get(f"{ITEMS}queue/")
    assert [len(press.rows) for press in page.context["own_decisions"]] == [3, 3]
    for one in (other, item):
        undoable = page.context["undoable"]
        page = browser.post(f"{ITEMS}undo/{undoable}/", follow=True)
        assert page.context["item"] == one
        assert "Taken back: 3 points." in said_in(page)
        assert statuses(one) == ["pending"] * 3
    assert page.context["undoable"] is None
    assert "changed since" in page.content.decode()
    twice = browser.post(f"{ITEMS}undo/{undoable}/", follow=True)
    assert "changed since, so it is not taken back: reviewer reopened it on" in said_in(twice)
    assert ReviewDecision.objects.filter(decision="reopen", reason="Approve taken back").count() == 6
    assert not verify_chains().broken


@pytest.mark.long
def test_a_rejection_of_an_item_is_taken_back_to_what_it_was(reviewer: Any) -> None:
    item = make_item()
    stale = item.points.get(order=0).concept
    assert stale
    Concept.objects.filter(pk=stale.pk).update(
        validation_status="validated", stale=True, stale_reason="Moved."
    )
    decide_item(item, reviewer, DecisionKind.REJECT, "A slip of the finger.", read(item))
    undo_press(last_presses(reviewer)[0].pk, reviewer)
    assert statuses(item) == ["validated", "pending", "pending"]
    stale.refresh_from_db()
    assert stale.stale  # approved words over a quote that nobody has read count for nothing
    assert "had changed before" in stale.stale_reason
    assert item in item_queue(reviewer)


@pytest.mark.long
def test_what_another_decided_is_not_taken_back_and_nothing_of_theirs_is_lost(reviewer: Any) -> None:
    item, second = make_item(), make_user("second")
    decide_item(item, reviewer, DecisionKind.APPROVE, "", read(item))
    (press,) = last_presses(reviewer)
    assert last_presses(second) == []
    with pytest.raises(WrongDecision, match="Only your own"):
        undo_press(press.pk, second)
    reopen_points(item, second, read(item, 1))
    decide_item(item, second, DecisionKind.REJECT, "Says less.", read(item, 1))
    _, outcome = undo_press(press.pk, reviewer)
    assert outcome.done == 2
    assert "second reopened it" in outcome.changed[0]
    assert statuses(item) == ["pending", "rejected", "pending"]
    with pytest.raises(WrongDecision, match="changed since"):
        undo_press(press.pk, reviewer)


@pytest.mark.long
def test_a_batch_is_taken_back_by_one_button_and_what_was_decided_since_stays(
    browser: Client, reviewer: Any
) -> None:
    one, other, second = make_item(), make_item("pa.i.a.k2.a"), make_user("second")
    kept = make_item("pa.i.a.k3.a")
    decide_item(kept, reviewer, DecisionKind.APPROVE, "", read(kept))
    stale = Concept.objects.filter(pk__in=read(one, 1))
    stale.update(validation_status="validated", stale=True, stale_reason="Moved.")
    accept_clean_points(reviewer)
    assert [(press.count, press.stands) for press in last_presses(reviewer)] == [(6, True), (3, True)]
    reopen_points(other, second, read(other, 0))
    decide_item(other, second, DecisionKind.REJECT, "Says less.", read(other, 0))
    page = browser.get(ITEMS)
    assert "Approve 6 points by a sample" in page.content.decode()
    batch, item = page.context["own_decisions"]
    assert page.context["undoable"] == item.pk  # the key takes back no batch
    assert f"{ITEMS}undo/{batch.pk}/" in page.content.decode()
    lost = KeyPoint.objects.get(item=one, order=2).concept
    assert lost
    Chunk.objects.filter(pk__in=lost.evidence.values("chunk")).update(retired_at=timezone.now())
    after = browser.post(f"{ITEMS}undo/{batch.pk}/", follow=True)
    assert "Taken back: 5 points." in said_in(after)
    assert "Points that were decided on since stay as they are: 1." in said_in(after)
    assert statuses(one) == ["pending", "validated", "pending"]
    assert stale.get().stale
    lost.refresh_from_db()
    assert "in no edition in force" in lost.stale_reason
    assert statuses(other) == ["rejected", "pending", "pending"]
    assert statuses(kept) == ["validated"] * 3
    assert not verify_chains().broken
    assert not last_presses(reviewer)[0].stands
    again = browser.post(f"{ITEMS}undo/{batch.pk}/", follow=True)
    assert "was decided on since, so none is taken back" in said_in(again)


@pytest.mark.long
def test_a_point_that_was_wrong_in_a_sample_is_taken_back(reviewer: Any) -> None:
    item = make_item()
    decide_points(list(item.points.filter(order=1)), reviewer, DecisionKind.REJECT, "Wrong in the sample.")
    assert undo_press(last_presses(reviewer)[0].pk, reviewer)[0] == str(item.pk)
    assert statuses(item) == ["pending"] * 3


@pytest.mark.long
def test_points_are_not_taken_back_as_claims_are(browser: Client, reviewer: Any) -> None:
    item = make_item()
    decide_item(item, reviewer, DecisionKind.APPROVE, "", read(item))
    row = last_presses(reviewer)[0].pk
    with pytest.raises(UnknownClaim):
        undo_decision(row, reviewer)
    browser.post(f"/admin/curation/claim/queue/undo/{row}/")
    assert statuses(item) == ["validated"] * 3


def test_items_of_another_school_are_nobody_elses_to_decide(browser: Client, reviewer: Any) -> None:
    item = make_item(tenant=make_tenant())
    assert browser.get(f"{ITEMS}{item.pk}/").status_code == 404
    assert browser.post(f"{ITEMS}{item.pk}/", {"decision": "defer"}).status_code == 404
    assert decide_item(item, reviewer, DecisionKind.APPROVE, "", read(item)).done == 0
    assert reopen_points(item, reviewer, read(item)).done == 0
    assert item not in item_queue(reviewer)


@pytest.mark.long
def test_a_page_of_items_costs_few_queries(browser: Client, django_assert_max_num_queries: Any) -> None:
    item = make_item()
    for number in range(12):
        make_item(f"pa.i.b.k1.{number}", task="PA.I.B")
    browser.get(f"{ITEMS}{item.pk}/")
    with django_assert_max_num_queries(16):
        browser.get(f"{ITEMS}{item.pk}/")


def test_the_next_item_does_not_count_the_other_kinds_anew(browser: Client) -> None:
    first, second = make_item("pa.i.a.k1.a"), make_item("pa.i.a.k1.b")

    def counted(page: str) -> tuple[int, int]:
        kinds = {one.title: one.count for one in browser.get(page).context["kinds"]()}
        return kinds["Items"], kinds["Wrong beliefs"]

    assert counted(f"{ITEMS}{first.pk}/") == (2, 0)
    make_node("Fuel is light.", "misconception", "pending")
    make_item("pa.i.a.k1.c")
    assert counted(f"{ITEMS}{second.pk}/") == (3, 0)
    assert counted(f"{ITEMS}{second.pk}/?task=PA.I.A") == (2, 0)  # of all Tasks, as counted before
    assert counted(ITEMS) == (3, 1)


@pytest.mark.long
def test_decided_points_and_samples_cost_no_more_queries(
    browser: Client, reviewer: Any, django_assert_max_num_queries: Any
) -> None:
    item = make_item(words=[f"Members carry chart {number}." for number in range(conf.POINTS_MOST)])
    browser.get(ITEMS)
    with django_assert_max_num_queries(17):
        page = browser.get(f"{ITEMS}sample/").content.decode()
    assert page.count('name="wrong"') == conf.POINTS_MOST
    decide_item(item, reviewer, DecisionKind.APPROVE, "", read(item))
    with django_assert_max_num_queries(17):
        page = browser.get(f"{ITEMS}{item.pk}/").content.decode()
    assert page.count("Approve by reviewer") == conf.POINTS_MOST


@pytest.mark.long
def test_what_the_exam_needs_is_read_once_a_decision(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    items, read = [make_item(f"pa.i.a.k1.{letter}") for letter in "abc"], Counter[str]()

    def counted(*given: Any) -> Any:
        read["needs"] += 1
        return needs_of(*given)

    monkeypatch.setattr(needs, "needs_of", counted)
    page = browser.get(f"{ITEMS}{items[0].pk}/")
    browser.get(f"{ITEMS}{items[1].pk}/")
    assert read["needs"] == 1
    answer = browser.post(f"{ITEMS}{items[0].pk}/", sent(page, "approve"))
    assert answer["Location"] == f"{ITEMS}{items[1].pk}/"
    assert browser.get(answer["Location"]).context["place"].total == 2
    assert read["needs"] == 2
    put_aside(items[2], make_user("second"), "flagged")
    browser.get(f"{ITEMS}{items[1].pk}/")
    assert read["needs"] == 3


@pytest.mark.long
def test_keys_are_explained_beside_the_item(browser: Client) -> None:
    item, _ = make_item("pa.i.a.k1.a"), make_item("pa.i.a.k1.b")
    page = browser.get(f"{ITEMS}{item.pk}/").content.decode()
    assert 'data-shows="queue-keys"' in page
    assert "tick or untick a point" in page
    for key in "a123rsdfjb?":
        assert f'data-key="{key}"' in page, key
