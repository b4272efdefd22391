"""The database fails in the middle of an oral: the server says that it is for now, and goes on where it stood."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError

from exams.exchange import answer_processing, exam_frames, session
from exams.exchange.prefetch import first_askable
from exams.exchange.question_flow import assess_turn
from exams.models import Answer, Assessment, Exam
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, Room, new_exam, right_answer
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db(transaction=True)

AWAY = OperationalError("server closed the connection unexpectedly")


class FailsOnce:
    """The function, whose first call meets a database that is away."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.failed = function, False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.failed:
            self.failed = True
            raise AWAY
        return self.function(*args, **kwargs)


@pytest.fixture
def exam(demo: Demo) -> Exam:
    return new_exam(demo.student)


@pytest.fixture
def room(exam: Exam, enter: Enter) -> Room:
    room = enter(exam, exam.student)
    room.hear("question")
    return room


@pytest.mark.parametrize(
    "where", ["exams.realtime.consumer.user_for_scope", "exams.exchange.session.open_connection"]
)
def test_a_room_that_cannot_be_opened_is_closed_by_1012(
    exam: Exam, enter: Enter, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def fail(*_: Any) -> None:
        raise AWAY

    monkeypatch.setattr(where, fail)
    assert enter(exam, exam.student).closed_with() == 1012


@pytest.mark.parametrize(
    ("frame", "module", "name"),
    sample_of(
        [
            ({"type": "answer", "id": "a1", "text": "I do not know."}, session, "take_answer"),
            ({"type": "resume", "last_seq": 0}, exam_frames, "frames_after"),
            ({"type": "hint"}, session, "take_frame"),
            ({"type": "look_up", "turn": 1}, session, "take_frame"),
            ({"type": "pause"}, session, "take_frame"),
            ({"type": "end"}, session, "take_frame"),
        ],
        3,
    ),
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_a_frame_that_failed_for_now_is_named_and_can_be_sent_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, frame: dict[str, Any], module: Any, name: str
) -> None:
    monkeypatch.setattr(module, name, FailsOnce(getattr(module, name)))
    room.say(frame)
    error = room.hear("error")
    assert (error["retryable"], error["about"]) == (True, frame["type"])
    room.say(frame)
    room.say({"type": "ping"})
    before = len(room.heard)
    room.hear("pong")
    assert all(heard["type"] != "error" for heard in room.heard[before:])


@pytest.mark.long
def test_resume_takes_up_an_answer_that_nobody_assesses(
    exam: Exam, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_processing, "assess_turn", FailsOnce(assess_turn))
    room.say({"type": "answer", "id": "a1", "text": right_answer(exam)})
    error = room.hear("error", "assessment")
    assert (error["code"], error["about"]) == ("assessment_delayed", "answer")
    room.say({"type": "resume", "last_seq": room.heard[-1].get("seq", 1)})
    assert room.hear("assessment")["verdict"] == "satisfactory"
    assert (Answer.objects.count(), Assessment.objects.count()) == (1, 1)


@pytest.mark.long
def test_resume_takes_up_a_first_question_that_nobody_wrote(
    exam: Exam, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_processing, "first_askable", FailsOnce(first_askable))
    room = enter(exam, exam.student)
    assert room.hear("error", "question")["code"] == "assessment_delayed"
    room.say({"type": "resume", "last_seq": 0})
    assert room.hear("question")["turn"] == 1


@pytest.mark.long
def test_an_older_connection_takes_nothing_up(exam: Exam, room: Room) -> None:
    exam.refresh_from_db()
    session.take_answer(exam.pk, exam.epoch, "a1", "I do not know.")
    assert session.work_left(exam.pk, exam.epoch) is not None
    assert session.work_left(exam.pk, exam.epoch - 1) is None
    session.pause_exam(exam.pk)
    assert session.work_left(exam.pk, exam.epoch) is None  # opening the room goes on with it
