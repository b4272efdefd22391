"""One message becomes the questions that it joins; what says more about a question stays with it."""

import pytest

from rules.query.question_splitting import parts_of, rules_half


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "Do I need a flight plan, and is a transponder required in class E?",
            ("Do I need a flight plan", "is a transponder required in class E"),
        ),
        (
            "Is PPR needed? How do I join the circuit? Who closes my plan?",
            ("Is PPR needed", "How do I join the circuit", "Who closes my plan"),
        ),
        ("Is a flight plan required?", ()),
        ("If I land at night, is a flight plan required?", ()),
        ("Is PPR required, and if so by phone?", ()),
        ("What are the rules and normal practices regarding danger areas?", ()),
        ("Is PPR needed? Is a plan needed? Is FIS needed? Is a transponder needed?", ()),
        ("", ()),
    ],
)
def test_the_questions_of_a_message(message: str, parts: tuple[str, ...]) -> None:
    assert parts_of(message) == parts


def test_what_a_database_is_asked_is_left_out() -> None:
    assert rules_half("Is PPR needed at LFMD, and how long is the runway?") == "Is PPR needed at LFMD"
    assert rules_half("How long is the runway at LFMD?") == "How long is the runway at LFMD?"
