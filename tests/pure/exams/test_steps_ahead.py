"""What each verdict on the pending answer would lead to is what it then does lead to."""

import pytest

from exams.domain.planner import Event, PlannerState, advance_oral, steps_ahead
from exams.domain.sampling import Planned


def planned(code: str, task: str = "PA.I.A") -> Planned:
    return Planned(code=f"{task}.{code}", task=task, kind="knowledge", unit=f"{task}.{code}")


QUEUE = tuple(planned(f"K{number}", task) for task in ("PA.I.A", "PA.I.B") for number in range(1, 4))


def begun(**changes: object) -> PlannerState:
    return advance_oral(PlannerState(questions=len(QUEUE), queue=QUEUE, **changes), "begin").state  # type: ignore[arg-type]


def test_an_open_question_leads_to_the_next_one_or_to_its_probe() -> None:
    forms = [(step.action.kind, step.action.form) for step in steps_ahead(begun())]
    assert forms == [("ask", "opening"), *[("ask", "probe")] * 3]


@pytest.mark.parametrize("verdict", ["satisfactory", "partial", "unsatisfactory"])
def test_after_the_probe_each_verdict_has_its_step(verdict: str) -> None:
    probing = advance_oral(begun(), "unsatisfactory").state
    assert advance_oral(probing, Event(name=verdict)) in steps_ahead(probing)  # type: ignore[arg-type]


def test_the_best_verdict_comes_first() -> None:
    probing = advance_oral(begun(), "unsatisfactory").state
    assert steps_ahead(probing)[0] == advance_oral(probing, "satisfactory")


@pytest.mark.parametrize("event", ["pause", "end"])
def test_where_no_answer_is_waited_for_nothing_is_ahead(event: str) -> None:
    assert steps_ahead(advance_oral(begun(), event).state) == ()  # type: ignore[arg-type]


def test_nor_before_the_beginning() -> None:
    assert steps_ahead(PlannerState(questions=len(QUEUE), queue=QUEUE)) == ()


def test_a_qualification_awaits_no_verdict() -> None:
    assert begun(papers=True).awaits_answer
    assert steps_ahead(begun(papers=True)) == ()
