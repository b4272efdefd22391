"""Instructors see the practice of those of their students who agreed, and students see who has looked."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from exams.models import Exam, Look, SharedPractice
from knowledge.access.membership import change_role, join_school, remove_member
from knowledge.models import Membership
from knowledge.models.tenancy import Role
from tests.doubles.demo_library import Demo
from tests.doubles.past_orals import past_oral
from tests.doubles.schools import Schools
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
CLASS = "/exams/class/"


@pytest.fixture
def amelia(demo: Demo, schools: Schools) -> Any:
    """A student of the first school who agreed, with an oral there."""
    student = schools.people["student-of-first"]
    SharedPractice.objects.create(student=student, tenant=schools.first)
    return student


@pytest.fixture
def instructor(schools: Schools) -> Client:
    return schools.client("instructor-of-first")


def words_of(page: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def agree(client: Client, slug: str = "first", what: str = "agree") -> None:
    assert client.post(f"/exams/sharing/{slug}/consent/", {what: "1"}).status_code == 302


def test_without_consent_only_the_name_is_seen(demo: Demo, schools: Schools, instructor: Client) -> None:
    student = schools.people["student-of-first"]
    exam = past_oral(student, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    page = words_of(instructor.get(CLASS))
    assert "student-of-first has not agreed to share their practice" in page
    assert "PA.I.E.K1" not in page
    for address in (f"{CLASS}{student.pk}/", f"{CLASS}orals/{exam.pk}/"):
        answer = instructor.get(address)
        assert answer.status_code == 404
        assert "student-of-first has not agreed" in words_of(answer)
    assert not Look.objects.exists()


def test_consent_is_off_until_given_and_ends_at_once(
    demo: Demo, schools: Schools, instructor: Client
) -> None:
    student, client = schools.people["student-of-first"], schools.client("student-of-first")
    exam = past_oral(student, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    page = words_of(client.get("/exams/sharing/"))
    assert "Share my practice with my instructors at" in page
    assert "You share nothing with them" in page
    agree(client)
    assert instructor.get(f"{CLASS}{student.pk}/").status_code == 200
    report = words_of(instructor.get(f"{CLASS}orals/{exam.pk}/"))
    assert "About PA.I.E.K1?" in report
    assert "student-of-first On PA.I.E.K1." in report
    agree(client, what="withdraw")
    sent = instructor.post(f"{CLASS}orals/{exam.pk}/comment/", {"text": "Read chapter <b>4</b>."})
    assert sent.status_code == 404
    assert "Read chapter &lt;b&gt;4&lt;/b&gt;." in sent.content.decode()  # what was written can be copied
    assert instructor.get(f"{CLASS}{student.pk}/").status_code == 404
    assert not exam.comments.exists()


def test_an_oral_is_not_shown_before_it_ends(amelia: Any, schools: Schools, instructor: Client) -> None:
    going = past_oral(amelia, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first, is_over=False)
    page = words_of(instructor.get(f"{CLASS}{amelia.pk}/"))
    assert "Orals that are over None yet." in page
    assert "PA.I.E.K1" not in page  # nor in where the student stands
    assert "not over yet" in words_of(instructor.get(f"{CLASS}orals/{going.pk}/"))


def test_the_report_of_an_instructor_is_to_read(amelia: Any, schools: Schools, instructor: Client) -> None:
    exam = past_oral(amelia, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    page = instructor.get(f"{CLASS}orals/{exam.pk}/").content.decode()
    for theirs in ("/exams/begin/", "dispute", "report.pdf", "/download/", "/delete/"):
        assert theirs not in page
    for address in (
        f"/exams/{exam.pk}/report/",
        f"/exams/{exam.pk}/download/",
        f"/exams/{exam.pk}/report.pdf",
    ):
        assert instructor.get(address).status_code == 404


@pytest.mark.parametrize(
    "visitor",
    sample_of(["instructor-of-second", "student-of-first", "operator-of-first", "superuser", "stranger"], 2),
)
def test_nobody_else_opens_an_instructors_pages(amelia: Any, schools: Schools, visitor: str) -> None:
    exam = past_oral(amelia, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    client = schools.client(visitor)
    for address in (f"{CLASS}{amelia.pk}/", f"{CLASS}orals/{exam.pk}/"):
        answer = client.get(address)
        assert answer.status_code in (403, 404)
        assert "student-of-first" not in words_of(answer).replace(visitor, "")
    assert ("instructor" in visitor) == (client.get(CLASS).status_code == 200)
    for address in (f"{CLASS}{amelia.pk}/assign/", f"{CLASS}orals/{exam.pk}/comment/"):
        assert client.post(address, {"text": "x", "mode": "full"}).status_code in (403, 404)
    assert not exam.comments.exists()
    assert not amelia.assignments.exists()


@pytest.mark.long
def test_a_student_of_two_schools_agrees_for_each(demo: Demo, schools: Schools) -> None:
    student = schools.people["student-of-first"]
    join_school(student, schools.second, Role.STUDENT)
    orals = {
        school.slug: past_oral(student, {code: "unsatisfactory"}, tenant=school)
        for school, code in ((schools.first, "PA.I.E.K1"), (schools.second, "PA.XI.A.K4"))
    }
    agree(schools.client("student-of-first"), "second")
    first, second = schools.client("instructor-of-first"), schools.client("instructor-of-second")
    assert first.get(f"{CLASS}{student.pk}/").status_code == 404
    page = words_of(second.get(f"{CLASS}{student.pk}/"))
    assert "Night Operations" in page
    assert "PA.I.E.K1" not in page
    assert second.get(f"{CLASS}orals/{orals['first'].pk}/").status_code == 404
    assert first.get(f"{CLASS}orals/{orals['second'].pk}/").status_code == 404


@pytest.mark.long
@pytest.mark.parametrize("how", ["leaves", "becomes another"])
def test_whoever_is_no_student_any_more_shares_nothing(
    amelia: Any, schools: Schools, instructor: Client, how: str
) -> None:
    exam = past_oral(amelia, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    if how == "leaves":
        remove_member(schools.first, amelia)
    else:
        change_role(Membership.objects.get(user=amelia), Role.REVIEWER)
    answer = instructor.get(f"{CLASS}{amelia.pk}/")
    assert answer.status_code == 404
    assert "they have left the school" in words_of(answer)
    assert instructor.get(f"{CLASS}orals/{exam.pk}/").status_code == 404
    join_school(amelia, schools.first, Role.STUDENT)
    assert "has not agreed" in words_of(instructor.get(f"{CLASS}{amelia.pk}/"))


@pytest.mark.long
def test_the_newest_oral_comes_first(amelia: Any, schools: Schools, instructor: Client) -> None:
    days = (5, 1, 9, 3)
    orals = {
        one: past_oral(amelia, {"PA.I.E.K1": "partial"}, tenant=schools.first, days_ago=one) for one in days
    }
    page = instructor.get(f"{CLASS}{amelia.pk}/").content.decode()
    places = [page.index(f"{CLASS}orals/{orals[one].pk}/") for one in sorted(days)]
    assert places == sorted(places)


@pytest.mark.long
def test_each_look_is_shown_to_the_student_once_an_hour(
    amelia: Any, schools: Schools, instructor: Client
) -> None:
    exam = past_oral(amelia, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    for _ in range(3):
        instructor.get(f"{CLASS}{amelia.pk}/")
        instructor.get(f"{CLASS}orals/{exam.pk}/")
    assert Look.objects.count() == 2
    Look.objects.update(hour=timezone.now() - timedelta(hours=30))
    instructor.get(f"{CLASS}{amelia.pk}/")
    client = schools.client("student-of-first")
    page = words_of(client.get("/exams/sharing/"))
    assert page[page.index("Who has looked") :].count("instructor-of-first") == 3
    assert "the report of your oral of" in page
    exam.delete()
    assert "the report of an oral that you have deleted" in words_of(client.get("/exams/sharing/"))
    assert "instructor-of-first" not in words_of(schools.client("student-of-second").get("/exams/sharing/"))


@pytest.mark.long
def test_a_student_sees_what_they_would_see(demo: Demo, schools: Schools) -> None:
    student, client = schools.people["student-of-first"], schools.client("student-of-first")
    past_oral(student, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    page = client.get("/exams/sharing/first/")
    assert "As the instructors of" in words_of(page)
    assert "PA.I.E.K1, unsatisfactory" in words_of(page)
    assert "/assign/" not in page.content.decode()
    assert client.get("/exams/sharing/second/").status_code == 404
    assert client.post("/exams/sharing/second/consent/", {"agree": "1"}).status_code == 404
    assert "You are not a student of a school" in words_of(schools.client("stranger").get("/exams/sharing/"))


@pytest.mark.long
def test_weak_elements_are_those_of_most_students_first(
    amelia: Any, schools: Schools, instructor: Client
) -> None:
    for number, verdicts in enumerate(
        (
            {"PA.I.E.K1": "unsatisfactory", "PA.XI.A.K4": "unsatisfactory"},
            {"PA.I.E.K1": "satisfactory", "PA.XI.A.K4": "unsatisfactory"},
        )
    ):
        student = get_user_model().objects.create_user(f"s{number}")
        join_school(student, schools.first, Role.STUDENT)
        SharedPractice.objects.create(student=student, tenant=schools.first)
        past_oral(student, verdicts, tenant=schools.first)  # type: ignore[arg-type]
    silent = get_user_model().objects.create_user("silent")
    join_school(silent, schools.first, Role.STUDENT)
    past_oral(silent, {"PA.I.B.K3a": "unsatisfactory"}, tenant=schools.first)
    page = words_of(instructor.get(CLASS))
    weak = page[page.index("Weak elements of the class") :]
    assert re.search(r"PA\.XI\.A\.K4 2 of 2 .* PA\.I\.E\.K1 1 of 2", weak)
    assert "PA.I.B.K3a" not in weak
    assert "s0" not in weak
    line = page[: page.index("Weak elements of the class")]
    assert re.search(r"s0 \w+ \d+, \d{4} \S.* not ready I, XI", line)
    commercial = words_of(instructor.get(CLASS, {"class": "AMEL"}))
    assert "s0 none yet" in commercial  # the last oral of this class
    assert instructor.get(CLASS, {"certificate": "nonsense", "class": "x", "page": "99"}).status_code == 200


@pytest.mark.long
def test_a_class_of_sixty_takes_no_query_for_each(
    amelia: Any,
    schools: Schools,
    instructor: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    exam = past_oral(amelia, {"PA.I.E.K1": "unsatisfactory"}, tenant=schools.first)
    instructor.get(CLASS)  # what is cached is cached
    with django_assert_max_num_queries(30) as few:
        instructor.get(CLASS)
    people = [get_user_model()(username=f"student{number:02}") for number in range(60)]
    people = get_user_model().objects.bulk_create(people)
    Membership.objects.bulk_create(
        Membership(user=one, tenant=schools.first, role=Role.STUDENT) for one in people
    )
    SharedPractice.objects.bulk_create(SharedPractice(student=one, tenant=schools.first) for one in people)
    row = {field.attname: getattr(exam, field.attname) for field in Exam._meta.concrete_fields}
    Exam.objects.bulk_create(Exam(**{**row, "id": uuid4(), "student_id": one.pk}) for one in people)
    with django_assert_max_num_queries(len(few)):
        page = instructor.get(CLASS)
    assert "1–50 of 62" in words_of(page)  # two were there before
    assert len(few) <= 18
    assert "student55" in words_of(instructor.get(CLASS, {"page": "2"}))
