"""Whoever wants to hear the question again hears it, and pays nothing for it."""

import pytest

from exams.models import Exam, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, new_exam, right_answer

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_question_stands_however_often_it_is_asked_for(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    for number, said in enumerate(("Say it again", "Pardon?", "Repeat the question, please.", "What?")):
        verdict = room.answer(said, f"again-{number}")
        assert (verdict["verdict"], verdict["final"], verdict["score"]) == ("ungraded", False, None)
        again = room.hear("question")
        assert (again["turn"], again["text"]) == (asked["turn"], asked["text"])
    assert Turn.objects.filter(exam=exam).count() == 1
    assert room.answer(right_answer(Exam.objects.get(pk=exam.pk)), "a1")["verdict"] == "satisfactory"


@pytest.mark.long
@pytest.mark.parametrize("said", ["What do you mean?", "Could you rephrase the question, please?"])
def test_who_asks_what_is_meant_hears_it_in_other_words(demo: Demo, enter: Enter, said: str) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    assert room.answer(said, "again")["verdict"] == "ungraded"
    again = room.hear("question")
    assert again["turn"] == asked["turn"]
    assert again["text"] == Turn.objects.get(exam=exam).rubric["again"] != asked["text"]


def test_who_says_the_same_again_is_judged_by_it(demo: Demo, enter: Enter) -> None:
    """Words that only sound like an aside are no trap: the second time they are the answer."""
    room = enter(new_exam(demo.student), demo.student)
    room.hear("question")
    assert room.answer("Go again, go around.", "once")["verdict"] == "ungraded"
    room.hear("question")
    assert room.answer("Go again, go around.", "twice")["verdict"] != "ungraded"
