"""An exam is the same with questions that were made ready while the student was reading and without."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import caches
from django.db import transaction
from waffle.testutils import override_flag

from exams.exchange import prefetch, session
from exams.models import Assessment, Exam, Frame, Mastery, Turn
from exams.protocol.frames import Hint
from knowledge.flags import FREE_QUESTIONS
from knowledge.library_version import library_changed
from knowledge.models import Item
from tests.doubles.chats import SaysInTurn
from tests.doubles.demo_library import Demo
from tests.doubles.models import Counted, Wire, wire
from tests.doubles.rooms import answer_and_settle, do, new_exam, opened, right_answer
from tests.sampling import sample_of

__all__ = ["wire"]
pytestmark = pytest.mark.django_db
Say = Callable[[Exam, int], str]
PASSING = {"id", "exam_id", "turn_id", "answer_id", "created_at", "updated_at", "reviewed_at", "due"}


def rows(found: Any) -> list[dict[str, Any]]:
    return [without_keys(row) for row in found.values()]


def without_keys(row: dict[str, Any]) -> dict[str, Any]:
    """Also without the key of the search that a turn's context names."""
    kept = {name: value for name, value in row.items() if name not in PASSING}
    if "context" in kept:
        kept["context"] = {name: value for name, value in kept["context"].items() if name != "retrieval"}
    return kept


def told(exam: Exam) -> dict[str, Any]:
    """All that became of an exam, without keys and times."""
    exam.refresh_from_db()
    return {
        "planner": exam.planner,
        "frames": list(Frame.objects.filter(exam=exam).values_list("payload", flat=True)),
        "turns": rows(Turn.objects.filter(exam=exam).order_by("number")),
        "assessments": rows(Assessment.objects.filter(turn__exam=exam).order_by("id")),
        "mastery": rows(Mastery.objects.filter(student=exam.student).order_by("element")),
    }


@contextmanager
def undone() -> Iterator[None]:
    caches["process"].clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def sat(exam: Exam, say: Say, *, prepared: bool) -> dict[str, Any]:
    """What becomes of an exam from its first question to its end; afterwards nothing of it is left."""
    with undone():
        opened(exam)
        number = 0
        while Exam.objects.get(pk=exam.pk).status == "active":
            if prepared:
                prefetch.prepare_next(exam.pk)
            answer_and_settle(exam, say(exam, number), f"a{number}")
            number += 1
        return told(exam)


def right(exam: Exam, number: int) -> str:
    return right_answer(exam)


def wrong(exam: Exam, number: int) -> str:
    return "I do not know."


def mixed(exam: Exam, number: int) -> str:
    return right_answer(exam) if number % 3 else "I do not know."


@pytest.mark.parametrize("say", sample_of([mixed, right, wrong], 3))
def test_the_exchange_is_the_same_with_it_and_without(demo: Demo, say: Say) -> None:
    exam = new_exam(demo.student)
    without = sat(exam, say, prepared=False)
    assert sat(exam, say, prepared=True) == without
    assert len(without["turns"]) >= 3


@pytest.mark.long
def test_after_a_hint_another_question_is_made(demo: Demo) -> None:
    """What was said before is part of what a question is made from."""
    exam = opened(new_exam(demo.student))

    def hinted(prepared: bool) -> dict[str, Any]:
        with undone():
            if prepared:
                prefetch.prepare_next(exam.pk)
            do(session.take_frame(exam.pk, exam.epoch, Hint()))
            answer_and_settle(exam, right_answer(exam), "a1")
            return told(exam)

    assert hinted(prepared=True) == hinted(prepared=False)


@pytest.mark.long
def test_a_vendor_that_words_questions_is_paid_for_no_more_of_them(demo: Demo, wire: Wire) -> None:
    Item.objects.update(withdrawn=True)
    library_changed(None)
    fair = {"text": "It is Sunday morning and a friend sits beside you. What do you do?"}
    with override_flag(FREE_QUESTIONS, active=True):
        calls = []
        for prepared in (False, True):
            examiner = Counted(SaysInTurn(fair), external=True)
            wire(examiner=examiner)
            sat(new_exam(demo.student), wrong, prepared=prepared)
            calls.append(examiner.calls)
    assert calls[0] == calls[1] >= 3
