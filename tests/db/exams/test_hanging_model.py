"""A model call that hangs delays nobody else: other exams go on, and so does what needs no model in the same one."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from exams.models import Assessment, Exam
from llm import registry
from tests.doubles.demo_library import Demo
from tests.doubles.exam_records import records_of
from tests.doubles.models import Held, Wire, wire
from tests.doubles.rooms import Enter, Room, new_exam, right_answer

__all__ = ["wire"]
pytestmark = pytest.mark.django_db(transaction=True)
NEVER_COMES_BACK = "the words on which the vendor hangs"


@pytest.fixture
def held(wire: Wire) -> Iterator[Held]:
    model = Held(registry.chat_model("assessor"), (NEVER_COMES_BACK,))
    wire(assessor=model)
    yield model
    model.let_go.set()


def others(count: int) -> list[Any]:
    users = get_user_model().objects
    return [users.create_user(f"student{number}", password="x") for number in range(count)]


def hang(room: Room, held: Held) -> None:
    room.say({"type": "answer", "id": "slow", "text": NEVER_COMES_BACK})
    room.hear("taken")
    room.runner.run(asyncio.to_thread(held.reached.wait, 30))
    assert held.reached.is_set()
    held.reached.clear()


def whole_exam(room: Room, exam: Exam) -> None:
    room.hear("question")
    while room.heard[-1]["type"] != "finished":
        assert room.answer(right_answer(exam), f"a{len(room.heard)}")["verdict"] == "satisfactory"
        room.hear("question", "finished")


@pytest.mark.long
def test_another_exam_is_taken_to_its_end_while_one_hangs(demo: Demo, enter: Enter, held: Held) -> None:
    stuck = enter(new_exam(demo.student), demo.student)
    stuck.hear("question")
    hang(stuck, held)
    other = others(1)[0]
    exam = new_exam(other)
    whole_exam(enter(exam, other), exam)
    assert not Assessment.objects.filter(turn__exam__student=demo.student).exists()
    held.let_go.set()
    assert stuck.hear("assessment")["answer_id"] == "slow"


def test_many_that_hang_leave_room_for_one_that_does_not(demo: Demo, enter: Enter, held: Held) -> None:
    *stuck_students, other = others(13)
    for student in stuck_students:
        room = enter(new_exam(student), student)
        room.hear("question")
        hang(room, held)
    assert held.waiting == len(stuck_students)
    exam = new_exam(other, questions=1)
    whole_exam(enter(exam, other), exam)


@pytest.mark.long
def test_in_the_exam_that_hangs_the_student_is_still_answered(demo: Demo, enter: Enter, held: Held) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    turn = room.hear("question")["turn"]
    hang(room, held)
    room.say({"type": "ping"})
    room.hear("pong")
    room.say({"type": "answer", "id": "slow", "text": NEVER_COMES_BACK})
    assert room.hear("taken")["answer_id"] == "slow"
    room.say({"type": "answer", "id": "other", "text": "Something else."})
    assert room.hear("error")["code"] == "busy"
    room.say({"type": "dispute", "turn": turn, "note": "It takes long."})
    held.let_go.set()
    assert room.hear("assessment")["answer_id"] == "slow"
    assert Assessment.objects.count() == 1


@pytest.mark.long
def test_an_exam_ended_while_its_model_hangs_stays_as_it_was_ended(
    demo: Demo, enter: Enter, held: Held
) -> None:
    room = enter(new_exam(demo.student), demo.student)
    room.hear("question")
    hang(room, held)
    room.say({"type": "end"})
    assert room.hear("finished")["result"] == "incomplete"
    before = records_of(demo.student)
    held.let_go.set()
    assert room.is_quiet()
    assert records_of(demo.student) == before


@pytest.mark.long
def test_a_second_device_takes_over_while_the_model_hangs(demo: Demo, enter: Enter, held: Held) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    hang(room, held)
    other = enter(exam, demo.student)
    assert other.hear("question")["seq"] == asked["seq"]
    assert room.closed_with() == 4409
    held.let_go.set()
    assert other.hear("assessment")["answer_id"] == "slow"
    assert Assessment.objects.count() == 1
