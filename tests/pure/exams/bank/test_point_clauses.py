"""A point is checked clause by clause, and a word that is turned round is noticed."""

import pytest

from exams.bank.quote_selection import point_clauses
from knowledge.text.opposites import is_opposed


@pytest.mark.parametrize(
    ("point", "clauses"),
    [
        (
            "Select a suitable alternate where the weather is good and carry sufficient fuel to reach it.",
            ("Select a suitable alternate where the weather is good", "carry sufficient fuel to reach it"),
        ),
        (
            "Mitigate the risk by modifying the route or postponing the whole trip.",
            ("Mitigate the risk by modifying the route", "postponing the whole trip"),
        ),
        ("Rain and snow reduce visibility.", ("Rain and snow reduce visibility",)),
        ("A squall line.", ("A squall line",)),
        ("Stop.", ("Stop",)),
    ],
)
def test_point_falls_into_clauses_that_say_something(point: str, clauses: tuple[str, ...]) -> None:
    assert point_clauses(point) == clauses


@pytest.mark.parametrize(
    ("clause", "said", "opposed"),
    [
        ("A sea breeze blows onshore by day.", "An offshore wind is called a land breeze.", True),
        ("Drag increases with speed.", "Drag decreases with speed.", True),
        ("Drag increases with speed.", "Increasing speed means increasing drag.", False),
        (
            "Traffic from the left gives way.",
            "The aircraft on the right, not on the left, goes first.",
            False,
        ),
        ("Check the oil before the flight.", "Check the oil after the flight.", True),
    ],
)
def test_opposites_are_noticed_where_each_side_has_one(clause: str, said: str, opposed: bool) -> None:
    assert is_opposed(clause, said) is opposed
