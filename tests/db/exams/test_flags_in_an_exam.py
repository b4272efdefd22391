"""A flag in a live exam: each student has an arm and keeps it, and what is turned off is off at the next turn."""

import pytest
from waffle.models import Flag

from exams.domain.exam_request import order_from
from exams.exchange import executors, session
from exams.models import Exam, Turn
from knowledge.flags import ENHANCED, FILTER, place_of
from knowledge.models import RetrievalLog
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, new_exam, opened, right_answer

pytestmark = pytest.mark.long


def is_enhanced(turn: Turn) -> bool:
    assert all(one.startswith("point") for one in turn.provenance["evidence"].values())
    return ENHANCED in turn.context["flags"]


@pytest.mark.django_db(transaction=True)
def test_what_is_turned_off_is_off_at_the_next_turn(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    assert room.is_quiet()
    executors.finish_all()  # the next question has been made ready meanwhile
    Flag.objects.filter(name=ENHANCED).update(everyone=False)
    assert room.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"
    room.hear("question")
    first, second = Turn.objects.filter(exam=exam).order_by("number")
    assert (is_enhanced(first), is_enhanced(second)) == (True, False)
    assert len(first.context["passages"]) > len({one["chunk_id"] for one in first.citations})
    flags = RetrievalLog.objects.get(pk=second.context["retrieval"]).flags
    assert (ENHANCED in flags, FILTER in flags) == (False, True)


@pytest.mark.django_db
def test_two_students_have_two_arms_at_once(demo: Demo) -> None:
    students = sorted((demo.student, demo.reviewer), key=lambda one: place_of(one.pk, ENHANCED))
    between = sum(place_of(one.pk, ENHANCED) for one in students) / 2
    Flag.objects.filter(name=ENHANCED).update(everyone=None, percent=round(between, 1))
    order = order_from({"codes": ["PA.I.H.K1f"], "mode": "drill", "questions": 1})
    found = []
    for student in students:
        exam: Exam = opened(session.create_exam(student, None, order))
        found.append(is_enhanced(Turn.objects.get(exam=exam)))
    assert found == [True, False]
