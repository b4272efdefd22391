"""An exam that another device pauses while its room is open: whoever goes on talking in the room goes on with it."""

import pytest
from django.test import Client

from exams.domain.planner import PlannerState
from exams.exchange import session
from exams.models import Exam, ExamStatus
from exams.protocol.frames import Continue
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, Room, new_exam, right_answer

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


def pause(exam: Exam, client: Client) -> None:
    reply = client.post(f"/api/v1/exams/{exam.pk}/pause/")
    assert (reply.status_code, reply.json()["status"]) == (200, ExamStatus.PAUSED)


@pytest.fixture
def exam(demo: Demo, client: Client) -> Exam:
    client.force_login(demo.student)
    return new_exam(demo.student)


@pytest.fixture
def room(demo: Demo, exam: Exam, enter: Enter) -> Room:
    found = enter(exam, demo.student)
    found.hear("question")
    return found


def test_an_answer_in_the_open_room_is_assessed(exam: Exam, room: Room, client: Client) -> None:
    pause(exam, client)
    assert room.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"
    assert room.hear("question")["turn"] == 2
    exam.refresh_from_db()
    assert exam.status == ExamStatus.ACTIVE


def test_a_hint_can_be_asked_for(exam: Exam, room: Room, client: Client) -> None:
    pause(exam, client)
    room.say({"type": "hint"})
    assert room.hear("question", "error")["form"] == "hint"


@pytest.mark.long
def test_paused_again_and_again_the_exam_comes_to_its_end(exam: Exam, room: Room, client: Client) -> None:
    while room.heard[-1]["type"] != "finished":
        pause(exam, client)
        assert room.answer(right_answer(exam), f"a{len(room.heard)}")["verdict"] == "satisfactory"
        room.hear("question", "finished")
    assert room.heard[-1]["result"] == "pass"


def test_an_answer_that_is_refused_wakes_nothing(exam: Exam, room: Room, client: Client) -> None:
    pause(exam, client)
    room.say({"type": "answer", "id": "a1", "text": "x" * 10_001})
    assert room.hear("error")["code"] == "too_long"
    exam.refresh_from_db()
    assert (exam.status, PlannerState.from_dict(exam.planner).state) == (ExamStatus.PAUSED, "paused")


@pytest.mark.long
def test_consent_that_was_waited_for_can_be_given(exam: Exam, room: Room, client: Client) -> None:
    planner = {**Exam.objects.get(pk=exam.pk).planner, "state": "consenting"}
    Exam.objects.filter(pk=exam.pk).update(planner=planner)
    pause(exam, client)
    exam.refresh_from_db()
    session.take_frame(exam.pk, exam.epoch, Continue(go_on=False))
    exam.refresh_from_db()
    assert exam.status == ExamStatus.FINISHED
