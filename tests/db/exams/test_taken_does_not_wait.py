"""An answer is stored and acknowledged while all that can compute is computing, and is assessed when it is its turn."""

import os
from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user_model

from exams.conf import SLOTS_MOST
from exams.models import Answer, Assessment
from llm import registry
from tests.doubles.demo_library import Demo
from tests.doubles.models import Held, Wire, wire
from tests.doubles.rooms import Enter, new_exam

__all__ = ["wire"]
pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]
LONG = "I look at the gauges, slow the airplane down and tell the tower what I see"


@pytest.fixture
def busy(wire: Wire) -> Iterator[Held]:
    """A model of this machine: it keeps its thread's place as long as it thinks."""
    model = Held(registry.chat_model("assessor"), (LONG,), external=False)
    wire(assessor=model)
    yield model
    model.let_go.set()


def test_an_answer_is_taken_while_every_place_is_taken(demo: Demo, enter: Enter, busy: Held) -> None:
    number = min(SLOTS_MOST, os.cpu_count() or 1) + 2
    rooms = []
    for place in range(number):
        student = get_user_model().objects.create_user(f"student{place}")
        rooms.append(enter(new_exam(student), student))
        rooms[-1].hear("question")
    for room in rooms:
        room.say({"type": "answer", "id": "a1", "text": LONG})
        assert room.hear("taken", "error")["type"] == "taken"
    assert (Answer.objects.count(), Assessment.objects.count()) == (number, 0)
    busy.let_go.set()
    for room in rooms:
        assert room.hear("assessment")["answer_id"] == "a1"
