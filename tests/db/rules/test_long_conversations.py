"""A long conversation: what was asked lives on, what is compared goes on, and what names no matter is no question."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from rules.answers.answer import ask_rules
from rules.answers.answer_format import NO_FIT
from rules.conversations import ask_next
from rules.query.router import QueryRouter
from tests.doubles.rules_desk import rules_desk

__all__ = ["rules_desk"]

pytestmark = [pytest.mark.long, pytest.mark.django_db]
PLAN = "Is an FPL required for a VFR flight in France?"
TOUR = ("Germany?", "Ireland?", "Belgium?", "Malta?", "France?", "Germany?", "Ireland?")


@pytest.fixture(autouse=True)
def _plain_search(settings: Any) -> None:
    settings.RULES = {
        "query_reformulation": {"enabled": False},
        "rag": {"retrieval": {"similarity_threshold": 0.2}},
    }


def test_what_was_asked_lives_on_over_many_places(rules_desk: Any) -> None:
    decision, answered = ask_rules("Belgium?", [PLAN, *TOUR])
    assert decision.countries == ("BE",)
    assert "FPL required" in answered.question
    assert [one.country for one in answered.citations[:1]] == ["BE"]


def test_it_lives_on_in_a_kept_conversation(rules_desk: Any) -> None:
    user = get_user_model().objects.create_user("amelie")
    turn = ask_next(user, PLAN, after=None, tenant=None)
    for place in TOUR:
        turn = ask_next(user, place, after=turn, tenant=None)
    assert (turn.countries, "FPL required" in str(turn.answer["question"])) == (["IE"], True)


def test_so_does_what_a_database_was_asked_for() -> None:
    assert QueryRouter().route(["Find airports with avgas in France", *TOUR]).path == "database"


@pytest.mark.parametrize("message", ["and Malta?", "only VFR"])
def test_a_comparison_goes_on(rules_desk: Any, message: str) -> None:
    _, answered = ask_rules(message, ["compare France and Germany"])
    assert answered.compared is not None
    assert ("MT" in answered.compared.countries) == ("Malta" in message)


def test_a_new_matter_ends_it(rules_desk: Any) -> None:
    _, answered = ask_rules("Is an FPL required for a VFR flight?", ["compare France and Germany"])
    assert answered.compared is None
    assert {one.country for one in answered.citations} == {"FR", "DE"}


@pytest.mark.parametrize(
    "message", ["the former", "all three again", "everywhere except France", "the first two", "both of them"]
)
def test_what_names_no_matter_asks_for_the_last_one(rules_desk: Any, message: str) -> None:
    _, answered = ask_rules(message, ["Is an FPL required for a VFR flight in France, Germany and Malta?"])
    assert "FPL required" in answered.question
    assert NO_FIT not in answered.answer
    assert answered.citations


@pytest.mark.parametrize("message", ["the former", "everywhere except France"])
def test_without_one_it_is_asked_what_is_wanted(rules_desk: Any, message: str) -> None:
    _, answered = ask_rules(message, ["France and Germany"])
    assert NO_FIT not in answered.answer
    assert "Say what you want to know" in answered.answer
