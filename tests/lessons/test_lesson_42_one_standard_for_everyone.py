"""An easier mode had an easier standard: difficulty and manner change the question, never the verdict."""

import inspect
from itertools import product
from typing import get_args

import pytest

from exams.domain.exam_request import Difficulty, ExamOrder, Mode
from exams.domain.grading import grade_oral
from exams.domain.planner import EventName, PlannerState, advance_oral, event_for, may_probe, start_oral
from exams.domain.scope import Scope, scope_for
from exams.domain.values import Manner, Met, Point
from exams.domain.verdicts import decide_verdict
from tests.doubles.orals import facts_for, take

FACTS = facts_for("PA.I.A", "PA.I.B", "PA.I.E", elements=("K1", "K2", "K3", "R1", "R2"))
ANSWERS: tuple[Met, ...] = ("met", "half", "missing", "contradicted")


def answered(scope: Scope, manner: Manner) -> list[tuple[str, str]]:
    """Element and final verdict, where an answer depends on its element and attempt alone."""
    step = advance_oral(start_oral(scope, manner), "begin")
    while step.action.kind != "finish":
        if step.action.kind == "await_consent":
            step = advance_oral(step.state, "consent_go_on")
            continue
        element = step.action.element
        assert element is not None
        met = ANSWERS[(sum(map(ord, element.code)) + step.action.attempt) % len(ANSWERS)]
        decision = decide_verdict(
            [Point(expectation="a", key="a", met=met)],
            attempt="opening" if step.action.attempt == 1 else "probe",
            may_probe=may_probe(step.state),
        )
        step = advance_oral(step.state, event_for(decision))
    return [(outcome.code, outcome.verdict) for outcome in step.state.outcomes]


def test_lesson_42_decisions_do_not_depend_on_difficulty_or_manner() -> None:
    known = set(inspect.signature(decide_verdict).parameters) | set(inspect.signature(grade_oral).parameters)
    assert not known & {"difficulty", "persona", "manner", "mode"}


@pytest.mark.parametrize("number", range(10))
def test_lesson_42_the_same_answers_get_the_same_verdicts(number: int) -> None:
    manners: tuple[Manner, ...] = ("coach", "checkride")
    told = {
        str(answered(scope_for(FACTS, order(difficulty), seed=str(number)), manner))
        for difficulty, manner in product(get_args(Difficulty), manners)
    }
    assert len(told) == 1


def order(difficulty: Difficulty, mode: Mode = "full") -> ExamOrder:
    return ExamOrder(questions=6, difficulty=difficulty, mode=mode, areas=["I"])


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("event", ["partial", "unsatisfactory"])
def test_lesson_42_no_mode_passes_what_another_fails(mode: Mode, event: EventName) -> None:
    scope = scope_for(FACTS, order("recall", mode), seed="m")

    def answer(state: PlannerState) -> EventName:
        return event

    assert grade_oral(scope, take(scope, answer).outcomes).result == "fail"
