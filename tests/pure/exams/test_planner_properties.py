"""Whatever happens in whatever order: what every oral keeps to."""

from hypothesis import given, settings
from hypothesis import strategies as st

from exams.domain.exam_request import ExamOrder
from exams.domain.planner import EventName, IllegalEvent, PlannerState, advance_oral, start_oral
from exams.domain.scope import Scope, scope_for
from tests.doubles.orals import facts_for, stored

TASKS = ("PA.I.A", "PA.I.B", "PA.I.E", "PA.II.A", "PA.III.A")
FACTS = facts_for(*TASKS, elements=("K1", "K2", "K3", "R1", "R2"))
ANSWERS: list[EventName] = [
    "satisfactory",
    "partial",
    "unsatisfactory",
    "ungraded",
    "skip",
    "hint_asked",
    "pause",
]


@st.composite
def orals(draw: st.DrawFn) -> tuple[Scope, PlannerState]:
    """A whole oral with random events."""
    questions = draw(st.integers(1, 12))
    scope = scope_for(FACTS, ExamOrder(questions=questions), seed=str(draw(st.integers(0, 50))))
    step = advance_oral(start_oral(scope, draw(st.sampled_from(["coach", "checkride"]))), "begin")
    while step.action.kind != "finish":
        step = stored(advance_oral(step.state, _event(draw, step.state)))
    return scope, step.state


def _event(draw: st.DrawFn, state: PlannerState) -> EventName:
    if state.state == "paused":
        return "resume"
    if state.state == "consenting":
        return "consent_go_on"
    return draw(st.sampled_from([name for name in ANSWERS if _is_legal(state, name)]))


def _is_legal(state: PlannerState, event: EventName) -> bool:
    try:
        advance_oral(state, event)
    except IllegalEvent:
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(orals())
def test_every_oral_ends_by_its_plan_within_its_budget(oral: tuple[Scope, PlannerState]) -> None:
    scope, state = oral
    assert state.ended_by == "plan"
    assert state.asked <= scope.questions
    assert state.hints <= scope.questions // 2


@settings(max_examples=150, deadline=None)
@given(orals())
def test_nothing_is_asked_twice_or_outside_the_scope(oral: tuple[Scope, PlannerState]) -> None:
    scope, state = oral
    asked = [outcome.code for outcome in state.outcomes] + [item.code for item in state.left_out]
    assert len(asked) == len(set(asked))
    assert set(asked) <= {item.code for item in (*scope.plan, *scope.reserve)}


@settings(max_examples=150, deadline=None)
@given(orals())
def test_every_question_of_the_budget_is_asked_unless_elements_had_to_be_left_out(
    oral: tuple[Scope, PlannerState],
) -> None:
    scope, state = oral
    assert state.asked == scope.questions or len(state.left_out) >= scope.questions - state.asked
