"""The board of what the exam needs: elements that borrow items, one certificate alone, and what a decision unlocks."""

from typing import Any

import pytest
from django.test import Client

from curation.reading.needs import ElementNeed, needs_of
from knowledge.graph.skeleton import load_standard
from knowledge.models import AcsArea, AcsElement, AcsTask, Concept, Item, KeyPoint, Standard
from tests.doubles.library import make_node
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
BOARD = "/admin/curation/claim/items/"
ITEMS = "/admin/curation/claim/items/queue/"


@pytest.fixture(autouse=True)
def private() -> None:
    load_standard(small_standard())


@pytest.fixture
def commercial() -> None:
    """A commercial standard that prints PA.I.E likewise, but for K1."""
    given = {"title": "Commercial Pilot", "current": True, "certificate": "commercial"}
    standard = Standard.objects.create(number="FAA-S-ACS-7B", **given)
    lent = AcsTask.objects.get(code="PA.I.E")
    area = AcsArea.objects.create(standard=standard, numeral="I", title=lent.area.title, order=1)
    task = AcsTask.objects.create(area=area, letter="E", code="CA.I.E", title=lent.title)
    for one in lent.elements.exclude(code__endswith="K2a"):
        text = "Something else." if one.code.endswith("K1") else one.text
        code = one.code.replace("PA.", "CA.")
        AcsElement.objects.create(task=task, code=code, kind=one.kind, text=text, order=one.order)


def make_item(*elements: str, status: str = "pending") -> Item:
    task, key = elements[0].rpartition(".")[0], f"item {Item.objects.count()}"
    item = Item.objects.create(
        key=key, task=task, elements=list(elements), stem=f"{key}?", again="?", why="."
    )
    concept = make_node(key, status=status)
    KeyPoint.objects.create(
        item=item, key="one", text=key, concept=concept, anchor="clean", ask="?", hint="!"
    )
    return item


def approve(browser: Client, item: Item, query: str = "") -> Any:
    read = [f"{one.concept_id}:1" for one in item.points.all()]
    return browser.post(f"{BOARD}{item.pk}/{query}", {"decision": "approve", "waiting": read})


def element(user: Any, code: str) -> ElementNeed:
    return next(one for need in needs_of(user).tasks for one in need.elements if one.code == code)


def test_an_element_that_borrows_an_item_can_be_asked(reviewer: Any, commercial: None) -> None:
    make_item("PA.I.E.R1", status="validated")
    waiting = make_item("PA.I.E.K2")
    assert element(reviewer, "CA.I.E.R1").state == "ready"
    assert element(reviewer, "CA.I.E.K2").items == {waiting.pk}
    assert element(reviewer, "CA.I.E.K1").state == "missing"
    make_item("CA.I.E.K1", status="validated")  # its own: from now on the Task borrows none
    assert element(reviewer, "CA.I.E.R1").state == "missing"


def test_an_element_can_be_asked_by_its_sub_elements(reviewer: Any) -> None:
    waiting = make_item("PA.I.E.K2a")
    assert element(reviewer, "PA.I.E.K2").items == {waiting.pk}
    make_item("PA.I.E.K2a", status="validated")
    assert element(reviewer, "PA.I.E.K2").state == "ready"


def test_the_item_that_unlocks_most_comes_first_and_says_which_task_it_completes(reviewer: Any) -> None:
    make_item("PA.I.E.K1", status="validated")
    needless, one, two = (
        make_item("PA.I.E.K1"),
        make_item("PA.I.E.R1"),
        make_item("PA.III.A.K1", "PA.III.A.K5"),
    )
    unlocking = needs_of(reviewer).unlocking
    assert [(found.item, found.elements, found.tasks) for found in unlocking] == [
        (two.pk, ("PA.III.A.K1", "PA.III.A.K5"), ("PA.III.A",)),
        (one.pk, ("PA.I.E.R1",), ("PA.I.E",)),
    ]
    assert needless.pk not in {found.item for found in unlocking}


@pytest.mark.long
def test_an_item_that_unlocks_what_others_do_comes_after_them(reviewer: Any, browser: Client) -> None:
    two, same = make_item("PA.III.A.K1", "PA.III.A.K5"), make_item("PA.III.A.K1")
    one = make_item("PA.I.E.R1")
    assert [found.item for found in needs_of(reviewer).unlocking] == [two.pk, one.pk, same.pk]
    assert [item.pk for item, _, _ in browser.get(BOARD).context["first"]] == [two.pk, one.pk]


def test_a_task_is_not_completed_without_a_risk_element(reviewer: Any) -> None:
    make_item("PA.I.E.K1")
    (unlocking,) = needs_of(reviewer).unlocking
    assert (unlocking.elements, unlocking.tasks) == (("PA.I.E.K1",), ())


def test_as_many_sub_elements_are_needed_as_the_standard_counts(reviewer: Any) -> None:
    """Of PA.I.C.K2 it counts three."""
    AcsElement.objects.exclude(code__startswith="PA.I.E.K2").delete()
    parent = AcsElement.objects.get(code="PA.I.E.K2")
    AcsElement.objects.filter(pk=parent.pk).update(code="PA.I.C.K2")
    for letter in "bcd":
        AcsElement.objects.update_or_create(
            code=f"PA.I.E.K2{letter}",
            defaults={"task": parent.task, "parent": parent, "kind": "knowledge", "archived": False},
        )
    for letter, completes in (("a", False), ("b", False), ("c", True)):
        item = make_item(f"PA.I.E.K2{letter}")
        found = next(one for one in needs_of(reviewer).unlocking if one.item == item.pk)
        assert bool(found.tasks) == completes
        Concept.objects.filter(key_points__item=item).update(validation_status="validated")


# --- pages --------------------------------------------------------------------------------------------------------


def test_a_reviewer_begins_at_the_board(browser: Client) -> None:
    home = browser.get("/admin/")
    (section,) = (one for one in home.context["here"].sections if one.title == "Verification")
    assert section.url == BOARD
    assert f'href="{BOARD}">See what the exam needs</a>' in home.content.decode()


def test_the_board_shows_one_certificate(browser: Client, commercial: None) -> None:
    make_item("PA.I.E.R1")
    every = browser.get(BOARD).context
    assert {need.code for need in every["needs"]} == {"PA.I.E", "PA.III.A", "CA.I.E"}
    page = browser.get(f"{BOARD}?certificate=commercial&task=CA.I.E")
    assert {need.code for need in page.context["needs"]} == {"CA.I.E"}
    assert page.context["chosen"].code == "CA.I.E"
    assert page.context["counted"] == {"waiting": 1, "aside": 0}
    assert "?certificate=commercial" in page.content.decode()
    assert {need.code for need in browser.get(f"{BOARD}?certificate=x").context["needs"]} == {
        need.code for need in every["needs"]
    }


@pytest.mark.long
def test_the_board_says_what_to_decide_first(browser: Client) -> None:
    item = make_item("PA.III.A.K1")
    html = browser.get(BOARD).content.decode()
    assert "Decide these first" in html
    assert f"/admin/curation/claim/items/{item.pk}/" in html
    assert "completes PA.III.A" in html
    assert "PA.III.A can be completed" in browser.get(f"{BOARD}{item.pk}/").content.decode()


def test_the_items_that_a_task_borrows_are_reviewed_under_it(browser: Client, commercial: None) -> None:
    risk, other = make_item("PA.I.E.R1"), make_item("PA.III.A.K1")
    page = browser.get(f"{ITEMS}?task=CA.I.E").context
    assert (page["item"], page["place"].total) == (risk, 1)
    assert browser.get(f"{ITEMS}?certificate=commercial").context["place"].total == 1
    assert browser.get(f"{ITEMS}?certificate=x").context["place"].total == 2
    assert browser.get(ITEMS).context["place"].total == 2
    answer = approve(browser, risk, "?task=CA.I.E&certificate=commercial")
    assert answer["Location"] == f"{BOARD}?certificate=commercial"
    assert browser.get(f"{ITEMS}?task=CA.I.E&state=approved").context["item"] == risk
    assert approve(browser, other)["Location"] == BOARD


@pytest.mark.long
def test_the_last_decision_is_taken_back_on_the_board_when_nothing_is_left(browser: Client) -> None:
    item = make_item("PA.I.E.R1")
    board = browser.get(approve(browser, item)["Location"])
    assert 'data-key="u"' in board.content.decode()
    answer = browser.post(f"{BOARD}undo/{board.context['undoable']}/", follow=True)
    assert answer.context["item"] == item
    assert answer.context["waits"]


@pytest.mark.long
def test_an_item_put_aside_is_not_among_those_to_decide_first(browser: Client, commercial: None) -> None:
    item, same, other = make_item("PA.I.E.R1", "PA.I.E.K2"), make_item("PA.I.E.R1"), make_item("PA.III.A.K1")
    browser.post(f"{BOARD}{item.pk}/", {"decision": "defer"})
    board = browser.get(BOARD).context
    assert {one for one, _, _ in board["first"]} == {same, other}
    assert board["counted"] == {"waiting": 2, "aside": 1}
    page = browser.get(f"{BOARD}?certificate=commercial")
    assert page.context["counted"] == {"waiting": 1, "aside": 1}
    assert f'href="{ITEMS}?state=aside&amp;certificate=commercial"' in page.content.decode()


@pytest.mark.long
def test_the_next_item_is_the_one_that_unlocks_most_now(browser: Client) -> None:
    two, same, other = (
        make_item("PA.III.A.K1", "PA.III.A.K5"),
        make_item("PA.III.A.K1"),
        make_item("PA.I.E.R1"),
    )
    assert browser.get(ITEMS).context["item"] == two
    answer = approve(browser, two)
    assert answer["Location"] == f"{BOARD}{other.pk}/"
    assert browser.get(answer["Location"]).context["place"].after == same.pk


@pytest.mark.long
def test_what_a_decision_leaves_little_to_do_for_comes_later(browser: Client) -> None:
    first = make_item("PA.I.E.K1", "PA.I.E.R1", "PA.I.E.S1", "PA.I.E.K2a")
    second = make_item("PA.I.E.K1", "PA.I.E.R1", "PA.III.A.K1")
    third = make_item("PA.III.A.K5", "PA.III.A.K1")
    assert browser.get(ITEMS).context["item"] == first
    assert browser.get(f"{BOARD}{first.pk}/").context["place"].queue == [first.pk, second.pk, third.pk]
    assert approve(browser, first)["Location"] == f"{BOARD}{third.pk}/"
