"""Better answers could lower a result, and an Area passed for want of data."""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from exams.domain.exam_request import ExamOrder
from exams.domain.grading import Grade, Outcome, grade_oral
from exams.domain.planner import EventName, PlannerState
from exams.domain.scope import Scope, scope_for
from exams.domain.values import Verdict
from tests.doubles.orals import facts_for, take_quickly

FACTS = facts_for("PA.I.A", "PA.I.B", "PA.II.A", "PA.XI.A", elements=("K1", "K2", "K3", "R1", "R2", "S1"))
UP: list[Verdict] = ["unsatisfactory", "partial", "satisfactory"]
TASK_RANK = {"unsatisfactory": 0, "incomplete": 1, "satisfactory": 2}
TEST_RANK = {"fail": 0, "incomplete": 1, "pass": 2}


def oral(number: int, questions: int) -> tuple[Scope, PlannerState]:
    scope = scope_for(FACTS, ExamOrder(questions=questions), seed=str(number))
    dice = random.Random(number)

    def answer(state: PlannerState) -> EventName:
        return dice.choice(["satisfactory", "satisfactory", "partial", "unsatisfactory", "skip"])

    return scope, take_quickly(scope, answer)


def ranks(result: Grade) -> dict[str, int]:
    tasks = {task.task: TASK_RANK[task.result] for area in result.areas for task in area.tasks}
    areas = {area.area: TASK_RANK[area.result] for area in result.areas}
    return tasks | areas | {"test": TEST_RANK[result.result]}


@settings(max_examples=300)
@given(st.integers(0, 10_000), st.integers(1, 12), st.data())
def test_lesson_02_improving_any_verdict_never_lowers_anything(
    number: int, questions: int, data: st.DataObject
) -> None:
    scope, state = oral(number, questions)
    if not state.outcomes:
        return
    told = [replace(outcome, fatal=data.draw(st.booleans())) for outcome in state.outcomes]
    place = data.draw(st.integers(0, len(told) - 1))
    better = data.draw(st.sampled_from(UP[UP.index(told[place].verdict) :]))
    improved = [*told[:place], replace(told[place], verdict=better), *told[place + 1 :]]
    before, after = ranks(grade_oral(scope, told)), ranks(grade_oral(scope, improved))
    assert all(after[name] >= before[name] for name in before)


def test_lesson_02_an_area_with_one_wrong_answer_does_not_pass() -> None:
    scope = scope_for(FACTS, ExamOrder(questions=2), seed="one")
    wrong = Outcome(
        code=scope.plan[0].code, task=scope.plan[0].task, kind="knowledge", verdict="unsatisfactory", order=1
    )
    result = grade_oral(scope, [wrong])
    assert result.result == "incomplete"
    assert [area.result for area in result.areas] == ["incomplete"]


def test_lesson_02_nothing_asked_is_incomplete() -> None:
    scope = scope_for(FACTS, ExamOrder(questions=2), seed="none")
    assert grade_oral(scope, []).result == "incomplete"
