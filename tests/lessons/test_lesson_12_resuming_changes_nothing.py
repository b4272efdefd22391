"""Resuming wiped coverage and landed on the wrong question. Now it lands where the oral stood, on any device."""

from typing import Any

import pytest

from exams.exchange import answer_processing, session
from exams.models import Answer, Exam, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.exam_records import records_of
from tests.doubles.rooms import Closed, Enter, Room, new_exam, right_answer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def exam(demo: Demo) -> Exam:
    return new_exam(demo.student)


@pytest.fixture
def room(exam: Exam, enter: Enter) -> Room:
    room = enter(exam, exam.student)
    room.hear("question")
    return room


def pending(frame: dict[str, Any]) -> tuple[Any, ...]:
    return frame["seq"], frame["turn"], frame["element"], frame["form"], frame["text"], frame["budget"]


def test_lesson_12_resuming_before_the_first_question_asks_it_once(
    demo: Demo, exam: Exam, enter: Enter
) -> None:
    enter(exam, demo.student).leave()
    question = enter(exam, demo.student).hear("question")
    assert (question["turn"], Turn.objects.filter(exam=exam).count()) == (1, 1)


def test_lesson_12_resuming_shows_the_open_question(demo: Demo, exam: Exam, room: Room, enter: Enter) -> None:
    room.leave()
    before = records_of(demo.student)
    again = enter(exam, demo.student).hear("question")
    assert pending(again) == pending(room.heard[-1])
    assert records_of(demo.student) == before


@pytest.mark.parametrize("text", ["right", "I do not know."])
def test_lesson_12_resuming_after_a_verdict_shows_the_next_question(
    demo: Demo, exam: Exam, room: Room, enter: Enter, text: str
) -> None:
    room.answer(right_answer(exam) if text == "right" else text, "a1")
    asked = room.hear("question")
    room.leave()
    before = records_of(demo.student)
    assert pending(enter(exam, demo.student).hear("question")) == pending(asked)
    assert records_of(demo.student) == before


def test_lesson_12_opening_the_room_assesses_an_answer_whose_worker_died(
    demo: Demo, exam: Exam, room: Room, enter: Enter
) -> None:
    room.leave()
    exam.refresh_from_db()
    session.take_answer(exam.pk, exam.epoch, "a1", right_answer(exam))
    again = enter(exam, demo.student)
    assert again.hear("assessment")["answer_id"] == "a1"
    assert again.hear("question")["turn"] == 2


def test_lesson_12_sweep_assesses_an_answer_if_nobody_returns(demo: Demo, exam: Exam, room: Room) -> None:
    room.leave()
    exam.refresh_from_db()
    taken = session.take_answer(exam.pk, exam.epoch, "a1", right_answer(exam))
    assert taken.work is not None
    Answer.objects.update(lease_until="2020-01-01T00:00Z")
    assert answer_processing.sweep_answers() == 1
    assert Answer.objects.get().assessments.count() == 1


def test_lesson_12_paused_exam_resumes_at_same_question(
    demo: Demo, exam: Exam, room: Room, enter: Enter
) -> None:
    asked = room.heard[-1]
    room.say({"type": "pause"})
    room.say({"type": "ping"})
    room.hear("pong")
    room.leave()
    assert Exam.objects.get(pk=exam.pk).status == "paused"
    again = enter(exam, demo.student)
    assert pending(again.hear("question")) == pending(asked)
    assert Exam.objects.get(pk=exam.pk).status == "active"
    assert again.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"


@pytest.mark.long
def test_lesson_12_client_without_frames_gets_all_of_them(
    demo: Demo, exam: Exam, room: Room, enter: Enter
) -> None:
    room.answer("I do not know.", "a1")
    room.hear("question")
    room.leave()
    again = enter(exam, demo.student)
    again.hear("question")
    again.heard.clear()
    again.say({"type": "resume", "last_seq": 0})
    stored = [frame for frame in room.heard if "seq" in frame]
    while len(again.heard) < len(stored):
        again.hear("question", "assessment", "progress")
    assert again.heard == stored


@pytest.mark.long
def test_lesson_12_a_newer_connection_takes_over(demo: Demo, exam: Exam, room: Room, enter: Enter) -> None:
    other = enter(exam, demo.student)
    other.hear("question")
    assert room.closed_with() == 4409
    assert room.heard[-1]["code"] == "superseded"
    assert other.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"


def test_lesson_12_answers_of_an_older_connection_are_refused(demo: Demo, exam: Exam, room: Room) -> None:
    """The other device's message may not have arrived yet: the check reads the epoch before it writes."""
    session.open_connection(exam.pk, demo.student.pk)
    before = records_of(demo.student)
    room.say({"type": "answer", "id": "a1", "text": "Anything."})
    assert room.hear("error")["code"] == "superseded"
    with pytest.raises(Closed):
        room.hear("assessment")
    assert records_of(demo.student) == before


@pytest.mark.long
@pytest.mark.parametrize("frame", ["pause", "end", "hint"])
def test_lesson_12_other_frames_of_an_older_connection_are_refused(
    demo: Demo, exam: Exam, room: Room, frame: str
) -> None:
    session.open_connection(exam.pk, demo.student.pk)
    before = records_of(demo.student)
    room.say({"type": frame})
    assert room.hear("error")["code"] == "superseded"
    assert records_of(demo.student) == before
