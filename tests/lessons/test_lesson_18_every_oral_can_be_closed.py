"""Exams stayed "active" for ever: from every state that waits there is a way to the end."""

import pytest

from exams.conf import UNGRADED_TRIES
from exams.domain.exam_request import ExamOrder
from exams.domain.grading import grade_oral
from exams.domain.planner import TABLE, PlannerState, advance_oral, start_oral
from exams.domain.scope import scope_for
from exams.domain.values import Manner
from tests.doubles.orals import facts_for

SCOPE = scope_for(facts_for("PA.I.A", "PA.I.B"), ExamOrder(questions=4), seed="18")
PATHS: dict[str, tuple[Manner, tuple[str, ...]]] = {
    "ready": ("coach", ()),
    "qualifying": ("coach", ("begin",)),
    "asking": ("coach", ("begin",)),
    "probing": ("coach", ("begin", "partial")),
    "hinting": ("coach", ("begin", "hint_asked")),
    "paused": ("coach", ("begin", "pause")),
    "consenting": ("checkride", ("begin", *("partial",) * 4)),
}


def in_state(name: str) -> PlannerState:
    manner, events = PATHS[name]
    state = start_oral(SCOPE, manner, papers=name == "qualifying")
    for event in events:
        state = advance_oral(state, event).state  # type: ignore[arg-type]
    assert state.state == name
    return state


def test_lesson_18_every_state_that_waits_is_tried_here() -> None:
    assert set(PATHS) == {row.state for row in TABLE} - {"moving_on"}


@pytest.mark.parametrize("name", PATHS)
def test_lesson_18_an_abandoned_oral_is_closed_from_wherever_it_stands(name: str) -> None:
    step = advance_oral(in_state(name), "end")
    assert (step.action.kind, step.state.state) == ("finish", "finished")
    assert step.state.current is None
    assert grade_oral(SCOPE, step.state.outcomes).result != "pass"


def test_lesson_18_a_model_that_never_answers_pauses_an_oral_that_can_be_closed() -> None:
    step = advance_oral(start_oral(SCOPE), "begin")
    for _ in range(UNGRADED_TRIES):
        step = advance_oral(step.state, "ungraded")
    assert step.state.state == "paused"
    step = advance_oral(step.state, "end")
    assert (step.state.outcomes, step.state.left_out) == ((), ())
    assert grade_oral(SCOPE, step.state.outcomes).result == "incomplete"
