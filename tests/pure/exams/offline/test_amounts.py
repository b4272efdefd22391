"""A demanded amount is given, wrong or absent; the question's own amounts are not demanded."""

import pytest

from exams.offline.amounts import amounts_of, undecided_amount
from exams.offline.findings import explain_finding

G_DAY = (
    "In Class G airspace at 1,200 feet or less above the surface by day an airplane under VFR needs 1 statute mile "
    "of flight visibility and must stay clear of clouds."
)
ALCOHOL = "No one may act as a crewmember within 8 hours after drinking any alcoholic beverage."
SPEED = "Below 10,000 feet MSL no aircraft may be flown faster than 250 knots indicated airspeed."
LANDINGS = (
    "To carry passengers you must have made at least three takeoffs and three landings"
    " within the preceding 90 days."
)
ASKED = "You are in Class G airspace at 900 feet above the ground at noon. What do you need?"


@pytest.mark.parametrize(
    ("statement", "question", "answer", "expected"),
    [
        (G_DAY, ASKED, "one mile", ["given"]),
        (G_DAY, ASKED, "1.6 km", ["given"]),
        (G_DAY, ASKED, "three miles", ["wrong"]),
        (G_DAY, ASKED, "I stay out of the clouds", ["absent"]),
        (G_DAY, ASKED, "you do not need one mile", ["wrong"]),
        (ALCOHOL, "", "at least eight hours after the drink", ["given"]),
        (ALCOHOL, "", "I may fly within 8 hours of drinking", ["wrong"]),
        (ALCOHOL, "", "480 minutes", ["given"]),
        (ALCOHOL, "", "six hours", ["wrong"]),
        (SPEED, "You are at 9,000 feet MSL.", "250 knots at most", ["given"]),
        (SPEED, "You are at 9,000 feet MSL.", "at least 250 knots", ["wrong"]),
        (LANDINGS, "", "three takeoffs and landings in 90 days", ["given", "given", "given"]),
        (LANDINGS, "", "took off and landed three times in the last 90 days", ["given", "given", "given"]),
        (LANDINGS, "", "three takeoffs and three landings in 60 days", ["given", "given", "wrong"]),
    ],
)
def test_standing(statement: str, question: str, answer: str, expected: list[str]) -> None:
    assert [one.outcome for one in amounts_of(statement, question, answer)] == expected


def test_an_amount_of_another_expectation_is_no_rival() -> None:
    found = amounts_of("The first lasts 10 hours.", "", "20 hours", others="The second lasts 20 hours.")
    assert [one.outcome for one in found] == ["absent"]


def test_the_same_distance_on_the_other_side_is_wrong() -> None:
    found = amounts_of(
        "Stay 500 feet below and 1,000 feet above clouds.", "", "1,000 feet below and 500 feet above"
    )
    assert {one.outcome for one in found} == {"wrong"}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Three takeoffs and three landings in the last 90 days.", "Said, with its figures."),
        ("Three takeoffs and three landings not long ago.", "Said in your own words."),
    ],
)
def test_figures_are_told_of_only_where_all_are_said(answer: str, why: str) -> None:
    assert explain_finding("met", amounts_of(LANDINGS, "", answer)) == why


@pytest.mark.parametrize(
    ("statement", "answer", "offered"),
    [
        ("Below 10,000 feet, Class E takes 2,000 feet horizontally.", "A mile or two thousand feet.", True),
        ("VFR at night takes at least 45 minutes of fuel.", "It's 45, or maybe 30 minutes, of fuel.", True),
        ("An intercepted aircraft squawks 7700.", "7600 or 7700, one of those.", True),
        ("VFR at night takes at least 45 minutes of fuel.", "45 or even 60 minutes of fuel.", False),
        ("A gust front moves up to 15 miles ahead of the rain.", "15 or 20 miles ahead.", False),
        ("Class E takes 500 feet below and 1,000 feet above.", "500 below or 1,000 above.", False),
        ("An intercepted aircraft squawks 7700.", "7700, or 7600 if the radio is out.", False),
        ("VFR at night takes at least 45 minutes of fuel.", "At least 45 minutes.", False),
    ],
)
def test_two_amounts_to_choose_from_are_not_decided(statement: str, answer: str, offered: bool) -> None:
    assert bool(undecided_amount(statement, "", answer)) is offered
    if offered:
        assert not undecided_amount(statement, "", answer, others="30 minutes, one mile, or 7600 elsewhere.")
