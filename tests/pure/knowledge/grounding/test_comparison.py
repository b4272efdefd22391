"""A claim beside its source: what agrees, and which fault it is when it does not."""

import pytest

from knowledge.grounding.fact_check import compare_facts

GOLF = (
    "In Class G airspace by day at 1,200 feet or less above the surface, the flight visibility "
    "must be at least "
    "1 statute mile and the aircraft must stay clear of clouds."
)
ECHO = (
    "In Class E airspace below 10,000 feet MSL the pilot must have 3 statute miles visibility "
    "and remain 500 feet "
    "below, 1,000 feet above and 2,000 feet horizontal from clouds."
)
FUEL = (
    "No person may begin a flight in an airplane under VFR unless there is enough fuel to fly to "
    "the first point "
    "of intended landing and, during the day, to fly after that for at least 30 minutes."
)
TOWN = (
    "Except when necessary for takeoff or landing, no person may operate an aircraft over a "
    "congested area below "
    "an altitude of 1,000 feet above the highest obstacle within a horizontal radius of 2,000 "
    "feet of the aircraft."
)
DRINK = (
    "No person may act as a crewmember of a civil aircraft within 8 hours after the consumption of alcohol."
)
SPEED = (
    "No person may operate an aircraft below 10,000 feet MSL at an indicated airspeed of more than 250 knots."
)
REVIEW = "The pilot must have completed a flight review within the preceding 24 calendar months."
CARRY = (
    "No person may carry passengers unless that person has made at least three takeoffs and "
    "three landings within "
    "the preceding 90 days."
)
OXYGEN = "At cabin pressure altitudes above 15,000 feet MSL each occupant must be provided with oxygen."
DUTY = "The flight plan must be cancelled by the pilot in command after landing."
FREE = "A pilot is not required to file a VFR flight plan."
TURN = "Each pilot must make all turns to the left at an airport without an operating control tower."
NIGHT = "At night the position lights must be on from sunset to sunrise."
RETURN = (
    "The clouds must be at least 1 statute mile away, and visibility 5 statute miles at or above "
    "10,000 feet MSL."
)

AGREE = [
    ("1 SM and clear of clouds", GOLF),
    ("one statute mile", GOLF),
    ("One mile, clear of clouds, in Golf airspace by day", GOLF),
    ("1 mile, not 3 miles", GOLF),
    ("at or below 1,200 feet AGL you need 1 mile", GOLF),
    ("3 miles, 500 below, 1000 above, 2000 horizontal", ECHO),
    ("500 below, 1,000 above, 2,000 to the side, and three miles", ECHO),
    ("3-152 in Class E below ten thousand", ECHO),
    ("three miles, 500-1000-2000", ECHO),
    ("fuel to the first landing plus 30 minutes", FUEL),
    ("half an hour of reserve", FUEL),
    ("at least 0.5 hours", FUEL),
    (
        "You need enough fuel to reach the first point of intended landing and then fly 30 minutes by day",
        FUEL,
    ),
    (
        (
            "You can't begin a VFR flight in an airplane without fuel for the first intended landing "
            "and 30 minutes"
        ),
        FUEL,
    ),
    ("at least 1,000 feet above the highest obstacle within 2,000 feet horizontally", TOWN),
    ("stay 1,000 feet above the highest obstacle over a congested area", TOWN),
    ("not below 1,000 feet above the highest obstacle", TOWN),
    ("eight hours bottle to throttle", DRINK),
    ("wait at least 8 hours after alcohol", DRINK),
    ("480 minutes", DRINK),
    ("no more than 250 knots below 10,000 feet", SPEED),
    ("250 knots or less below 10,000 MSL", SPEED),
    ("the maximum is 250 kts indicated below ten thousand", SPEED),
    ("a flight review in the last 24 calendar months", REVIEW),
    ("a flight review every two years", REVIEW),
    ("three takeoffs and three landings in the last 90 days", CARRY),
    ("You must have made 3 landings and 3 takeoffs in the past 90 days to carry passengers", CARRY),
    ("you may not carry passengers without three takeoffs and landings", CARRY),
    ("above 15,000 feet each occupant must be provided with oxygen", OXYGEN),
    ("no flight plan is required for VFR", FREE),
    ("you don't need to file a VFR flight plan", FREE),
    ("all turns are made to the left at an untowered airport", TURN),
    ("position lights from sunset to sunrise", NIGHT),
    ("", GOLF),
    ("I don't know", GOLF),
]


@pytest.mark.parametrize(("claimed", "source"), AGREE)
def test_what_says_the_same_agrees(claimed: str, source: str) -> None:
    assert [str(fault) for fault in compare_facts(claimed, source).contradictions] == []


DISAGREE = [
    ("3 miles and clear of clouds", GOLF, "number"),
    ("3 statute miles", GOLF, "number"),
    ("½ statute mile", GOLF, "number"),
    ("one nautical mile", GOLF, "unit"),
    ("at most 1 statute mile", GOLF, "comparator"),
    ("no more than 1 statute mile of visibility", GOLF, "comparator"),
    ("at night it is 1 statute mile", GOLF, "condition"),
    ("in Class E airspace 1 statute mile", GOLF, "condition"),
    ("above 1,200 feet AGL you need 1 mile", GOLF, "comparator"),
    ("not 1 mile", GOLF, "negation"),
    ("1,200 feet MSL or less", GOLF, "datum"),
    ("1,500 feet AGL or less", GOLF, "number"),
    ("3 miles, 1000 below, 500 above, 2000 horizontal", ECHO, "direction"),
    ("3 miles, 1000 below, 1000 above, 2000 horizontal", ECHO, "number"),
    ("5 miles below 10,000 feet", ECHO, "number"),
    ("above 10,000 feet MSL 3 miles", ECHO, "comparator"),
    ("below 10,000 feet AGL 3 statute miles", ECHO, "datum"),
    ("5-111", ECHO, "number"),
    ("3 nautical miles", ECHO, "unit"),
    ("45 minutes reserve", FUEL, "number"),
    ("30 hours", FUEL, "unit"),
    ("not more than 30 minutes", FUEL, "comparator"),
    ("IFR needs 30 minutes", FUEL, "condition"),
    ("at night 30 minutes", FUEL, "condition"),
    ("500 feet above the highest obstacle", TOWN, "number"),
    ("You may operate over a congested area below 1,000 feet above the highest obstacle", TOWN, "comparator"),
    ("1,000 meters above the highest obstacle", TOWN, "unit"),
    ("1,000 feet MSL", TOWN, "datum"),
    ("12 hours", DRINK, "number"),
    ("at most 8 hours after alcohol", DRINK, "comparator"),
    ("You may act as a crewmember within 8 hours after consumption of alcohol", DRINK, "negation"),
    ("8 minutes", DRINK, "unit"),
    ("8 days after drinking", DRINK, "unit"),
    ("at least 250 knots below 10,000 feet", SPEED, "comparator"),
    ("200 knots", SPEED, "number"),
    ("250 mph below 10,000", SPEED, "unit"),
    ("a flight review within the preceding 12 calendar months", REVIEW, "number"),
    ("a flight review within 24 days", REVIEW, "unit"),
    ("a completed flight review is not required within the preceding 24 calendar months", REVIEW, "negation"),
    ("three landings within 60 days", CARRY, "number"),
    ("five takeoffs", CARRY, "number"),
    (
        "You may carry passengers without three takeoffs and landings in the preceding 90 days",
        CARRY,
        "negation",
    ),
    ("below 15,000 feet MSL oxygen must be provided", OXYGEN, "comparator"),
    ("above 12,500 feet", OXYGEN, "number"),
    ("oxygen need not be provided to each occupant", OXYGEN, "negation"),
    ("the pilot in command is not required to cancel the flight plan after landing", DUTY, "negation"),
    ("the flight plan must be cancelled before landing", DUTY, "opposite"),
    ("a pilot must file a VFR flight plan", FREE, "negation"),
    ("a pilot is required to file a VFR flight plan", FREE, "negation"),
    ("an IFR flight plan is not required", FREE, "condition"),
    ("make all turns to the right", TURN, "opposite"),
    ("at an airport with an operating control tower make all turns to the left", TURN, "condition"),
    ("turns must not be made to the left at an airport without an operating control tower", TURN, "negation"),
    ("by day the position lights must be on", NIGHT, "condition"),
    ("3 statute miles at or above 10,000 feet", RETURN, "number"),
]


@pytest.mark.parametrize(("claimed", "source", "kind"), DISAGREE)
def test_what_says_otherwise_is_told_by_its_fault(claimed: str, source: str, kind: str) -> None:
    comparison = compare_facts(claimed, source)
    assert not comparison.agree
    assert kind in {fault.kind for fault in comparison.contradictions}, [
        str(f) for f in comparison.contradictions
    ]


def test_what_the_source_states_and_the_claim_does_not_is_missing() -> None:
    missing = compare_facts("3 statute miles", ECHO).missing
    assert [quantity.value for quantity in missing] == [10000, 500, 1000, 2000]


def test_what_only_the_claim_states_is_extra_and_no_contradiction() -> None:
    comparison = compare_facts("1 statute mile; helicopters fly at 40 knots", GOLF)
    assert comparison.agree
    assert [quantity.text for quantity in comparison.extra] == ["40 knots"]


def test_saying_a_right_number_twice_is_no_extra() -> None:
    assert compare_facts("1 mile. Yes, one mile.", GOLF).extra == ()


def test_a_contradiction_reads_as_a_sentence() -> None:
    (fault,) = compare_facts("45 minutes", FUEL).contradictions
    assert str(fault) == "“45 minutes” where the source says “at least 30 minutes”"


RESERVES = (
    "During the day, at least 30 minutes; or\n\n(2) At night, to fly after that for at least 45 minutes."
)


@pytest.mark.parametrize(
    ("claimed", "agrees"),
    [
        ("30 minutes by day, 45 at night", True),
        ("at night 45 minutes", True),
        ("45 minutes", True),
        ("45 by day and 30 at night", False),
        ("45 minutes in the day and 30 minutes at night", False),
        ("30 minutes at night", False),
        ("at night you need 30 minutes", False),
        ("by day 45 minutes", False),
    ],
)
def test_a_number_belongs_to_its_own_condition(claimed: str, agrees: bool) -> None:
    assert compare_facts(claimed, RESERVES).agree is agrees
