"""Something false in an answer that says all it has to is asked about once, then set right, and fails nobody."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from exams.domain.feedback import TAKEN_BACK
from exams.domain.values import Point
from exams.examiner.examiner import CHALLENGED
from exams.exchange.completion import completed_after_follow_up
from exams.exchange.question_flow import without_words
from exams.models import Assessment, Exam, Turn
from knowledge.grounding.citations import Citation
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import assessed, new_exam, opened

pytestmark = pytest.mark.django_db
SIGN = "A headache in the cockpit is a sign of carbon monoxide, which leaks from the exhaust into the cabin heat."
FALSE = "At night thirty minutes of fuel is enough."
TRUE = "No, at night I need forty-five minutes in the tanks."


@pytest.fixture
def exam(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> Exam:
    """Its first question is ours, and the library is said to have every source."""
    exam = opened(new_exam(demo.student))
    turn = Turn.objects.get(exam=exam)
    must = next(one for one in turn.expectations if one["importance"] == "must")
    turn.text = "You have a headache in the cockpit, and the heater is on. What do you think of?"
    turn.expectations = [{**must, "text": SIGN, "also": [], "reject": [], "keywords": [], "p0": False}]
    turn.rubric["mixups"] = []
    turn.save(update_fields=["text", "expectations", "rubric"])
    cited = Citation(**{**turn.citations[0], "label": "14 CFR 91.151(a)"})
    monkeypatch.setattr("exams.exchange.question_flow.citation_at_source", lambda belief, tenant: cited)
    return exam


@pytest.fixture
def say(exam: Exam) -> Callable[[str], Assessment]:
    return partial(assessed, exam)


def last_turn(exam: Exam) -> Turn:
    return exam.turns.latest("number")


def test_who_stands_by_it_is_set_right_and_keeps_the_verdict(exam: Exam, say: Callable[[str], Any]) -> None:
    element = last_turn(exam).element
    first = say(f"{SIGN} {FALSE}")
    assert (first.final, first.verdict) == (False, "satisfactory")
    asked = last_turn(exam)
    assert asked.form == "probe"
    assert asked.text in [one.format(said=FALSE.rstrip(".")) for one in CHALLENGED]
    final = say("Yes, half an hour does it at night.")
    assert (final.final, final.verdict) == (True, "satisfactory")
    assert "45 minutes" in final.feedback
    assert "(14 CFR 91.151(a))" in final.feedback
    assert final.near
    found = list(Assessment.objects.filter(turn__element=element).order_by("id"))
    assert not completed_after_follow_up(found, asked.expectations)


def test_who_takes_it_back_hears_no_more_of_it(exam: Exam, say: Callable[[str], Any]) -> None:
    say(f"{SIGN} {FALSE}")
    final = say(TRUE)
    assert (final.final, final.verdict) == (True, "satisfactory")
    assert "91.151" not in final.feedback
    assert any(one in final.feedback for one in TAKEN_BACK)


def test_a_question_whether_it_is_so_is_answered_at_once(exam: Exam, say: Callable[[str], Any]) -> None:
    final = say(f"{SIGN} Is thirty minutes of fuel enough at night?")
    assert final.final
    assert "45 minutes" in final.feedback


def test_what_the_library_cannot_show_is_passed_over(
    exam: Exam, say: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exams.exchange.question_flow.citation_at_source", lambda belief, tenant: None)
    final = say(f"{SIGN} {FALSE}")
    assert final.final
    assert "45 minutes" not in final.feedback


def test_what_is_false_is_no_evidence() -> None:
    points = [
        Point(expectation="A must.", key=key, met="met", importance="must", said=said)
        for key, said in (("a", f"So {FALSE}"), ("b", SIGN))
    ]
    assert [one.said for one in without_words(points, [FALSE])] == ["", SIGN]
