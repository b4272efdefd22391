"""The sentence of a passage that a result shows is the one with most of what was asked, in the passage's own words."""

import pytest

from knowledge.retrieval.query.snippets import quote_for

FUEL = (
    "A pilot plans each flight. No person may begin a flight in an airplane under VFR conditions unless there is enough"
    " fuel to fly after that for at least 30 minutes by day. At night the reserve is at least 45 minutes.\n"
    "Wind is considered."
)


@pytest.mark.parametrize(
    ("asked", "begins", "ends"),
    [
        ("wind", "Wind is", "considered."),
        ("Winds", "Wind is", "considered."),
        ("visual flight rules fuel", "No person", "by day."),
        ("fuel reserve at night", "At night", "45 minutes."),
        ("enough fuel by day or night", "No person", "45 minutes."),
        ("what is a pilot planning", "A pilot", "each flight."),
    ],
)
def test_the_sentence_with_most_of_it_is_quoted(asked: str, begins: str, ends: str) -> None:
    quote = quote_for(FUEL, asked)
    assert quote in FUEL
    assert quote.startswith(begins)
    assert quote.endswith(ends)


@pytest.mark.parametrize("asked", ["oxygen", "", "?!"])
def test_words_that_stand_nowhere_quote_nothing(asked: str) -> None:
    assert quote_for(FUEL, asked) == ""
    assert quote_for("", asked) == ""


def test_a_heading_is_no_answer() -> None:
    text = "Wind and night\nWind is considered at all times."
    assert quote_for(text, "wind at night") == text
    assert quote_for(text, "wind at night", "Wind and night") == "Wind is considered at all times."
