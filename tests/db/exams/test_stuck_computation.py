"""A computation that never ends stops nobody else, and one student has one judging thread."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from prometheus_client import REGISTRY

from exams import conf
from exams.exchange import executors
from exams.models import Assessment, Exam
from llm import registry
from tests.doubles.demo_library import Demo
from tests.doubles.models import Held, Wire, wire
from tests.doubles.rooms import Enter, Room, new_exam, right_answer

__all__ = ["wire"]
pytestmark = pytest.mark.django_db(transaction=True)
ENDLESS = "the words on which judging never ends"


@pytest.fixture
def one_slot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    executors.finish_all()
    monkeypatch.setattr(conf, "SLOTS_MOST", 1)
    monkeypatch.setattr(conf, "SLOT_SECONDS", 2.0)
    yield
    executors.finish_all()


def held(wire: Wire, *, external: bool) -> Held:
    model = Held(registry.chat_model("assessor"), (ENDLESS,), external=external)
    wire(assessor=model)
    return model


def hang(room: Room, model: Held, name: str = "slow") -> None:
    room.say({"type": "answer", "id": name, "text": ENDLESS})
    room.hear("taken")
    room.runner.run(asyncio.to_thread(model.reached.wait, 30))


def stuck() -> float | None:
    return REGISTRY.get_sample_value("heydpe_stuck_computations")


def another() -> Any:
    return get_user_model().objects.create_user("another", password="x")


def test_its_slot_is_given_back_and_the_turn_is_ungraded(
    demo: Demo, one_slot: None, enter: Enter, wire: Wire
) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    model = held(wire, external=False)
    hang(room, model)
    other = another()
    others = new_exam(other, questions=2)
    beside = enter(others, other)
    for number in range(2):
        beside.hear("question")
        assert beside.answer(right_answer(others), f"a{number}")["verdict"] == "satisfactory"
    assert beside.hear("finished")["result"]
    assert not model.let_go.is_set()
    assert stuck() == 1
    found = room.hear("assessment")
    assert (found["answer_id"], found["verdict"], found["score"]) == ("slow", "ungraded", None)
    assert room.hear("question")["turn"] == asked["turn"]
    assert (
        room.answer(right_answer(exam), "a1")["verdict"] == "ungraded"
    )  # behind the student's own stuck thread
    room.hear("question")
    model.let_go.set()
    while stuck():
        room.runner.run(asyncio.sleep(0.05))
    assert room.answer(right_answer(exam), "a2")["verdict"] == "satisfactory"
    assert Assessment.objects.filter(turn__exam=exam).count() == 3


@pytest.mark.long
def test_three_times_out_of_time_pause_the_oral(demo: Demo, one_slot: None, enter: Enter, wire: Wire) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    model = held(wire, external=False)
    hang(room, model)
    for number in range(3):
        assert room.hear("assessment")["verdict"] == "ungraded"
        asked = room.hear("question")
        if number < 2:
            room.say({"type": "answer", "id": f"a{number}", "text": right_answer(exam)})
    assert room.hear("error")["code"] == "not_assessed"
    model.let_go.set()
    exam = Exam.objects.get()
    assert (asked["turn"], exam.status, exam.pause_reason) == (1, "paused", "not_assessed")


@pytest.mark.long
def test_a_student_who_sends_to_several_orals_waits_behind_himself(
    demo: Demo, enter: Enter, wire: Wire
) -> None:
    exams = [new_exam(demo.student) for _ in range(3)]
    rooms = [enter(exam, demo.student) for exam in exams]
    for room in rooms:
        room.hear("question")
    model = held(wire, external=True)
    for room in rooms:
        hang(room, model)
    other = another()
    others = new_exam(other)
    beside = enter(others, other)
    beside.hear("question")
    assert beside.answer(right_answer(others), "a1")["verdict"] == "satisfactory"
    assert model.waiting == 1
    model.let_go.set()
    for room in rooms:
        assert room.hear("assessment")["answer_id"] == "slow"
