"""What is due today: kept beside the estimate, shown on the desk, and asked by one drill."""

import re
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from exams.conf import DUE_QUESTIONS
from exams.domain.exam_request import elements_in_reach
from exams.examiner.element_facts import element_facts
from exams.exchange.mastery_repository import rebuild_mastery
from exams.models import Answer, Exam, Mastery
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import answer_and_settle, new_exam, opened, right_answer
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.force_login(demo.student)
    return client


def askable_codes() -> list[str]:
    reach = elements_in_reach(element_facts("private", "ASEL", tenant=None), "ASEL")
    parents = {fact.parent for fact in reach}
    return [fact.code for fact in reach if fact.askable and fact.code not in parents]


def due_in(days: dict[str, float], student: Any, **fields: Any) -> None:
    """Rows of elements that are due so many days from now."""
    now = timezone.now()
    Mastery.objects.bulk_create(
        Mastery(
            **{"student": student, "certificate": "private", "element": code, "estimate": 0.5, "attempts": 1},
            **{"stability": 1.0, "difficulty": 5.0, "reviewed_at": now - timedelta(days=9)},
            **{"due": now + timedelta(days=ahead), **fields},
        )
        for code, ahead in days.items()
    )


def rows_of(student: Any) -> list[dict[str, Any]]:
    rows = Mastery.objects.filter(student=student).order_by("element").values()
    return [{name: value for name, value in row.items() if name not in ("id", "updated_at")} for row in rows]


def sat(student: Any, *answers: str) -> Exam:
    """An oral with these answers, "" for a right one."""
    exam = opened(new_exam(student))
    for number, words in enumerate(answers):
        answer_and_settle(exam, words or right_answer(exam), f"a{number}")
    return exam


def test_each_final_verdict_is_a_review_and_computing_again_gives_the_same(demo: Demo) -> None:
    sat(demo.student, "", "I do not know.", "I do not know.", "")
    rows = rows_of(demo.student)
    reviews = [row for row in rows if not row["by_mention"]]
    assert len(reviews) == 3
    received = dict(
        Answer.objects.filter(assessments__final=True).values_list("turn__element", "received_at")
    )
    assert {row["element"]: row["reviewed_at"] for row in reviews} == received
    days = {(row["due"] - row["reviewed_at"]).days: row["last_verdict"] for row in reviews}
    assert days == {1: "unsatisfactory", 2: "satisfactory"}
    rebuild_mastery(demo.student.pk, None, "private")
    assert rows_of(demo.student) == rows


def test_deleting_an_oral_takes_its_reviews_back(demo: Demo, student: Client) -> None:
    first = sat(demo.student, "", "")
    before = rows_of(demo.student)
    student.post(f"/api/v1/exams/{first.pk}/end/")
    later = sat(demo.student, "I do not know.", "I do not know.")
    assert rows_of(demo.student) != before
    student.post(f"/exams/{later.pk}/delete/")
    assert rows_of(demo.student) == before


@pytest.mark.long
def test_a_clock_set_back_between_two_answers_loses_nothing(demo: Demo) -> None:
    exam = sat(demo.student, "")
    ahead = timezone.now() + timedelta(days=400)
    Answer.objects.filter(exam=exam).update(received_at=ahead)
    rebuild_mastery(demo.student.pk, None, "private")
    element = Mastery.objects.get(by_mention=False).element
    again = opened(new_exam(demo.student, mode="drill", codes=[element], questions=1))
    answer_and_settle(again, right_answer(again), "b1")
    row = Mastery.objects.get(element=element)
    assert row.attempts == 2
    assert row.due is not None
    assert timezone.now() < row.due < ahead


def test_the_desk_offers_a_drill_over_the_most_overdue(demo: Demo, student: Client) -> None:
    codes = askable_codes()[:8]
    due_in({code: -number for number, code in enumerate(codes)}, demo.student)
    page = student.get("/exams/").content.decode()
    assert "Due today: 8 elements" in page
    form = re.search(r'id="due".*?</form>', page, re.S)
    assert form is not None
    fields = dict(re.findall(r'name="([a-z]+)" value="([^"]*)"', form[0]))
    fields.pop("csrfmiddlewaretoken", None)
    assert student.post("/exams/begin/", fields).status_code == 302
    exam = Exam.objects.get()
    assert exam.mode == "drill"
    assert {item.code for item in exam.read_scope().plan} == set(codes[-DUE_QUESTIONS:])


@pytest.mark.long
def test_a_day_with_nothing_due_says_when_the_next_is(demo: Demo, student: Client) -> None:
    due_in(dict.fromkeys(askable_codes()[:2], 1.5), demo.student)
    page = student.get("/exams/").content.decode()
    assert "Due today" not in page
    assert "Nothing is due for review today. The next element is due" in page


def test_what_cannot_be_asked_is_not_due(demo: Demo, student: Client) -> None:
    due_in({"PA.IV.A.K1": -3, "PA.ZZ.A.K1": -3}, demo.student)
    assert "Due today" not in student.get("/exams/").content.decode()


@pytest.mark.long
def test_reviews_at_a_school_are_due_at_that_school(demo: Demo, schools: Schools, student: Client) -> None:
    due_in({askable_codes()[0]: -3}, demo.student, tenant=schools.first)
    assert "Due today" not in student.get("/exams/").content.decode()


@pytest.mark.long
def test_reviews_of_verdicts_from_before_are_found_by_the_migration(demo: Demo) -> None:
    sat(demo.student, "", "I do not know.", "I do not know.")
    rows = rows_of(demo.student)
    Mastery.objects.update(stability=None, difficulty=None, reviewed_at=None, due=None)
    import_module("exams.migrations.0011_when_elements_are_due").review_what_was_answered(apps, None)
    assert rows_of(demo.student) == rows
