"""To hear the question again is no answer."""

import pytest

from exams.domain.planner import event_for
from exams.domain.repeat_request import asks_again
from exams.domain.verdicts import ASKED_AGAIN

AGAIN = [
    "Say it again",
    "say again?",
    "Sorry, could you repeat the question?",
    "Pardon?",
    "Can you rephrase that, please?",
    "Could you say that differently?",
    "What was the question again?",
    "I didn’t catch that.",
    "I don't understand the question",
    "Repeat please",
    "Please say it one more time.",
    "What do you mean?",
]
ANSWERS = [
    "",
    "Say it again to the tower and read it back",
    "I would ask the controller to repeat the clearance",
    "Could you repeat the question? I think it is 8 hours.",
    "What",
    "I don't know",
    "Ask it again of ATC",
    "I did not hear the tower, so I look for light signals",
    "Clarify the clearance with ATC",
]


@pytest.mark.parametrize("said", AGAIN)
def test_a_request_is_heard(said: str) -> None:
    assert asks_again(said)


@pytest.mark.parametrize("said", ANSWERS)
def test_an_answer_stays_an_answer(said: str) -> None:
    assert not asks_again(said)


def test_it_costs_nothing() -> None:
    decision = ASKED_AGAIN
    assert (decision.verdict, decision.final) == ("ungraded", False)
    assert event_for(decision).name == "repeat_asked"
