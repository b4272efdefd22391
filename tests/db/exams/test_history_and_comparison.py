"""Orals of the past can be told apart, and two of them compared."""

import re
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.past_orals import past_oral
from tests.doubles.rooms import new_exam

pytestmark = pytest.mark.django_db


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.force_login(demo.student)
    return client


def words_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def history(student: Client) -> str:
    page = student.get("/exams/").content.decode()
    return words_of(page[page.index('id="orals"') :])


def compared(student: Client, *exams: Exam) -> str:
    page = student.get("/exams/compare/", {"oral": [str(exam.pk) for exam in exams]})
    assert page.status_code == 200
    return words_of(page.content.decode())


def test_a_row_says_what_it_covered_how_and_how_long(demo: Demo, student: Client) -> None:
    past_oral(demo.student, {"PA.XI.A.K4": "satisfactory", "PA.XI.A.R5": "unsatisfactory"})
    row = history(student)
    assert "Drill: Night Operations Private, ASEL Coach 2 elements 1 minute" in row
    past_oral(demo.student, {"PA.I.E.K1": "satisfactory"}, mode="full", codes=[], manner="checkride")
    row = history(student)
    assert "The whole ground portion Private, ASEL Checkride 1 element" in row
    new_exam(demo.student, mode="area", areas=["I"], questions=66)
    row = history(student)
    assert "Preflight Preparation (5 Tasks) Private, ASEL Coach in progress Continue" in row


@pytest.mark.long
def test_an_oral_with_a_night_in_between_has_no_minutes(demo: Demo, student: Client) -> None:
    exam = past_oral(demo.student, {"PA.XI.A.K4": "satisfactory"}, days_ago=1)
    Exam.objects.filter(pk=exam.pk).update(finished_at=new_exam(demo.student).created_at)
    assert "1 element with a long pause" in history(student)


@pytest.mark.long
def test_a_history_of_many_takes_no_query_for_each(
    demo: Demo, student: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        past_oral(demo.student, {"PA.XI.A.K4": "satisfactory"})
    history(student)
    with django_assert_max_num_queries(30):
        assert history(student).count("Drill: Night Operations") == 12


@pytest.mark.long
def test_older_orals_are_one_click_away(demo: Demo, student: Client) -> None:
    exam = past_oral(demo.student, {"PA.XI.A.K4": "satisfactory"})
    row = {field.attname: getattr(exam, field.attname) for field in Exam._meta.concrete_fields}
    Exam.objects.bulk_create(Exam(**{**row, "id": uuid4()}) for _ in range(51))
    assert history(student).count("Drill: Night Operations") == 50
    assert "Show 2 older orals" in history(student)
    page = student.get("/exams/?orals=all").content.decode()
    assert page.count("Drill: Night Operations") == 52
    assert "older oral" not in page


def test_two_orals_are_compared_element_by_element(demo: Demo, student: Client) -> None:
    later = past_oral(
        demo.student,
        {
            "PA.I.E.K1": "satisfactory",
            "PA.I.B.K3a": "unsatisfactory",
            "PA.I.H.K3": "partial",
            "PA.XI.A.K4": "satisfactory",
        },
        days_ago=1,
    )
    earlier = past_oral(
        demo.student,
        {
            "PA.I.E.K1": "unsatisfactory",
            "PA.I.B.K3a": "partial",
            "PA.I.H.K3": "partial",
            "PA.III.B.R3": "satisfactory",
        },
        days_ago=4,
    )
    page = compared(student, later, earlier)
    assert "1 better, 1 worse, 1 same, 1 only in the earlier, 1 only in the later" in page
    assert "PA.I.E.K1 unsatisfactory satisfactory better" in page
    assert "PA.I.B.K3a partial unsatisfactory worse" in page
    assert "PA.I.H.K3 partial partial same" in page
    assert "PA.III.B.R3 satisfactory not asked only in the earlier" in page
    assert "PA.XI.A.K4 not asked satisfactory only in the later" in page
    areas = [page.index(f"{one}. ") for one in ("I", "III", "XI")]
    assert areas == sorted(areas)
    html = student.get("/exams/compare/", {"oral": [str(earlier.pk), str(later.pk)]}).content.decode()
    assert html.index(f"/exams/{earlier.pk}/report/") < html.index(f"/exams/{later.pk}/report/")
    drilled = re.search(r'name="codes" value="([^"]*)"', html)
    assert drilled
    assert drilled[1].split() == ["PA.I.B.K3a", "PA.I.H.K3"]


def test_only_two_own_orals_that_are_over_can_be_compared(demo: Demo, student: Client) -> None:
    first, second, third = (past_oral(demo.student, {"PA.XI.A.K4": "satisfactory"}) for _ in range(3))
    going = new_exam(demo.student)
    stranger = get_user_model().objects.create(username="stranger")
    foreign = past_oral(stranger, {"PA.XI.A.K4": "satisfactory"})
    for chosen in (
        [],
        [first.pk],
        [first.pk, first.pk],
        [first.pk, second.pk, third.pk],
        [first.pk, going.pk],
        [first.pk, foreign.pk],
        [first.pk, uuid4()],
        ["nonsense", first.pk],
    ):
        page = student.get("/exams/compare/", {"oral": [str(one) for one in chosen]})
        assert page.status_code == 400
        assert "Check two orals that are over" in page.content.decode()


@pytest.mark.long
def test_orals_of_different_certificates_have_nothing_in_common(demo: Demo, student: Client) -> None:
    first, second = (past_oral(demo.student, {"PA.XI.A.K4": "satisfactory"}) for _ in range(2))
    Exam.objects.filter(pk=first.pk).update(certificate="commercial")
    page = student.get("/exams/compare/", {"oral": [str(first.pk), str(second.pk)]})
    assert page.status_code == 400
    assert "different certificates" in page.content.decode()
