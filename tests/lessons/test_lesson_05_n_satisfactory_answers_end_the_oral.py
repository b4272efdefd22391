"""The planner never advanced, completion could not fire, the budget was reset at each call."""

import pytest

from exams.domain.exam_request import ExamOrder
from exams.domain.planner import advance_oral, start_oral
from exams.domain.scope import scope_for
from exams.domain.values import Manner
from tests.doubles.orals import facts_for, stored

FACTS = facts_for("PA.I.A", "PA.I.B", "PA.I.E", "PA.II.A", elements=("K1", "K2", "K3", "R1", "R2"))


@pytest.mark.parametrize("manner", ["coach", "checkride"])
@pytest.mark.parametrize("questions", [2, 3, 5, 8, 12, 20])
def test_lesson_05_each_answer_asks_another_element_and_the_last_one_ends_it(
    questions: int, manner: Manner
) -> None:
    scope = scope_for(FACTS, ExamOrder(questions=questions), seed="n")
    step = stored(advance_oral(start_oral(scope, manner), "begin"))
    asked: list[str] = []
    for number in range(questions):
        assert step.action.kind == "ask"
        assert step.action.element is not None
        assert (step.state.asked, step.state.planned) == (number, questions)
        asked.append(step.action.element.code)
        step = stored(advance_oral(step.state, "satisfactory"))
    assert (step.action.kind, step.state.ended_by) == ("finish", "plan")
    assert len(set(asked)) == questions
