"""What a message asks for, with what was said before it, and without the places it names."""

import pytest

from rules.query.query_preparation import (
    Unanswerable,
    UnknownCountry,
    asks_something,
    checked_question,
    country_named,
    question_asked,
    without_places,
)

PLAN = "Do I need a flight plan in France?"


@pytest.mark.parametrize(
    ("message", "history", "asked"),
    [
        (PLAN, [], "Do I need a flight plan?"),
        ("and in Germany?", [PLAN], "Do I need a flight plan?"),
        ("what about the Netherlands", [PLAN], "Do I need a flight plan?"),
        ("Compare them.", [PLAN, "and Germany?"], "Do I need a flight plan?"),
        ("Is it different in Spain?", ["Hello", PLAN], "Do I need a flight plan?"),
        ("what about customs in Belgium?", [PLAN], "what about customs?"),
        ("Spain, and alcohol?", [PLAN], "and alcohol?"),
        ("EDDF?", [PLAN], "Do I need a flight plan?"),
        ("and Germany?", [], "and?"),
    ],
)
def test_what_is_asked(message: str, history: list[str], asked: str) -> None:
    assert question_asked(message, history) == asked


def test_what_was_asked_lives_on_over_places_until_something_else_is() -> None:
    places = ["and Germany?", "and Spain?", "and Italy?", "and Malta?", "and Greece?", "and Norway?"]
    assert "flight plan" in question_asked("and Poland?", [PLAN, *places])
    assert "customs" in question_asked("and Poland?", [PLAN, *places, "what about customs?", *places])


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("customs in the United Kingdom", "customs"),
        ("France's rules on circuits", "rules on circuits"),
        ("Can I land at LFMD?", "Can I land?"),
        ("can one speak French in Belgium", "can one speak French"),
        ("IS IT OK", "IS IT OK"),
    ],
)
def test_places_are_left_out_and_words_are_not(text: str, rest: str) -> None:
    assert without_places(text) == rest


def test_greetings_and_fillers_ask_for_nothing() -> None:
    assert not asks_something("hello there, and what about that one please?")
    assert asks_something("oxygen")
    assert asks_something("ppr")


@pytest.mark.parametrize("text", ["", "  \n ", "\x00\x01"])
def test_nothing_is_no_question(text: str) -> None:
    with pytest.raises(Unanswerable, match="say what you want to know"):
        checked_question(text)


def test_a_huge_question_says_how_long_it_may_be() -> None:
    with pytest.raises(Unanswerable, match="4,000 characters, this has 100,000"):
        checked_question("x" * 100_000)


def test_what_is_no_text_is_left_out() -> None:
    assert checked_question(" a\x00b\n c ") == "a b\n c"


@pytest.mark.parametrize(
    ("spelt", "code"),
    [
        ("FR", "FR"),
        ("fr", "FR"),
        ("UK", "GB"),
        ("France", "FR"),
        (" deutschland ", "DE"),
        ("GBR", "GB"),
        ("the Netherlands", "NL"),
    ],
)
def test_a_country_by_code_or_name(spelt: str, code: str) -> None:
    assert country_named(spelt) == code


@pytest.mark.parametrize(
    "spelt",
    [
        "ZZ",
        "",
        "Atlantis",
        "France and Germany",
        "'; --",
        "not France",
        "except Italy",
        "France or so",
        "Paris, not France",
    ],
)
def test_an_unknown_country_is_refused(spelt: str) -> None:
    with pytest.raises(UnknownCountry, match="ISO 3166"):
        country_named(spelt)
