"""What else happens while a follow-up is prepared or a model judges: it is neither lost, nor does it wait."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from exams.exchange import answer_processing, session
from exams.exchange.question_flow import ask_follow_up
from exams.models import Answer, Assessment, Exam, Turn
from exams.protocol.frames import Hint
from llm import registry
from llm.interfaces import ChatModel, ChatReply, ChatRequest
from tests.doubles.demo_library import Demo
from tests.doubles.models import Wire, wire
from tests.doubles.rooms import new_exam, right_answer

__all__ = ["wire"]

pytestmark = pytest.mark.long


@dataclass
class Meanwhile:
    """Does something in the middle of each call."""

    inner: ChatModel
    happens: Callable[[], Any]
    provider: str = "offline"
    model: str = "meanwhile"
    external: bool = True

    def complete(self, request: ChatRequest[Any]) -> ChatReply:
        self.happens()
        return self.inner.complete(request)


def do(work: session.Work | None) -> None:
    assert work is not None
    function, key = work
    function(key)


def opened(demo: Demo) -> Exam:
    exam = new_exam(demo.student)
    do(session.open_connection(exam.pk, demo.student.pk).work)
    exam.refresh_from_db()
    return exam


@pytest.mark.django_db
def test_an_answer_given_while_a_hint_is_prepared_is_assessed(
    demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = opened(demo)
    hint = session.take_frame(exam.pk, exam.epoch, Hint())
    said = right_answer(exam)
    taken: list[session.Taken] = []

    def answered_meanwhile(*given: Any, **named: Any) -> Turn:
        taken.append(session.take_answer(exam.pk, exam.epoch, "a1", said))
        return ask_follow_up(*given, **named)

    monkeypatch.setattr(answer_processing, "ask_follow_up", answered_meanwhile)
    do(hint)
    monkeypatch.undo()
    do(taken[0].work)
    assert Assessment.objects.get(answer__client_id="a1").verdict == "satisfactory"
    assert session.take_answer(exam.pk, exam.epoch, "a2", "The next answer.").work is not None


@pytest.mark.django_db
def test_an_answer_after_the_hint_belongs_to_the_hint(demo: Demo) -> None:
    exam = opened(demo)
    do(session.take_frame(exam.pk, exam.epoch, Hint()))
    session.take_answer(exam.pk, exam.epoch, "a1", "Something.")
    assert Answer.objects.get(client_id="a1").turn == Turn.objects.get(exam=exam, form="hint")


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_a_model_thinks(demo: Demo, wire: Wire) -> None:
    held: list[bool] = []
    model = Meanwhile(registry.chat_model("examiner"), lambda: held.append(connection.connection is not None))
    wire(examiner=model, assessor=model)
    exam = opened(demo)
    do(session.take_answer(exam.pk, exam.epoch, "a1", "I do not know.").work)
    do(session.take_frame(exam.pk, exam.epoch, Hint()))
    do(session.take_answer(exam.pk, exam.epoch, "a2", "I do not know that either.").work)
    assert len(held) >= 2  # two verdicts
    assert not any(held)
