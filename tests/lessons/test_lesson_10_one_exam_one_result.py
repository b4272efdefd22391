"""The same exam graded twice gave two results: the order of reading must not matter."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from exams.domain.exam_request import ExamOrder
from exams.domain.grading import grade_oral
from exams.domain.planner import EventName, PlannerState
from exams.domain.scope import scope_for
from tests.doubles.orals import facts_for, take_quickly

FACTS = facts_for("PA.I.A", "PA.I.B", "PA.II.A", elements=("K1", "K2", "K3", "R1", "R2"))


@settings(max_examples=150)
@given(st.integers(0, 10_000), st.integers(1, 12), st.randoms(use_true_random=False))
def test_lesson_10_any_order_of_reading_gives_one_result(
    number: int, questions: int, shuffled: random.Random
) -> None:
    scope = scope_for(FACTS, ExamOrder(questions=questions), seed=str(number))
    dice = random.Random(number)

    def answer(state: PlannerState) -> EventName:
        return dice.choice(["satisfactory", "satisfactory", "partial", "unsatisfactory"])

    outcomes = list(take_quickly(scope, answer).outcomes)
    first = grade_oral(scope, outcomes)
    shuffled.shuffle(outcomes)
    assert grade_oral(scope, outcomes) == first


@given(st.permutations(FACTS))
def test_lesson_10_any_order_of_the_standard_gives_one_plan(facts: list[object]) -> None:
    request = ExamOrder(questions=7)
    assert scope_for(facts, request, seed="x") == scope_for(FACTS, request, seed="x")  # type: ignore[arg-type]
