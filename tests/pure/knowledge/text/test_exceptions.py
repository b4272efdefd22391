"""Where an exception ends: before the rule that goes on after it, or with the bracket in which it stands."""

import pytest

from knowledge.text.conditions import conditions_in


@pytest.mark.parametrize(
    ("sentence", "exceptions"),
    [
        (
            "Except when necessary for takeoff or landing, no person may operate an aircraft below 500 feet.",
            ("Except when necessary for takeoff or landing",),
        ),
        (
            "When aircraft are converging (except head-on, or nearly so), the one to the right has the right-of-way.",
            ("except head-on, or nearly so",),
        ),
        (
            "In Class G airspace, for aircraft other than helicopters, by day, except as provided in § 91.155(b), VFR"
            " flight requires 1 statute mile.",
            ("other than helicopters", "except as provided in § 91.155(b)"),
        ),
        (
            "Except while holding, or while turning, each person operating an aircraft more than 3,000 feet above the"
            " surface shall maintain the altitude below, unless otherwise authorized by ATC: when operating below"
            " 18,000 feet MSL.",
            ("Except while holding, or while turning", "unless otherwise authorized by ATC"),
        ),
        (
            "Unless otherwise authorized, no person may fly faster than 250 knots (288 m.p.h.).",
            ("Unless otherwise authorized",),
        ),
    ],
)
def test_an_exception_ends_where_the_rule_goes_on(sentence: str, exceptions: tuple[str, ...]) -> None:
    assert conditions_in(sentence).exceptions == exceptions
