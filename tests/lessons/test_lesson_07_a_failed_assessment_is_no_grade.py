"""Lesson 7: a failed assessment counted as "partial". Whatever fails is ungraded, earns nothing and burns nothing."""

from typing import Any

import pytest

from exams.domain.values import Exchange, Expectation
from exams.domain.verdicts import decide_verdict
from exams.examiner.assessor import assess_answer
from knowledge.grounding.context import NO_SOURCES
from llm.errors import ModelError, TimedOut
from llm.interfaces import Stop
from tests.doubles.chats import SaysInTurn, points

EXPECTED = (
    Expectation(key="a", text="One.", citations=(1,)),
    Expectation(key="b", text="Two.", citations=(2,)),
)
GOOD = points(("a", "met"), ("b", "half"))


def assess(model: SaysInTurn) -> Any:
    return assess_answer((Exchange(asked="What?", said="One and two."),), EXPECTED, NO_SOURCES, model=model)


@pytest.mark.parametrize(
    "reply",
    [
        TimedOut("too late"),
        "no JSON at all",
        "",
        '{"points": [{"key": "a", "met": "met"',
        points(("a", "met"), ("b", "nearly")),
        points(("a", "met")),
        points(("a", "met"), ("b", "met"), ("b", "missing")),
        points(("a", "met"), ("c", "met")),
        points(("a", "met"), ("b", "met"), said="words that nobody said"),
        points(("a", "met"), ("b", "met"), sources=[7]),
        {"verdict": "satisfactory"},
    ],
)
def test_lesson_07_failed_assessment_raises_and_gives_no_points(reply: Any) -> None:
    with pytest.raises(ModelError):
        assess(SaysInTurn(reply))


@pytest.mark.parametrize("stop", ["truncated", "refused"])
def test_lesson_07_truncated_reply_is_not_an_assessment(stop: Stop) -> None:
    with pytest.raises(ModelError):
        assess(SaysInTurn('{"points": [', stop=stop))


def test_lesson_07_answer_without_points_is_ungraded() -> None:
    assert decide_verdict(()).verdict == "ungraded"
    assert decide_verdict(()).score == 0.0


def test_the_verdict_is_computed_and_never_read_from_the_model() -> None:
    judged = assess(SaysInTurn(GOOD))
    assert decide_verdict(judged.points).verdict == "partial"
    with pytest.raises(ModelError):
        assess(SaysInTurn({**GOOD, "verdict": "satisfactory"}))
