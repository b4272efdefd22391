"""An exam that is changed over HTTP or by the sweep while its room is open: the room hears of it, nothing breaks."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from exams.conf import IDLE_EXAM_HOURS, SETTLE_LEASE_SECONDS
from exams.exchange import answer_processing, session
from exams.models import Answer, Assessment, Exam
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, new_exam, right_answer

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


def test_the_room_hears_that_the_exam_was_ended_over_the_api(
    demo: Demo, enter: Enter, client: Client
) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    client.force_login(demo.student)
    assert client.post(f"/api/v1/exams/{exam.pk}/end/").status_code == 200
    assert room.hear("finished")["result"] == "incomplete"


@pytest.mark.long
def test_the_room_hears_that_the_sweep_closed_the_exam(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    Exam.objects.update(last_activity=timezone.now() - timedelta(hours=IDLE_EXAM_HOURS + 1))
    answer_processing.close_idle_exams()
    room.hear("finished")


def test_a_room_whose_exam_was_deleted_is_closed(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    session.delete_exam(exam)
    room.say({"type": "answer", "id": "a1", "text": "Is anybody there?"})
    assert room.closed_with() == 4404


def taken(demo: Demo) -> Answer:
    exam = new_exam(demo.student)
    opened = session.open_connection(exam.pk, demo.student.pk)
    answer_processing.begin_exam(exam.pk)
    session.take_answer(exam.pk, opened.epoch, "a1", right_answer(exam))
    return Answer.objects.get(exam=exam)


def test_the_sweep_settles_an_answer_that_nobody_began_to_assess(demo: Demo) -> None:
    answer = taken(demo)
    assert answer_processing.sweep_answers() == 0  # whoever took it may be about to begin
    Answer.objects.update(received_at=timezone.now() - timedelta(seconds=SETTLE_LEASE_SECONDS + 1))
    assert answer_processing.sweep_answers() == 1
    assert Assessment.objects.get(answer=answer).verdict == "satisfactory"


@pytest.mark.long
def test_one_answer_that_cannot_be_settled_holds_up_no_other(demo: Demo) -> None:
    broken, sound = taken(demo), taken(demo)
    Exam.objects.filter(pk=broken.exam_id).update(planner={"version": 0})
    Answer.objects.update(received_at=timezone.now() - timedelta(seconds=SETTLE_LEASE_SECONDS + 1))
    answer_processing.sweep_answers()
    assert Assessment.objects.filter(answer=sound).exists()


@pytest.mark.long
def test_one_exam_that_cannot_be_closed_holds_up_no_other(demo: Demo) -> None:
    broken, sound = new_exam(demo.student), new_exam(demo.student)
    Exam.objects.update(last_activity=timezone.now() - timedelta(hours=IDLE_EXAM_HOURS + 2))
    Exam.objects.filter(pk=broken.pk).update(planner={"version": 0})
    assert answer_processing.close_idle_exams() == 1
    sound.refresh_from_db()
    assert sound.result is not None
