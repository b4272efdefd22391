"""Instructors comment on orals and assign new ones; the student reads the one and begins the other."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from exams.conf import NOTE_CHARACTERS_MOST, OPEN_EXAMS_MOST
from exams.exchange import session
from exams.models import Assignment, Comment, Exam, SharedPractice
from knowledge.access.membership import join_school, remove_member
from knowledge.library_version import library_changed
from knowledge.models import Item
from knowledge.models.tenancy import Role
from tests.doubles.demo_library import Demo
from tests.doubles.past_orals import past_oral
from tests.doubles.schools import Schools
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
DESK = "/exams/"


@pytest.fixture
def amelia(demo: Demo, schools: Schools) -> Any:
    student = schools.people["student-of-first"]
    SharedPractice.objects.create(student=student, tenant=schools.first)
    return student


@pytest.fixture
def oral(amelia: Any, schools: Schools) -> Exam:
    return past_oral(
        amelia, {"PA.I.E.K1": "unsatisfactory", "PA.XI.A.K4": "satisfactory"}, tenant=schools.first
    )


@pytest.fixture
def instructor(schools: Schools) -> Client:
    return schools.client("instructor-of-first")


@pytest.fixture
def student(amelia: Any, schools: Schools) -> Client:
    return schools.client("student-of-first")


def words_of(page: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def send(client: Client, oral: Exam, **fields: Any) -> Any:
    return client.post(f"/exams/class/orals/{oral.pk}/comment/", fields)


def assign(client: Client, student: Any, **fields: Any) -> Any:
    sent = {"certificate": "private", "class": "ASEL", "mode": "full", **fields}
    return client.post(f"/exams/class/{student.pk}/assign/", sent, follow=True)


# --- comments ---


def test_a_comment_reaches_its_student(oral: Exam, instructor: Client, student: Client) -> None:
    send(instructor, oral, text="Better than last week.")
    send(instructor, oral, text="Say <script>why</script>.", turn=1)
    assert "New comment from instructor-of-first" in words_of(student.get(DESK))
    page = student.get(f"/exams/{oral.pk}/report/")
    assert "Say &lt;script&gt;why&lt;/script&gt;." in page.content.decode()
    assert re.search(r"On PA\.I\.E\.K1\. Comments instructor-of-first, .* new Say ", words_of(page))
    assert "Change or remove" not in words_of(page)
    assert "New comment" not in words_of(student.get(DESK))
    again = words_of(student.get(f"/exams/{oral.pk}/report/"))
    assert not re.search(r"instructor-of-first, [^.]* new ", again)
    told = student.get(f"/exams/{oral.pk}/download/").json()["comments"]
    assert [(one["turn__number"], one["text"][:3]) for one in told] == [(None, "Bet"), (1, "Say")]


def test_a_comment_is_changed_and_removed_by_its_author_only(
    oral: Exam, schools: Schools, instructor: Client, student: Client
) -> None:
    send(instructor, oral, text="First thought.")
    mine = Comment.objects.get()
    student.get(f"/exams/{oral.pk}/report/")
    other = get_user_model().objects.create_user("other")
    join_school(other, schools.first, Role.INSTRUCTOR)
    colleague = Client()
    colleague.force_login(other)
    for fields in ({"text": "Mine now."}, {"remove": "1"}):
        assert send(colleague, oral, comment=mine.pk, **fields).status_code == 400
    assert Comment.objects.get().text == "First thought."
    assert send(instructor, oral, comment=mine.pk, text="Second thought.").status_code == 302
    assert "New comment" in words_of(student.get(DESK))  # a changed one is told again
    assert send(instructor, oral, comment=mine.pk, remove="1").status_code == 302
    assert send(instructor, oral, comment=mine.pk, remove="1").status_code == 400
    assert not Comment.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": "x" * 100_000}, "this one has 100,000. Shorten it"),
        ({"text": "  "}, "Write something"),
        ({"text": "On what?", "turn": 99}, "There is no such question in this oral"),
    ],
)
def test_a_comment_that_is_refused_comes_back(
    oral: Exam, instructor: Client, fields: dict[str, Any], said: str
) -> None:
    answer = send(instructor, oral, **fields)
    assert answer.status_code == 400
    assert said in words_of(answer)
    assert not fields["text"].strip() or f">{fields['text']}</textarea>" in answer.content.decode()
    assert not Comment.objects.exists()
    assert send(instructor, oral, text="x" * NOTE_CHARACTERS_MOST).status_code == 302


@pytest.mark.long
def test_a_deleted_oral_takes_its_comments_along_and_is_told(
    oral: Exam, instructor: Client, student: Client
) -> None:
    send(instructor, oral, text="Fine.")
    student.post(f"/exams/{oral.pk}/delete/")
    assert "has deleted it" in words_of(send(instructor, oral, text="One more."))
    assert not Comment.objects.exists()
    assert student.get(DESK).status_code == 200


# --- assigned orals ---


def test_an_assigned_oral_is_begun_with_one_click_and_done_with_its_result(
    amelia: Any, schools: Schools, instructor: Client, student: Client
) -> None:
    due = (timezone.now() + timedelta(days=3)).date()
    page = assign(instructor, amelia, codes="PA.XI.A.K4", due=due.isoformat(), note="Before <b>Friday</b>.")
    assert "Assigned to student-of-first: Drill: Night Operations, 1 question" in words_of(page)
    row = Assignment.objects.get()
    desk = student.get(DESK)
    assert f"Assigned by instructor-of-first, First, due {due:%B} {due.day}" in words_of(desk)
    assert "Before &lt;b&gt;Friday&lt;/b&gt;." in desk.content.decode()
    begun = student.post("/exams/assigned/", {"assignment": row.pk})
    row.refresh_from_db()
    assert row.exam is not None
    assert begun["Location"] == f"/exams/{row.exam.pk}/"
    assert (row.exam.student, row.exam.tenant) == (amelia, schools.first)
    assert [item.code for item in row.exam.read_scope().plan] == ["PA.XI.A.K4"]
    student.post("/exams/assigned/", {"assignment": row.pk})  # a second click goes on with the same oral
    assert Exam.objects.filter(student=amelia).count() == 1
    session.end_exam(row.exam.pk)
    row.exam.refresh_from_db()
    assert f"Done: {row.exam.result_words} Report" in words_of(student.get(DESK))
    assert f"Done: {row.exam.result_words}" in words_of(instructor.get(f"/exams/class/{amelia.pk}/"))


@pytest.mark.long
def test_a_task_is_assigned_with_all_of_it_that_can_be_asked(amelia: Any, instructor: Client) -> None:
    assign(instructor, amelia, codes="pa.i.e, PA.XI.A.K4")
    codes = Assignment.objects.get().order["codes"]
    assert len(codes) > 2
    assert {code.rpartition(".")[0] for code in codes} == {"PA.I.E", "PA.XI.A"}


@pytest.mark.parametrize(
    ("fields", "said"),
    sample_of(
        [
            ({"mode": "area", "areas": ["XLII"]}, "“XLII” is not known here. There is: I,"),
            ({"mode": "area"}, "Pick at least one Area"),
            ({"certificate": "commercial"}, "No standard is loaded for “commercial”"),
            ({"codes": "PA.ZZ.A.K1"}, "Not in this standard: PA.ZZ.A.K1"),
            ({"codes": "PA.I.H"}, "Task PA.I.H cannot be asked: the library lacks"),
            ({"questions": "900"}, "A whole number from 1 to 66"),
            ({"due": "2020-01-01"}, "that day is over"),
            ({"due": "soon"}, "a date such as"),
            ({"note": "x" * 501}, "at most 500 characters"),
        ],
        3,
    ),
)
def test_what_cannot_be_asked_is_said_when_it_is_assigned(
    amelia: Any, instructor: Client, fields: dict[str, Any], said: str
) -> None:
    Item.objects.filter(task="PA.I.H").update(withdrawn=True)
    library_changed(None)
    answer = assign(instructor, amelia, **{"note": "Good luck.", **fields})
    assert answer.status_code == 400
    assert said in words_of(answer)
    assert fields.get("note", "Good luck.") in answer.content.decode()
    assert not Assignment.objects.exists()


@pytest.mark.long
def test_an_assigned_oral_is_withdrawn_or_dismissed(
    amelia: Any, schools: Schools, instructor: Client, student: Client
) -> None:
    assign(instructor, amelia)
    row = Assignment.objects.get()
    other = get_user_model().objects.create_user("other")
    join_school(other, schools.first, Role.INSTRUCTOR)
    colleague = Client()
    colleague.force_login(other)
    withdraw = f"/exams/class/{amelia.pk}/withdraw/"
    colleague.post(withdraw, {"assignment": row.pk})
    assert Assignment.objects.exists()
    student.post("/exams/assigned/", {"assignment": row.pk, "dismiss": "1"})
    assert "Assigned to you" not in words_of(student.get(DESK))
    assert "Dismissed by the student" in words_of(instructor.get(f"/exams/class/{amelia.pk}/"))
    instructor.post(withdraw, {"assignment": row.pk})
    assert not Assignment.objects.exists()
    told = student.post("/exams/assigned/", {"assignment": row.pk}, follow=True)
    assert "no longer assigned" in words_of(told)


@pytest.mark.long
def test_one_who_has_left_or_has_too_many_open_is_told(
    amelia: Any, schools: Schools, instructor: Client, student: Client
) -> None:
    assign(instructor, amelia, codes="PA.XI.A.K4")
    row = Assignment.objects.get()
    for _ in range(OPEN_EXAMS_MOST):
        past_oral(amelia, {"PA.XI.A.K4": "satisfactory"}, tenant=schools.first, is_over=False)
    told = student.post("/exams/assigned/", {"assignment": row.pk}, follow=True)
    assert "open orals, which is the most" in words_of(told)
    stranger = schools.client("student-of-second").post(
        "/exams/assigned/", {"assignment": row.pk}, follow=True
    )
    assert "no longer assigned" in words_of(stranger)
    remove_member(schools.first, amelia)
    student.force_login(amelia)
    told = student.post("/exams/assigned/", {"assignment": row.pk}, follow=True)
    assert "no longer assigned" in words_of(told)
    row.refresh_from_db()
    assert row.exam is None
