"""Which items can be asked, and for which standards."""

import pytest

from exams.bank.items_in_force import Bank
from exams.examiner.briefing import bank_at_hand, library_state
from exams.examiner.element_facts import elements_on_trip
from exams.models import Exam, Turn
from knowledge.library_version import library_changed
from knowledge.models import AcsArea, AcsElement, AcsTask, Item, Standard
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, new_exam, right_answer

pytestmark = pytest.mark.django_db


def bank() -> Bank:
    library_changed(None)
    return bank_at_hand(library_state(None, None))


@pytest.fixture
def commercial(demo: Demo) -> Demo:
    """A commercial standard with a Task of PA.III.B's title, of which it prints all elements but one likewise."""
    given = {"title": "Commercial Pilot", "current": True, "certificate": "commercial"}
    standard = Standard.objects.create(number="FAA-S-ACS-7B", **given)
    printed = AcsElement.objects.filter(task__code="PA.III.B").order_by("code").select_related("task__area")
    first = printed[0].task
    area = AcsArea.objects.create(standard=standard, numeral="III", title=first.area.title, order=3)
    task = AcsTask.objects.create(area=area, letter="B", code="CA.III.B", title=first.title.upper())
    for order, one in enumerate(printed):
        own = one.code.endswith(".K1")
        AcsElement.objects.create(
            task=task,
            code=one.code.replace("PA.", "CA."),
            kind=one.kind,
            text="Something else." if own else f"{one.text.rstrip('.')}.",
            order=order,
        )
    return demo


def test_elements_printed_alike_are_asked_with_the_private_pilots_items(commercial: Demo) -> None:
    known = bank().by_element
    lent = {code for code in known if code.startswith("CA.")}
    printed = {code for code in known if code.startswith("PA.III.B.") and not code.endswith(".K1")}
    assert lent == {code.replace("PA.", "CA.") for code in printed}
    assert lent
    for code in lent:
        assert [one.key for one in known[code]] == [one.key for one in known[code.replace("CA.", "PA.")]]
        for item in known[code]:
            assert item.task == "CA.III.B"
            assert code in item.elements
            assert all(one.startswith("CA.") for one in (*item.elements, *item.requires, *item.leads_to))


def test_a_task_with_items_of_its_own_borrows_none(commercial: Demo) -> None:
    draft = {"task": "CA.III.B", "elements": ["CA.III.B.K2"], "stem": "Why?", "again": "Why?", "why": ""}
    Item.objects.create(key="draft", **draft)
    assert len([code for code in bank().by_element if code.startswith("CA.")]) > 1
    known = Item.objects.get(key=bank().by_element["PA.III.B.K2"][0].key)
    known.elements = ["CA.III.B.K2"]
    known.save()
    assert [code for code in bank().by_element if code.startswith("CA.")] == ["CA.III.B.K2"]


def test_items_that_a_standard_borrows_hang_on_its_trips(commercial: Demo) -> None:
    Item.objects.filter(task="PA.III.B").update(on_trip="You are back at {departure}. Why?")
    library_changed(None)
    hanging = elements_on_trip({"departure"}, (), "ASEL", tenant=None)
    printed = {code for code in hanging if code.startswith("PA.III.B.") and not code.endswith(".K1")}
    lent = {code for code in hanging if code.startswith("CA.")}
    assert lent == {code.replace("PA.", "CA.") for code in printed}
    assert lent


@pytest.mark.django_db(transaction=True)
def test_a_commercial_oral_asks_and_judges_them(commercial: Demo, enter: Enter) -> None:
    library_changed(None)
    exam: Exam = new_exam(
        commercial.student, certificate="commercial", mode="drill", codes=["CA.III.B.K3"], questions=1
    )
    room = enter(exam, commercial.student)
    asked = room.hear("question")
    assert asked["element"].startswith("CA.III.B.")
    assert asked["element"] in Turn.objects.get(exam=exam).rubric["elements"]
    assert room.answer(right_answer(exam), "a")["verdict"] == "satisfactory"
    assert room.hear("finished")
