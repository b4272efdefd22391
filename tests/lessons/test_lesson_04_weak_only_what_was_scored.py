"""Elements never asked were reported weak."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from exams.domain.exam_request import ExamOrder
from exams.domain.grading import grade_oral
from exams.domain.mastery import Attempt, estimates_from, weak_elements
from exams.domain.planner import EventName, PlannerState
from exams.domain.scope import scope_for
from exams.domain.values import VERDICTS
from tests.doubles.orals import facts_for, take_quickly

FACTS = facts_for("PA.I.A", "PA.I.B", "PA.II.A", elements=("K1", "K2", "K3", "R1", "R2"))


@settings(max_examples=150)
@given(st.integers(0, 10_000), st.integers(1, 12))
def test_lesson_04_result_lists_only_scored_elements_as_weak(number: int, questions: int) -> None:
    scope = scope_for(FACTS, ExamOrder(questions=questions), seed=str(number))
    dice = random.Random(number)

    def answer(state: PlannerState) -> EventName:
        if state.state == "paused":
            return "resume"
        return dice.choice(["satisfactory", "partial", "unsatisfactory", "ungraded", "skip"])

    state = take_quickly(scope, answer)
    result = grade_oral(scope, state.outcomes)
    scored = {outcome.code: outcome.verdict for outcome in state.outcomes}
    assert set(result.weak) == {code for code, verdict in scored.items() if verdict != "satisfactory"}
    blamed = {item.code for item in result.study if item.reason != "not asked"}
    assert blamed <= set(scored)


@given(
    st.lists(
        st.builds(
            Attempt,
            element=st.sampled_from("ABCD"),
            verdict=st.sampled_from(VERDICTS),
            mentioned=st.lists(st.sampled_from("CDEF")).map(tuple),
        )
    )
)
def test_lesson_04_mastery_lists_only_scored_elements_as_weak(attempts: list[Attempt]) -> None:
    scored = {attempt.element for attempt in attempts if attempt.verdict != "ungraded"}
    assert set(weak_elements(estimates_from(attempts).values())) <= scored
