"""All countries but some are asked about: what the others answer, and nothing of those."""

from typing import Any

import pytest

from rules.answers.answer import ask_rules
from tests.doubles.rules_desk import rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _plain_search(settings: Any) -> None:
    settings.RULES = {
        "query_reformulation": {"enabled": False},
        "rag": {"retrieval": {"similarity_threshold": 0.2}},
    }


def countries_told(message: str, *history: str, **chosen: Any) -> set[str]:
    _, answered = ask_rules(message, history, **chosen)
    return {one.country for one in answered.citations}


@pytest.mark.parametrize(
    "message",
    [
        "All countries except Germany: is an FPL required for a VFR flight?",
        "Is an FPL required for a VFR flight outside Germany?",
        "not Germany, is an FPL required for a VFR flight?",
    ],
)
def test_all_but_one_leaves_that_one_out(rules_desk: Any, message: str) -> None:
    assert countries_told(message) == {"FR", "IE", "BE", "MT"}


def test_several_are_left_out_and_a_question_that_only_they_answer(rules_desk: Any) -> None:
    asked = "Everywhere except France, Germany and Malta: penetration of Danger Areas"
    assert not countries_told(asked) & {"FR", "DE", "MT"}


def test_they_stay_left_out_in_the_next_message(rules_desk: Any) -> None:
    said = "All countries except Germany: is an FPL required for a VFR flight?"
    assert countries_told("and not Malta", said) == {"FR", "IE", "BE"}


def test_countries_set_by_hand_win(rules_desk: Any) -> None:
    said = "All countries except Germany: is an FPL required for a VFR flight?"
    assert countries_told(said, countries=["DE"]) == {"DE"}
    assert "DE" in countries_told(said, everywhere=True)
