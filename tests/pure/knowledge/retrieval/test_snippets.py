"""The sentence of a passage that a result shows is the one with most of what was asked, in the passage's own words."""

import pytest

from knowledge import conf
from knowledge.retrieval.query.snippets import Snippet, quote_for

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
    assert quote
    assert quote.text in FUEL
    assert quote.text.startswith(begins)
    assert quote.text.endswith(ends)
    assert not quote.starts_late
    assert not quote.ends_early


@pytest.mark.parametrize("asked", ["oxygen", "", "?!"])
def test_words_that_stand_nowhere_quote_nothing(asked: str) -> None:
    assert quote_for(FUEL, asked) is None
    assert quote_for("", asked) is None


def test_a_heading_is_no_answer() -> None:
    text = "Wind and night\nWind is considered at all times."
    assert quote_for(text, "wind at night") == Snippet(text)
    assert quote_for(text, "wind at night", "Wind and night") == Snippet("Wind is considered at all times.")


@pytest.mark.parametrize("before", [0, 30, 87, 95, 96, 97, 150, 400])
@pytest.mark.parametrize("behind", [0, 10, 200])
def test_a_long_sentence_is_cut_around_what_was_asked(before: int, behind: int) -> None:
    text = f"Pilots {'see it; ' * before}carry enough supplemental oxygen{' on board' * behind}."
    quote = quote_for(text, "supplemental oxygen")
    assert quote
    assert "supplemental oxygen" in quote.text
    assert len(quote.text) <= conf.QUOTE_SHOWN
    assert f" {quote.text} " in f" {text} "  # from word to word
    assert (quote.starts_late, quote.ends_early) == (text[:1] != quote.text[:1], text[-1] != quote.text[-1])


def test_the_piece_with_most_of_it_is_shown() -> None:
    text = f"Oxygen is kept {'there, ' * 150}and oxygen masks for all passengers are worn above {'all, ' * 150}it."
    quote = quote_for(text, "oxygen masks passengers")
    assert quote
    assert "oxygen masks for all passengers" in quote.text
    assert quote.starts_late
    assert quote.ends_early


def test_a_word_longer_than_a_snippet_is_cut() -> None:
    quote = quote_for("x" * 2000 + " oxygen", "oxygen")
    assert quote == Snippet("oxygen", starts_late=True)
    assert quote_for("oxygen" + "x" * 2000, "oxygen" + "x" * 2000) == Snippet(
        "oxygen" + "x" * (conf.QUOTE_SHOWN - 6), ends_early=True
    )
