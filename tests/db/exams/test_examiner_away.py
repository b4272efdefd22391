"""An examiner that is away: this machine judges meanwhile, or the oral is paused until it is back; each says so."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from waffle.testutils import override_flag

from exams.exchange import answer_processing, session
from exams.models import Answer, Assessment, Exam
from knowledge.flags import JUDGED_HERE
from llm import registry
from llm.errors import BadKey, Unreachable
from tests.doubles.demo_library import Demo
from tests.doubles.models import Counted, Wire, wire
from tests.doubles.rooms import Enter, Room, new_exam, right_answer
from tests.sampling import sample_of

__all__ = ["wire"]
pytestmark = pytest.mark.django_db(transaction=True)
SAID = "The examiner cannot be reached just now. Your oral is paused; nothing is lost."


def go_away(wire: Wire, error: Exception | None = None) -> Counted:
    model = Counted(registry.chat_model("assessor"), external=True, fails=error or Unreachable("no route"))
    wire(assessor=model)
    return model


@pytest.fixture(autouse=True)
def judged_here(demo: Demo, request: pytest.FixtureRequest) -> Iterator[None]:
    """On in tests that are named after it."""
    with override_flag(JUDGED_HERE, active="here" in request.node.name):
        yield


@pytest.fixture
def exam(demo: Demo, judged_here: None) -> Exam:
    return new_exam(demo.student)


@pytest.fixture
def room(exam: Exam, enter: Enter) -> Room:
    found = enter(exam, exam.student)
    found.hear("question")
    return found


def due(**which: Any) -> None:
    Answer.objects.filter(**which).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize("error", sample_of([Unreachable("no route"), BadKey("an operator must act")], 2))
def test_room_desk_and_api_say_why(
    exam: Exam, room: Room, wire: Wire, client: Client, error: Exception
) -> None:
    go_away(wire, error)
    told = room.answer(right_answer(exam), "a1")
    assert (told["code"], told["message"], told["retryable"]) == ("examiner_away", SAID, True)
    client.force_login(exam.student)
    assert SAID in client.get("/exams/").content.decode()
    found = client.get(f"/api/v1/exams/{exam.pk}/").json()
    assert (found["status"], found["pause_reason"]) == ("paused", "examiner_away")
    assert client.post(f"/api/v1/exams/{exam.pk}/pause/").status_code == 200


def test_opening_the_room_again_judges_the_answer_that_was_given(
    exam: Exam, room: Room, wire: Wire, enter: Enter
) -> None:
    go_away(wire)
    room.answer(right_answer(exam), "a1")
    room.leave()
    wire()
    found = enter(exam, exam.student).hear("assessment")
    assert (found["answer_id"], found["verdict"]) == ("a1", "satisfactory")
    exam.refresh_from_db()
    assert (exam.status, exam.pause_reason) == ("active", "")


@pytest.mark.long
def test_it_pauses_again_while_the_examiner_is_still_away(
    exam: Exam, room: Room, wire: Wire, enter: Enter
) -> None:
    go_away(wire)
    room.answer(right_answer(exam), "a1")
    room.leave()
    assert enter(exam, exam.student).hear("error")["code"] == "examiner_away"
    exam.refresh_from_db()
    assert (exam.status, Assessment.objects.count()) == ("paused", 0)


@pytest.mark.long
def test_the_sweep_judges_it_for_a_room_that_stayed_open(exam: Exam, room: Room, wire: Wire) -> None:
    go_away(wire)
    room.answer(right_answer(exam), "a1")
    assert answer_processing.sweep_answers() == 0  # not at once
    wire()
    due()
    assert answer_processing.sweep_answers() == 1
    assert room.hear("assessment")["verdict"] == "satisfactory"
    assert room.hear("question")["turn"] == 2
    exam.refresh_from_db()
    assert (exam.status, exam.pause_reason) == ("active", "")


@pytest.mark.long
def test_a_sweep_asks_an_examiner_that_is_away_once(demo: Demo, enter: Enter, wire: Wire) -> None:
    away = go_away(wire)
    for number in range(3):
        student = get_user_model().objects.create_user(f"student{number}", password="x")
        exam = new_exam(student)
        other = enter(exam, student)
        other.hear("question")
        other.answer("Three miles.", "a1")
    due()
    before = away.calls
    assert answer_processing.sweep_answers() == 0
    assert away.calls == before + 1
    answer_processing.sweep_answers()
    assert away.calls == before + 2
    assert Answer.objects.filter(lease_until__gt=timezone.now()).count() == 2  # not the same one twice


@pytest.mark.long
def test_another_answer_meanwhile_is_refused_in_words_and_resumes_nothing(
    exam: Exam, room: Room, wire: Wire
) -> None:
    go_away(wire)
    room.answer(right_answer(exam), "a1")
    told = room.answer("Something else.", "a2")
    assert (told["code"], told["retryable"]) == ("examiner_away", False)
    assert "kept and will be assessed" in told["message"]
    exam.refresh_from_db()
    assert (exam.status, Answer.objects.count()) == ("paused", 1)


@pytest.mark.long
def test_an_oral_that_waits_for_its_examiner_can_be_ended(exam: Exam, room: Room, wire: Wire) -> None:
    go_away(wire)
    room.answer(right_answer(exam), "a1")
    room.say({"type": "end"})
    assert room.hear("finished")["result"] == "incomplete"
    exam.refresh_from_db()
    assert (exam.status, exam.pause_reason) == ("ended", "")


def test_this_machine_judges_here_and_now_and_says_so(
    exam: Exam, room: Room, wire: Wire, client: Client
) -> None:
    go_away(wire)
    found = room.answer(right_answer(exam), "a1")
    assert (found["verdict"], found["final"]) == ("satisfactory", True)
    assert "could not be reached, so this machine judged the answer" in found["degraded"]
    exam.refresh_from_db()
    assert (exam.status, exam.pause_reason) == ("active", "")
    stored = Assessment.objects.get()
    assert stored.provenance["provider"] == "offline"
    client.force_login(exam.student)
    session.end_exam(exam.pk)
    assert "this machine judged the answer" in client.get(f"/exams/{exam.pk}/report/").content.decode()


@pytest.mark.long
def test_a_vendor_that_is_away_is_left_alone_for_a_while_and_then_asked_again_here(
    exam: Exam, room: Room, wire: Wire
) -> None:
    away = go_away(wire)
    room.answer(right_answer(exam), "a1")
    room.hear("question")
    assert "this machine" in room.answer(right_answer(exam), "a2")["degraded"]
    assert away.calls == 1
    room.hear("question")
    caches["process"].clear()  # the time is over
    back = Counted(registry.chat_model("assessor"), external=True)
    back.inner = away.inner
    wire(assessor=back)
    assert room.answer(right_answer(exam), "a3")["degraded"] == ""
    assert back.calls >= 1
