"""The table itself: complete, without dead rows, and the document that is drawn from it."""

import pytest

from exams.domain.exam_request import ExamOrder
from exams.domain.planner import (
    CONDITIONS,
    EVENTS,
    STATES,
    TABLE,
    IllegalEvent,
    PlannerState,
    advance_oral,
    start_oral,
)
from exams.domain.scope import scope_for
from tests.doubles.orals import facts_for
from tools.planner_page import PAGE, page

LEGAL = {(row.state, row.event) for row in TABLE}


def in_state(name: str) -> PlannerState:
    state = start_oral(
        scope_for(facts_for("PA.I.A", "PA.I.B"), ExamOrder(questions=4), seed="t"),
        "checkride",
        papers=name == "qualifying",
    )
    paths = {
        "ready": (),
        "qualifying": ("begin",),
        "asking": ("begin",),
        "probing": ("begin", "partial"),
        "consenting": ("begin", "partial", "unsatisfactory", "partial", "unsatisfactory"),
        "paused": ("begin", "pause"),
        "finished": ("begin", "end"),
    }
    for event in paths[name]:
        state = advance_oral(state, event).state  # type: ignore[arg-type]
    assert state.state == name
    return state


def test_the_page_in_the_docs_is_the_one_drawn_from_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.planner_page --write"


def test_every_state_and_event_has_a_row_and_every_row_a_condition() -> None:
    assert {row.state for row in TABLE} | {"finished"} == set(STATES)
    assert {row.event for row in TABLE} == set(EVENTS)
    assert {row.condition for row in TABLE} == set(CONDITIONS)


def test_no_row_stands_behind_one_that_always_holds() -> None:
    for place, row in enumerate(TABLE):
        before = [other for other in TABLE[:place] if (other.state, other.event) == (row.state, row.event)]
        assert all(other.condition and other.condition != row.condition for other in before), row


@pytest.mark.parametrize(
    "name", ["ready", "qualifying", "asking", "probing", "consenting", "paused", "finished"]
)
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_without_a_row_is_illegal_and_changes_nothing(name: str, event: str) -> None:
    state = in_state(name)
    before = state.to_dict()
    if (name, event) in LEGAL and event != "hint_asked":
        assert advance_oral(state, event).state.state in STATES  # type: ignore[arg-type]
    else:
        with pytest.raises(IllegalEvent) as error:
            advance_oral(state, event)  # type: ignore[arg-type]
        assert error.value.why
    assert state.to_dict() == before
