"""One doubt a Task: what comes next, and who pays for it."""

from dataclasses import replace

from exams.domain.exam_request import ExamOrder
from exams.domain.grading import Outcome
from exams.domain.planner import Event, PlannerState, advance_oral, start_oral, status_of_task
from exams.domain.scope import scope_for
from exams.domain.values import Manner
from tests.doubles.orals import facts_for

ELEMENTS = ("K1", "K2", "K3", "R1", "R2", "R3")


def begun(
    questions: int, *tasks: str, elements: tuple[str, ...] = ELEMENTS, manner: Manner = "coach"
) -> PlannerState:
    scope = scope_for(facts_for(*tasks, elements=elements), ExamOrder(questions=questions), seed="t")
    return advance_oral(start_oral(scope, manner), "begin").state


def play(state: PlannerState, *events: str | Event) -> PlannerState:
    for event in events:
        state = advance_oral(state, event).state  # type: ignore[arg-type]
    return state


def test_one_more_element_of_that_kind_from_that_task_comes_next() -> None:
    state = begun(5, "PA.I.A", "PA.I.B")
    doubted = state.current
    state = play(state, "partial", "partial")
    assert doubted is not None
    assert state.current is not None
    assert (state.current.task, state.current.kind) == (doubted.task, doubted.kind)
    assert state.current.code != doubted.code


def test_a_part_of_the_same_element_clears_a_doubt_before_another() -> None:
    state = begun(5, "PA.I.A", elements=("K1", "K2a", "K2b", "K2c", "K3", "R1", "R2"))
    state = play(state, "satisfactory", "satisfactory")
    assert state.current is not None
    assert (state.current.unit, state.queue[0].code) == ("PA.I.A.K2", "PA.I.A.K1")
    state = play(state, "partial", "partial")
    assert state.current is not None
    assert (state.current.unit, state.current.because) == ("PA.I.A.K2", "doubt")


def test_it_takes_the_place_of_the_extra_element() -> None:
    state = play(begun(5, "PA.I.A", "PA.I.B"), "partial", "partial")
    assert state.planned == 5
    assert not any(item.role == "extra" for item in state.queue)


def test_a_satisfactory_one_closes_the_doubt() -> None:
    state = play(begun(5, "PA.I.A", "PA.I.B"), "partial", "partial", "satisfactory")
    assert not status_of_task(state, "PA.I.A").failed
    assert status_of_task(state, "PA.I.A").doubt is None


def test_what_was_shown_by_mention_is_drawn_last_from_the_reserve() -> None:
    state = begun(5, "PA.I.A", "PA.I.B")
    assert state.current is not None
    shown = [item.code for item in state.reserve if item.task == state.current.task]
    assert shown
    state = play(state, Event(name="satisfactory", mentioned=tuple(shown[:1])))
    assert state.reserve[-1].code == shown[0]
    assert {item.code for item in state.reserve} >= set(shown)


def test_anything_else_fails_the_task() -> None:
    state = play(begun(5, "PA.I.A", "PA.I.B"), "partial", "partial", "partial", "partial")
    assert status_of_task(state, "PA.I.A").failed


def test_without_room_the_doubt_stays_open_and_the_plan_as_it_was() -> None:
    state = play(begun(4, "PA.I.A", "PA.I.B"), "partial", "partial")
    assert state.current is not None
    assert state.current.kind == "risk"
    assert status_of_task(state, "PA.I.A").doubt == "knowledge"
    assert state.planned == 4


def test_doubts_of_the_last_questions_go_a_little_beyond_the_plan() -> None:
    tasks = ("PA.I.A", "PA.I.B", "PA.I.C", "PA.I.D", "PA.I.E", "PA.I.F")
    state = begun(12, *tasks)
    missed = ("PA.I.D", "PA.I.E", "PA.I.F")
    while state.current is not None and state.planned < 20:
        wrong = state.current.task in missed and state.current.because != "doubt"
        state = play(
            state, *(["partial"] * 2 if wrong and state.current.kind == "risk" else ["satisfactory"])
        )
    assert state.planned == 14
    assert [status_of_task(state, task).doubt for task in missed] == [None, None, "risk"]


def test_without_a_reserve_the_doubt_stays_open() -> None:
    state = play(begun(5, "PA.I.A", "PA.I.B", elements=("K1", "R1", "R2")), "partial", "partial")
    assert status_of_task(state, "PA.I.A").doubt == "knowledge"
    assert state.planned == 5


def test_a_planned_element_of_that_kind_is_brought_forward_at_no_cost() -> None:
    state = begun(6, "PA.I.A")
    planned = {item.code for item in state.queue}
    state = play(state, "partial", "partial")
    assert state.current is not None
    assert state.current.code in planned
    assert state.current.kind == "knowledge"
    assert state.planned == 6


def test_an_element_that_fails_its_task_at_once_leaves_no_doubt_to_close() -> None:
    state = play(begun(5, "PA.I.A", "PA.I.B"), "unsatisfactory", Event(name="unsatisfactory", fails=True))
    assert status_of_task(state, "PA.I.A").failed
    assert state.current is not None
    assert state.current.task == "PA.I.B"  # what is decided is not asked on


def test_in_coach_it_simply_goes_on_after_a_failed_task() -> None:
    state = play(begun(5, "PA.I.A", "PA.I.B"), "unsatisfactory", Event(name="unsatisfactory", fails=True))
    assert state.state == "asking"


def test_in_a_checkride_going_on_after_a_failed_task_needs_consent() -> None:
    failed = play(
        begun(5, "PA.I.A", "PA.I.B", manner="checkride"),
        "unsatisfactory",
        Event(name="unsatisfactory", fails=True),
    )
    assert failed.state == "consenting"
    assert play(failed, "consent_go_on").state == "asking"
    stopped = play(failed, "consent_stop")
    assert (stopped.state, stopped.ended_by) == ("finished", "no consent")


def test_consent_is_asked_once_a_task() -> None:
    failed = play(
        begun(5, "PA.I.A", "PA.I.B", manner="checkride"),
        "unsatisfactory",
        Event(name="unsatisfactory", fails=True),
        "consent_go_on",
    )
    assert play(failed, "partial", "partial").state == "asking"


def test_what_was_known_is_no_reason_to_go_back_to_what_it_builds_on() -> None:
    state = begun(5, "PA.I.A", "PA.I.B")
    assert state.current is not None
    below = next(item for item in state.reserve if item.task == "PA.I.A" and item.kind == "risk")
    missed = Outcome(code="PA.I.A.R9", task="PA.I.A", kind="risk", verdict="partial", order=1)
    state = replace(state, current=replace(state.current, requires=(below.code,)), outcomes=(missed,))
    state = play(state, "satisfactory")
    assert state.current is not None
    assert (state.current.kind, state.current.because) == ("risk", "doubt")
