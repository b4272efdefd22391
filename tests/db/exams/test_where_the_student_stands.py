"""The desk says by Area whether a student is ready, what holds it back, and how it went oral by oral."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exams.conf import SHOWN_DEVELOPMENT
from exams.domain.values import Verdict
from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.past_orals import CITATION, past_oral
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
WELL: dict[str, Verdict] = {"PA.XI.A.K4": "satisfactory", "PA.XI.A.R5": "satisfactory"}


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.force_login(demo.student)
    return client


def section(student: Client, name: str) -> str:
    """One part of the desk without its tags, spaces folded; empty if it is not there."""
    found = re.search(rf'<section class="card" id="{name}">.*?</section>', desk(student), re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split()) if found else ""


def desk(student: Client) -> str:
    return student.get("/exams/").content.decode()


def test_a_new_student_is_told_nothing(student: Client) -> None:
    assert not section(student, "readiness")
    assert not section(student, "development")


def test_areas_are_ready_or_not_or_not_yet_known(demo: Demo, student: Client) -> None:
    past_oral(demo.student, {**WELL, "PA.I.E.K1": "unsatisfactory"})
    page = section(student, "readiness")
    assert "XI. Night Operations ready 1 of 1 Task ready" in page
    assert "I. Preflight Preparation not ready 0 of 5 Tasks ready, 1 not ready, 4 not yet known" in page
    assert "III. Airport and Seaplane Base Operations not yet known" in page
    assert "%" not in page


def test_what_holds_back_opens_its_passage_and_starts_a_drill(demo: Demo, student: Client) -> None:
    past_oral(demo.student, {"PA.I.E.K1": "unsatisfactory"})
    page = desk(student)
    assert f'href="{CITATION["url"]}">{CITATION["label"]}' in page
    fields = {"certificate": "private", "class": "ASEL", "codes": "PA.I.E.K1"}
    assert 'name="codes" value="PA.I.E.K1"><button class="small">Drill it' in page
    assert student.post("/exams/begin/", fields).status_code == 302
    newest = Exam.objects.order_by("-created_at")[0]
    assert [item.code for item in newest.read_scope().plan] == ["PA.I.E.K1"]


@pytest.mark.long
def test_what_was_not_asked_can_be_asked(demo: Demo, student: Client) -> None:
    past_oral(demo.student, {"PA.XI.A.K4": "satisfactory"})
    page = section(student, "readiness")
    assert "Not everything that it takes has been asked yet. Ask what is missing : Night Operations" in page
    codes = re.search(r'name="codes" value="(PA\.XI\.A\.R\d\w?)"', desk(student))
    assert codes is not None
    past_oral(demo.student, {codes[1]: "satisfactory"})
    assert "XI. Night Operations ready" in section(student, "readiness")


@pytest.mark.long
def test_a_checkride_under_way_tells_nothing_before_its_debrief(demo: Demo, student: Client) -> None:
    past_oral(demo.student, {"PA.I.E.K1": "unsatisfactory"}, manner="checkride", is_over=False)
    assert not section(student, "readiness")
    assert "Due today" not in desk(student)


@pytest.mark.long
def test_the_picture_has_a_column_for_each_oral_and_words_for_each_mark(demo: Demo, student: Client) -> None:
    first = past_oral(demo.student, {"PA.I.E.K1": "unsatisfactory"}, days_ago=3)
    past_oral(demo.student, {**WELL, "PA.I.E.K1": "satisfactory"}, days_ago=1)
    page = section(student, "development")
    assert "Your last 2 orals" in page
    assert re.search(
        r"I\. Preflight Preparation (incomplete|unsatisfactory), 1 element satisfactory, 1 element", page
    )
    assert "XI. Night Operations not asked satisfactory, 2 elements" in page
    assert f"/exams/{first.pk}/report/" in desk(student)


@pytest.mark.long
def test_another_school_and_another_class_are_another_picture(
    demo: Demo, student: Client, schools: Schools
) -> None:
    past_oral(demo.student, WELL, tenant=schools.first)
    assert not section(student, "readiness")
    assert not section(student, "development")


@pytest.mark.long
def test_many_orals_take_no_more_queries_and_show_the_latest(
    demo: Demo, student: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    verdicts: dict[str, Verdict] = {"PA.I.E.K1": "unsatisfactory", "PA.I.B.K3a": "partial", **WELL}
    for days in range(SHOWN_DEVELOPMENT + 3):
        past_oral(demo.student, verdicts, days_ago=days)
    desk(student)  # what is cached is cached
    with django_assert_max_num_queries(30):
        page = section(student, "development")
    assert f"Your last {SHOWN_DEVELOPMENT} orals" in page
