"""The report says why something was asked and by whom it was judged, and takes a disagreement."""

import pytest
from django.test import Client

from exams.exchange import session
from exams.models import Dispute, Exam, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import answer_and_settle, new_exam, opened, right_answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(demo: Demo, client: Client) -> Exam:
    exam = opened(new_exam(demo.student, questions=5))
    for number, text in enumerate(
        [right_answer(exam), "It does not matter at all.", "It does not matter at all."]
    ):
        answer_and_settle(exam, text, f"a{number}")
    session.end_exam(exam.pk)
    exam.refresh_from_db()
    client.force_login(demo.student)
    return exam


def test_each_element_says_why_it_was_asked_and_by_whom_it_was_judged(ended: Exam, client: Client) -> None:
    page = client.get(f"/exams/{ended.pk}/report/").content.decode()
    assert "Asked to cover what this Task requires." in page
    assert "How this was judged" in page
    assert Turn.objects.filter(exam=ended)[0].item in page
    assert "Go on with the rest" in page


@pytest.mark.long
def test_a_disagreement_is_sent_once_and_kept(ended: Exam, client: Client) -> None:
    turn = Turn.objects.get(exam=ended, number=1)
    address = f"/exams/{ended.pk}/dispute/"
    assert (
        "Say in up to"
        in client.post(address, {"turn": turn.number, "note": " "}, follow=True).content.decode()
    )
    for note in ("I said it.", "And again."):
        page = client.post(address, {"turn": turn.number, "note": note}, follow=True).content.decode()
    assert "You disagreed: I said it." in page
    assert Dispute.objects.get().note == "I said it."
    assert client.post(address, {"turn": "99", "note": "x"}).status_code == 404
    assert client.post(address, {"turn": "x", "note": "x"}).status_code == 404


@pytest.mark.long
def test_the_rest_is_gone_on_with_from_the_report(ended: Exam, client: Client) -> None:
    begun = client.post("/exams/begin/", {"continues": str(ended.pk), "manner": "coach"}, follow=True)
    assert "This goes on with your oral" in begun.content.decode()
