"""Lesson 41: "3 miles and clear of clouds" was called satisfactory for Class G by day below 1,200 feet; it is 1 SM."""

import pytest

from exams.domain.values import Expectation
from exams.domain.verdicts import decide_verdict
from exams.offline.classifier import Classifier
from llm.local.minilm import load_tokenizer
from tests.doubles.judged import points_of

QUESTION = (
    "You fly in Class G airspace by day at 900 feet above the ground. What weather minimums do you need?"
)
EXPECTED = (
    Expectation(
        key="wx_g_day",
        text="In Class G airspace at 1,200 feet or less above the surface by day an airplane under VFR needs"
        " 1 statute mile of flight visibility and must stay clear of clouds.",
        p0=True,
    ),
)


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier(load_tokenizer())


@pytest.mark.parametrize(
    "answer",
    ["3 miles and clear of clouds", "Three statute miles, clear of clouds.", "3 SM and clear of clouds"],
)
def test_three_miles_is_not_satisfactory(answer: str, classifier: Classifier) -> None:
    points = points_of(QUESTION, answer, EXPECTED, classifier)
    assert [point.met for point in points] == ["contradicted"]
    assert decide_verdict(points).verdict == "unsatisfactory"
    assert "1 statute mile" in points[0].why


@pytest.mark.parametrize(
    "answer", ["1 statute mile and clear of clouds", "One mile, and stay out of the clouds."]
)
def test_one_mile_is_satisfactory(answer: str, classifier: Classifier) -> None:
    assert decide_verdict(points_of(QUESTION, answer, EXPECTED, classifier)).verdict == "satisfactory"
