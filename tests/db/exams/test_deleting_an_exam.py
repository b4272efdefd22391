"""A student deletes an exam: nothing of the student is left anywhere; what a reviewer decided stays without them."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client

from exams.exchange import answer_processing, session
from exams.models import DecidedDispute, Dispute, Exam, Turn
from exams.protocol.frames import Dispute as DisputeFrame
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam

pytestmark = pytest.mark.django_db
OWN_WORDS = "zebrafinch"


def say(exam: Exam, text: str, name: str) -> None:
    work = session.take_answer(exam.pk, exam.epoch, name, text).work
    assert work is not None
    function, key = work
    function(key)


@pytest.fixture
def exam(demo: Demo) -> Exam:
    """An exam with a probe that quotes the student, and a dispute about it."""
    exam = new_exam(demo.student)
    session.open_connection(exam.pk, demo.student.pk)
    answer_processing.begin_exam(exam.pk)
    exam.refresh_from_db()
    say(exam, f"I would ask the {OWN_WORDS}, I think.", "a1")
    Turn.objects.filter(exam=exam, form="probe").update(text=f"You said “{OWN_WORDS}”. What else?")
    say(exam, f"Only the {OWN_WORDS}.", "a2")
    probe = Turn.objects.get(exam=exam, form="probe")
    session.take_frame(exam.pk, exam.epoch, DisputeFrame(turn=probe.number, note=f"A {OWN_WORDS} is right!"))
    return exam


def decide(reviewer: Client, resolution: str = "The question was fair.") -> int:
    dispute = Dispute.objects.get()
    form = {"resolution": resolution, "resolved": "on"}
    return reviewer.post(f"/admin/exams/dispute/{dispute.pk}/change/", form).status_code


@pytest.fixture
def reviewer(demo: Demo) -> Client:
    client = Client()
    client.force_login(demo.reviewer)
    return client


def texts_of_the_database() -> Iterator[tuple[str, str]]:
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT (t.*)::text FROM "{table}" AS t')
            yield from ((table, row) for (row,) in cursor.fetchall())


def tables_with(words: str) -> set[str]:
    return {table for table, row in texts_of_the_database() if words in row}


def delete(exam: Exam, client: Client, demo: Demo) -> None:
    client.force_login(demo.student)
    assert client.post(f"/exams/{exam.pk}/delete/").status_code == 302
    assert not Exam.objects.exists()


def test_an_open_dispute_goes_with_all_that_the_student_said(demo: Demo, exam: Exam, client: Client) -> None:
    assert tables_with(OWN_WORDS) >= {"exams_answer", "exams_turn", "exams_dispute", "exams_frame"}
    delete(exam, client, demo)
    assert tables_with(OWN_WORDS) == set()
    assert tables_with(str(exam.pk)) == set()
    assert not DecidedDispute.objects.exists()


def test_an_account_that_goes_takes_its_exams_along(demo: Demo, exam: Exam) -> None:
    demo.student.delete()
    assert tables_with(OWN_WORDS) == set()
    assert tables_with(str(exam.pk)) == set()


@pytest.mark.long
def test_a_decision_stays_without_the_student(
    demo: Demo, exam: Exam, client: Client, reviewer: Client
) -> None:
    opening = Turn.objects.filter(exam=exam, form="opening").order_by("number")[0]
    assert decide(reviewer) == 302
    delete(exam, client, demo)
    kept = DecidedDispute.objects.get()
    assert (kept.element, kept.question, kept.resolution) == (
        opening.element,
        opening.text,
        "The question was fair.",
    )
    assert kept.expectations == [one["text"] for one in opening.expectations]
    assert tables_with(OWN_WORDS) == set()
    assert tables_with(str(exam.pk)) == set()


@pytest.mark.long
def test_reviewers_find_the_decision(demo: Demo, exam: Exam, client: Client, reviewer: Client) -> None:
    decide(reviewer)
    delete(exam, client, demo)
    kept = DecidedDispute.objects.get()
    assert "The question was fair." in reviewer.get("/admin/exams/decideddispute/").content.decode()
    page = reviewer.get(f"/admin/exams/decideddispute/{kept.pk}/change/").content.decode()
    assert kept.expectations[0][:30] in page
    assert client.get("/admin/exams/decideddispute/", follow=True).status_code == 403


@pytest.mark.long
def test_a_decision_that_comes_after_the_deletion_is_told_so(
    demo: Demo, exam: Exam, client: Client, reviewer: Client
) -> None:
    address = f"/admin/exams/dispute/{Dispute.objects.get().pk}/change/"
    delete(exam, client, demo)
    answer = reviewer.post(address, {"resolution": "Too late.", "resolved": "on"}, follow=True)
    assert answer.status_code in (200, 404)
    assert tables_with("Too late.") == set()


@pytest.mark.long
def test_a_decision_writes_over_no_other(exam: Exam, reviewer: Client) -> None:
    dispute = Dispute.objects.get()
    address = f"/admin/exams/dispute/{dispute.pk}/change/"
    page = reviewer.get(address)
    seen = page.context["adminform"].form.initial["seen"]
    assert seen in page.content.decode()
    Dispute.objects.filter(pk=dispute.pk).update(resolution="Decided by somebody else.")
    answer = reviewer.post(address, {"resolution": "Second.", "resolved": "on", "seen": seen})
    assert "Somebody else changed this in the meantime" in answer.content.decode()
    assert Dispute.objects.get().resolution == "Decided by somebody else."


@pytest.mark.long
def test_the_page_says_what_goes_and_what_stays(demo: Demo, exam: Exam, client: Client) -> None:
    client.force_login(demo.student)
    page = client.get(f"/exams/{exam.pk}/delete/").content.decode()
    assert "deleted permanently" in page
    assert "the decision are kept" in page
