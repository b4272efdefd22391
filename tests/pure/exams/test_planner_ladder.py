"""Open question, probes, a hint if asked for, move on."""

import pytest

from exams.domain.exam_request import ExamOrder
from exams.domain.planner import Event, IllegalEvent, PlannerState, Step, advance_oral, may_probe, start_oral
from exams.domain.scope import scope_for
from exams.domain.values import Manner, StoredValueError
from tests.doubles.orals import facts_for

TASKS = ("PA.I.A", "PA.I.B", "PA.I.E", "PA.II.A")


def begun(questions: int = 4, manner: Manner = "coach") -> Step:
    scope = scope_for(facts_for(*TASKS), ExamOrder(questions=questions), seed="t")
    return advance_oral(start_oral(scope, manner), "begin")


def play(step: Step, *events: str) -> Step:
    for event in events:
        step = advance_oral(step.state, event)  # type: ignore[arg-type]
    return step


def test_it_begins_with_an_open_question() -> None:
    step = begun()
    assert (step.action.kind, step.action.form, step.action.attempt) == ("ask", "opening", 1)
    assert step.action.element == step.state.current


@pytest.mark.parametrize("verdict", ["partial", "unsatisfactory"])
def test_an_answer_that_falls_short_gets_one_probe_on_the_same_element(verdict: str) -> None:
    first = begun()
    probe = play(first, verdict)
    assert (probe.action.kind, probe.action.form, probe.action.attempt) == ("ask", "probe", 2)
    assert probe.action.element == first.action.element
    assert play(probe, verdict).action.form == "opening"


def test_the_verdict_after_the_probe_is_the_one_that_counts() -> None:
    step = play(begun(), "unsatisfactory", "satisfactory")
    assert [outcome.verdict for outcome in step.state.outcomes] == ["satisfactory"]


def test_a_satisfactory_answer_leads_to_another_element() -> None:
    first = begun()
    assert play(first, "satisfactory").action.element != first.action.element


def test_a_hint_comes_only_when_asked_for_and_what_follows_is_final() -> None:
    step = play(begun(), "hint_asked")
    assert (step.action.form, step.action.attempt) == ("hint", 2)
    assert len(play(step, "partial").state.outcomes) == 1


def test_a_hint_may_follow_the_probe() -> None:
    step = play(begun(), "partial", "hint_asked")
    assert (step.action.form, step.action.attempt) == ("hint", 3)


def test_one_hint_an_element() -> None:
    with pytest.raises(IllegalEvent, match="one hint an element"):
        play(begun(), "hint_asked", "hint_asked")


def test_there_are_no_hints_in_a_checkride() -> None:
    step = begun(manner="checkride")
    with pytest.raises(IllegalEvent, match="no hints in a checkride"):
        play(step, "hint_asked")


def test_every_element_has_its_probe() -> None:
    step = play(begun(), "partial", "satisfactory", "partial", "satisfactory", "partial")
    assert step.state.form == "probe"
    assert len(play(step, "partial").state.outcomes) == 3


def test_what_was_not_asked_about_gets_a_second_probe_and_no_third() -> None:
    first = play(begun(), "partial")
    left_open = Event(name="unsatisfactory", left_open=True)
    assert may_probe(first.state)
    second = advance_oral(first.state, left_open)
    assert (second.action.form, second.action.attempt) == ("probe", 3)
    assert second.action.element == first.action.element
    assert not may_probe(second.state)
    assert advance_oral(second.state, left_open).action.form == "opening"


def test_after_a_hint_there_is_no_further_probe() -> None:
    step = play(begun(), "partial", "hint_asked")
    assert advance_oral(step.state, Event(name="partial", left_open=True)).action.form == "opening"


def test_hints_are_half_as_many_as_questions() -> None:
    step = play(begun(), *("hint_asked", "satisfactory") * 2)
    assert step.state.hints_left == 0
    with pytest.raises(IllegalEvent, match="no further hints"):
        play(step, "hint_asked")


def test_an_ungraded_answer_leaves_the_same_question_standing() -> None:
    first = begun()
    step = play(first, "ungraded")
    assert (step.action.kind, step.action.element) == ("repeat", first.action.element)
    assert step.state.outcomes == ()
    assert play(step, "satisfactory").state.asked == 1


@pytest.mark.parametrize("path", [(), ("partial",), ("hint_asked",)])
def test_a_question_that_stays_ungraded_pauses_the_oral_and_burns_no_element(path: tuple[str, ...]) -> None:
    before = play(begun(), *path)
    for _ in range(3):
        step = play(before, "ungraded", "ungraded", "ungraded")
        assert (step.action.kind, step.state.state) == ("wait", "paused")
        assert (step.state.outcomes, step.state.left_out) == ((), ())
        before = play(step, "resume")
        assert before.action.element == step.state.current
    assert play(before, "satisfactory").state.asked == 1


def test_an_element_left_out_is_replaced_by_one_of_its_kind() -> None:
    first = begun()
    step = play(first, "skip")
    left, instead = first.action.element, step.action.element
    assert left is not None
    assert instead is not None
    assert (instead.task, instead.kind) == (left.task, left.kind)
    assert instead.code != left.code
    assert step.state.planned == 4


@pytest.mark.parametrize("path", [(), ("partial",), ("hint_asked",)])
def test_a_pause_returns_to_the_same_question(path: tuple[str, ...]) -> None:
    before = play(begun(), *path)
    paused = play(before, "pause")
    assert paused.action.kind == "wait"
    assert paused.state.form == before.state.form
    after = play(paused, "resume")
    assert after.state == before.state
    assert (after.action.kind, after.action.element) == ("repeat", before.action.element)


def test_an_answer_while_paused_is_illegal() -> None:
    with pytest.raises(IllegalEvent, match="waits for resume or end"):
        play(begun(), "pause", "satisfactory")


def test_an_end_is_the_students_and_keeps_what_was_final() -> None:
    step = play(begun(), "satisfactory", "partial", "end")
    assert (step.action.kind, step.state.ended_by, step.state.asked) == ("finish", "student", 1)


def test_a_state_of_another_version_is_refused() -> None:
    stored = begun().state.to_dict() | {"version": 99}
    with pytest.raises(StoredValueError, match="version 99"):
        PlannerState.from_dict(stored)


def test_the_event_of_the_planner_itself_never_comes_from_outside() -> None:
    with pytest.raises(IllegalEvent, match="by itself"):
        advance_oral(begun().state, Event(name="next"))


# --- the qualification -----------------------------------------------------------------------------------------


def qualifying(questions: int = 4) -> Step:
    scope = scope_for(facts_for(*TASKS), ExamOrder(questions=questions), seed="t")
    return advance_oral(start_oral(scope, "checkride", papers=True), "begin")


def test_an_oral_with_papers_asks_about_them_first_and_scores_nothing() -> None:
    step = qualifying()
    assert (step.action.kind, step.action.form, step.action.element) == ("ask", "qualification", None)
    assert step.state.awaits_answer
    asked = play(step, "qualified")
    assert (asked.action.kind, asked.action.form) == ("ask", "opening")
    assert asked.state.outcomes == ()
    assert asked.state.planned == 4


def test_a_pause_in_a_qualification_goes_back_to_it() -> None:
    paused = play(qualifying(), "pause")
    assert paused.state.form == "qualification"
    assert play(paused, "resume").state.state == "qualifying"
    assert play(paused, "end").state.ended_by == "student"


def test_what_right_answers_about_papers_showed_is_not_asked_again() -> None:
    step = qualifying()
    first, second = step.state.queue[0], step.state.queue[2]
    after = advance_oral(step.state, Event(name="qualified", mentioned=(second.code, "PA.XX.K1"))).state
    [credited] = after.outcomes
    assert (credited.code, credited.verdict, credited.by_mention) == (second.code, "satisfactory", True)
    assert credited.because_of == "the papers"
    assert after.current == first
    assert second not in after.queue
    assert after.planned == 4


def test_something_is_left_to_ask_whatever_the_papers_showed() -> None:
    step = qualifying()
    everything = tuple(item.code for item in step.state.queue)
    after = advance_oral(step.state, Event(name="qualified", mentioned=everything)).state
    assert after.outcomes == ()
    assert after.state == "asking"
