"""Boundaries were nobody's decision: the score decides nothing, all-partial does not pass."""

import pytest

from exams.domain.exam_request import ExamOrder
from exams.domain.grading import grade_oral
from exams.domain.planner import advance_oral, start_oral
from exams.domain.scope import scope_for
from exams.domain.values import Met, Point
from exams.domain.verdicts import decide_verdict
from tests.doubles.orals import always, by_element, facts_for, take

FACTS = facts_for("PA.I.A", "PA.I.B", elements=("K1", "K2", "K3", "R1", "R2", "R3"))


@pytest.mark.parametrize("questions", [2, 3, 4, 5, 6, 8])
def test_lesson_03_all_partial_does_not_pass(questions: int) -> None:
    scope = scope_for(FACTS, ExamOrder(questions=questions), seed="p")
    assert grade_oral(scope, take(scope, always("partial")).outcomes).result == "fail"


@pytest.mark.parametrize(
    ("second", "result"), [("satisfactory", "pass"), ("partial", "fail"), ("unsatisfactory", "fail")]
)
def test_lesson_03_one_doubt_is_closed_by_a_satisfactory_element_of_its_kind_and_by_nothing_else(
    second: str, result: str
) -> None:
    scope = scope_for(FACTS, ExamOrder(questions=5), seed="p")
    doubted = scope.plan[0]
    step = advance_oral(start_oral(scope), "begin")
    step = advance_oral(advance_oral(step.state, "partial").state, "partial")
    closer = step.action.element
    assert closer is not None
    assert (closer.task, closer.kind) == (doubted.task, doubted.kind)
    told = {doubted.code: "partial", closer.code: second}
    outcomes = take(scope, by_element(told)).outcomes  # type: ignore[arg-type]
    graded = grade_oral(scope, outcomes)
    assert graded.result == result
    assert doubted.code in graded.weak


def point(key: str, met: Met) -> Point:
    return Point(expectation=key, key=key, met=met)


def test_lesson_03_a_high_score_with_one_must_missing_is_not_satisfactory() -> None:
    nine_of_ten = decide_verdict([*(point(str(n), "met") for n in range(9)), point("last", "missing")])
    assert nine_of_ten.score == 0.9
    assert nine_of_ten.verdict == "unsatisfactory"


def test_lesson_03_a_grade_holds_no_score() -> None:
    scope = scope_for(FACTS, ExamOrder(questions=4), seed="p")
    stored = str(grade_oral(scope, take(scope, always("satisfactory")).outcomes).to_dict())
    assert "score" not in stored
    assert "%" not in stored
