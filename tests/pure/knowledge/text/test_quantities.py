"""Quantities are read from sentences as pilots and regulations write and say them."""

import pytest

from knowledge.text.quantities import Quantity, format_quantity, quantities_in

CASES = [
    # text, (comparator, value, unit, datum, direction)
    ("three statute miles", ("=", 3, "sm", None, None)),
    ("3 statute miles", ("=", 3, "sm", None, None)),
    ("1 SM", ("=", 1, "sm", None, None)),
    ("1SM visibility", ("=", 1, "sm", None, None)),
    ("5 s.m.", ("=", 5, "sm", None, None)),
    ("3 NM", ("=", 3, "nm", None, None)),
    ("four nautical miles", ("=", 4, "nm", None, None)),
    ("3 miles", ("=", 3, "mile", None, None)),
    ("a 3-mile final", ("=", 3, "mile", None, None)),
    ("a mile", ("=", 1, "mile", None, None)),
    ("half a mile", ("=", 0.5, "mile", None, None)),
    ("half mile", ("=", 0.5, "mile", None, None)),
    ("one-half mile", ("=", 0.5, "mile", None, None)),
    ("1/2 mile", ("=", 0.5, "mile", None, None)),
    ("1⁄2 statute mile", ("=", 0.5, "sm", None, None)),
    ("½ mile", ("=", 0.5, "mile", None, None)),
    ("1½ miles", ("=", 1.5, "mile", None, None)),
    ("1 1/2 miles", ("=", 1.5, "mile", None, None)),
    ("1-1/2 miles", ("=", 1.5, "mile", None, None)),
    ("one and a half miles", ("=", 1.5, "mile", None, None)),
    ("two and one-half hours", ("=", 2.5, "hour", None, None)),
    ("a mile and a half", ("=", 1.5, "mile", None, None)),
    ("three-quarters of a tank", None),
    ("three quarters of an hour", ("=", 0.75, "hour", None, None)),
    ("14 thousand feet MSL", ("=", 14000, "ft", "msl", None)),
    ("a full mile off to the side", ("=", 1, "mile", None, "horizontal")),
    ("point zero four", ("=", 0.04, "", None, None)),
    ("1,000 feet", ("=", 1000, "ft", None, None)),
    ("1000 ft", ("=", 1000, "ft", None, None)),
    ("one thousand feet", ("=", 1000, "ft", None, None)),
    ("a thousand feet", ("=", 1000, "ft", None, None)),
    ("twelve hundred feet", ("=", 1200, "ft", None, None)),
    ("three thousand five hundred feet", ("=", 3500, "ft", None, None)),
    ("a 2,000-foot ceiling", ("=", 2000, "ft", None, None)),
    ("ten thousand feet MSL", ("=", 10000, "ft", "msl", None)),
    ("10,000 feet MSL", ("=", 10000, "ft", "msl", None)),
    ("10,000 feet above mean sea level", ("=", 10000, "ft", "msl", None)),
    ("10,000 MSL", ("=", 10000, "ft", "msl", None)),
    ("1,200 feet AGL", ("=", 1200, "ft", "agl", None)),
    ("1200 AGL", ("=", 1200, "ft", "agl", None)),
    ("1,200 feet above the surface", ("=", 1200, "ft", "agl", None)),
    ("1,200 feet above ground level", ("=", 1200, "ft", "agl", None)),
    ("1,200 feet or less above the surface", ("<=", 1200, "ft", "agl", None)),
    ("1,500 feet above the elevation of the airport", ("=", 1500, "ft", "airport", None)),
    ("1,000 feet above the highest obstacle", ("=", 1000, "ft", "obstacle", None)),
    ("more than 1,200 feet above the surface", (">", 1200, "ft", "agl", None)),
    ("less than 10,000 feet MSL", ("<", 10000, "ft", "msl", None)),
    ("at or above 10,000 feet MSL", (">=", 10000, "ft", "msl", None)),
    ("at or above 3,000 feet MSL over the Gulf", (">=", 3000, "ft", "msl", None)),
    ("at or below 12,500 feet", ("<=", 12500, "ft", None, None)),
    ("below 18,000 feet MSL", ("<", 18000, "ft", "msl", None)),
    ("up to but not including 18,000 feet MSL", ("<", 18000, "ft", "msl", None)),
    ("up to and including 14,000 feet", ("<=", 14000, "ft", None, None)),
    ("above ten thousand", (">", 10000, "ft", None, None)),
    ("FL180", ("=", 18000, "ft", "fl", None)),
    ("FL 600", ("=", 60000, "ft", "fl", None)),
    ("flight level 240", ("=", 24000, "ft", "fl", None)),
    ("flight level one eight zero", ("=", 18000, "ft", "fl", None)),
    ("500 feet below", ("=", 500, "ft", None, "below")),
    ("500 feet under the clouds", ("=", 500, "ft", None, "below")),
    ("1,000 feet above", ("=", 1000, "ft", None, "above")),
    ("2,000 feet horizontal", ("=", 2000, "ft", None, "horizontal")),
    ("2,000 feet horizontally", ("=", 2000, "ft", None, "horizontal")),
    ("two thousand to the side", ("=", 2000, "ft", None, "horizontal")),
    ("1 statute mile horizontal", ("=", 1, "sm", None, "horizontal")),
    ("500 below", ("=", 500, "ft", None, "below")),
    ("at least 3 statute miles", (">=", 3, "sm", None, None)),
    ("not less than 3 statute miles", (">=", 3, "sm", None, None)),
    ("no less than 8 hours", (">=", 8, "hour", None, None)),
    ("no fewer than three landings", (">=", 3, "landing", None, None)),
    ("a minimum of 30 minutes", (">=", 30, "min", None, None)),
    ("30 minutes or more", (">=", 30, "min", None, None)),
    ("3 miles or better", (">=", 3, "mile", None, None)),
    ("250 knots or less", ("<=", 250, "kt", None, None)),
    ("not more than 250 knots", ("<=", 250, "kt", None, None)),
    ("no more than 30 degrees", ("<=", 30, "deg", None, None)),
    ("may not exceed 250 knots", ("<=", 250, "kt", None, None)),
    ("can't exceed 250 knots", ("<=", 250, "kt", None, None)),
    ("more than 250 knots", (">", 250, "kt", None, None)),
    ("in excess of 10,000 pounds", (">", 10000, "lb", None, None)),
    ("less than 45 minutes", ("<", 45, "min", None, None)),
    ("fewer than 20 passengers", ("<", 20, "passenger", None, None)),
    ("a maximum of 30 seats", ("<=", 30, "seat", None, None)),
    ("within the preceding 90 days", ("<=", 90, "day", None, None)),
    ("in the last 90 days", ("<=", 90, "day", None, None)),
    ("within 24 calendar months", ("<=", 24, "calendar month", None, None)),
    ("24 calendar months", ("=", 24, "calendar month", None, None)),
    ("twenty-four calendar months", ("=", 24, "calendar month", None, None)),
    ("the preceding 12 months", ("=", 12, "month", None, None)),
    ("every two years", ("=", 2, "year", None, None)),
    ("30 days", ("=", 30, "day", None, None)),
    ("7 consecutive days", ("=", 7, "day", None, None)),
    ("60 seconds", ("=", 60, "second", None, None)),
    ("half an hour", ("=", 0.5, "hour", None, None)),
    ("an hour and a half", ("=", 1.5, "hour", None, None)),
    ("30 minutes", ("=", 30, "min", None, None)),
    ("45 min", ("=", 45, "min", None, None)),
    ("eight hours", ("=", 8, "hour", None, None)),
    ("40 flight hours", ("=", 40, "hour", None, None)),
    ("1 hour after sunset", ("=", 1, "hour", "after sunset", None)),
    ("one hour before sunrise", ("=", 1, "hour", "before sunrise", None)),
    ("sunrise + 1 hour", ("=", 1, "hour", "after sunrise", None)),
    ("sunset plus one hour", ("=", 1, "hour", "after sunset", None)),
    ("30 minutes prior to sunrise", ("=", 30, "min", "before sunrise", None)),
    ("121.5 MHz", ("=", 121.5, "MHz", None, None)),
    ("121.5", ("=", 121.5, "", None, None)),
    ("one two one point five", ("=", 121.5, "", None, None)),
    ("29.92 inches of mercury", ("=", 29.92, "inHg", None, None)),
    ("29.92 inHg", ("=", 29.92, "inHg", None, None)),
    ("1013.2 hPa", ("=", 1013.2, "hPa", None, None)),
    ("0.04 percent", ("=", 0.04, "percent", None, None)),
    ("0.04 percent by weight or more", (">=", 0.04, "percent", None, None)),
    ("0.04%", ("=", 0.04, "percent", None, None)),
    ("15 °C", ("=", 15, "C", None, None)),
    ("minus 2 degrees Celsius", ("=", -2, "C", None, None)),
    ("-40 °F", ("=", -40, "F", None, None)),
    ("30 degrees of bank", ("=", 30, "deg", None, None)),
    ("3.8 Gs", ("=", 3.8, "g", None, None)),
    ("six pounds", ("=", 6, "lb", None, None)),
    ("12,500 pounds", ("=", 12500, "lb", None, None)),
    ("six gallons", ("=", 6, "gal", None, None)),
    ("500 feet per minute", ("=", 500, "fpm", None, None)),
    ("200 knots", ("=", 200, "kt", None, None)),
    ("288 m.p.h.", ("=", 288, "mph", None, None)),
    ("three takeoffs", ("=", 3, "takeoff", None, None)),
    ("three full-stop landings", ("=", 3, "landing", None, None)),
    ("six instrument approaches", ("=", 6, "approach", None, None)),
    ("five persons", ("=", 5, "person", None, None)),
    ("two people", ("=", 2, "person", None, None)),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_one_quantity_is_read(text: str, expected: tuple[object, ...] | None) -> None:
    found = [(q.comparator, q.value, q.unit, q.datum, q.direction) for q in quantities_in(text)]
    if expected is None:
        assert [item for item in found if item[2]] == []
    else:
        assert found == [expected]


SEVERAL = [
    ("3 to 5 miles", [(3, 5, "mile")]),
    ("between 3 and 5 miles", [(3, 5, "mile")]),
    ("3-5 miles", [(3, 5, "mile")]),
    ("30 to 45 minutes", [(30, 45, "min")]),
    ("500, 1,000 and 2,000 feet", [(500, None, "ft"), (1000, None, "ft"), (2000, None, "ft")]),
    ("500-1000-2000", [(500, None, "ft"), (1000, None, "ft"), (2000, None, "ft")]),
    ("3-152", [(3, None, "mile"), (1000, None, "ft"), (500, None, "ft"), (2000, None, "ft")]),
    ("5-111", [(5, None, "mile"), (1000, None, "ft"), (1000, None, "ft"), (1, None, "sm")]),
    ("500 below 1000 above 2000 horizontally", [(500, None, "ft"), (1000, None, "ft"), (2000, None, "ft")]),
    ("1 mile below 10,000 and 5 miles above", [(1, None, "mile"), (10000, None, "ft"), (5, None, "mile")]),
    ("three takeoffs and three landings", [(3, None, "takeoff"), (3, None, "landing")]),
    ("30 minutes by day, 45 at night", [(30, None, "min"), (45, None, "")]),
    ("5 statute miles above 10,000 feet", [(5, None, "sm"), (10000, None, "ft")]),
]


@pytest.mark.parametrize(("text", "expected"), SEVERAL)
def test_several_quantities_are_read(text: str, expected: list[tuple[float, float | None, str]]) -> None:
    assert [(q.value, q.high, q.unit) for q in quantities_in(text)] == expected


NOTHING = [
    "§ 91.155(b)(2)",
    "14 CFR 91.205 and part 61",
    "as prescribed in paragraph (b)(1) of this section",
    "July 6, 2021",
    "on 2021-07-06",
    "91.155",
    "section 3 of appendix D, section 4",
    "two-way radio communications",
    "one of them",
    "(1) Circle the airport",
    "FAA-H-8083-25C",
    "AC 90-66C",
    "at 2:30 p.m.",
    "1200Z",
    "a third-class medical",
    "no one",
    "the 1st and 2nd of them",
    "Class A",
    "chapter 15, page 15-3",
]


@pytest.mark.parametrize("text", NOTHING)
def test_references_dates_and_labels_are_no_quantities(text: str) -> None:
    assert quantities_in(text) == ()


def test_a_span_points_at_the_words() -> None:
    text = "Stay AT LEAST 1,000 feet above."
    (found,) = quantities_in(text)
    assert text[slice(*found.span)] == found.text == "AT LEAST 1,000 feet above"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("60 minutes", "1 hour", True),
        ("1 SM", "1 NM", False),
        ("1 NM", "1.15 SM", True),
        ("3 miles", "3 SM", True),
        ("3 miles", "3 NM", True),
        ("5,280 feet", "1 SM", True),
        ("24 calendar months", "2 years", True),
        ("24 hours", "1 day", True),
        ("90 days", "3 months", False),
        ("29.92 inHg", "1013.2 hPa", True),
        ("29.92 inHg", "29.98 inHg", False),
        ("121.5 MHz", "122.0 MHz", False),
        ("121.5", "121.5 MHz", True),
        ("121,500 kHz", "121.5 MHz", True),
        ("32 °F", "0 °C", True),
        ("250 knots", "288 mph", True),
        ("3 landings", "3 takeoffs", False),
        ("FL180", "18,000 feet MSL", True),
        ("30 minutes", "30 hours", False),
        ("½ mile", "0.5 mile", True),
        ("3 to 5 miles", "3 miles", False),
        ("3 to 5 miles", "3-5 miles", True),
        ("two weeks", "14 days", True),
    ],
)
def test_amounts_are_compared_across_units(one: str, other: str, same: bool) -> None:
    assert _only(one).same_as(_only(other)) is same
    assert _only(other).same_as(_only(one)) is same


def _only(text: str) -> Quantity:
    (quantity,) = quantities_in(text)
    return quantity


def test_one_distance_on_both_sides() -> None:
    found = quantities_in("1,000 feet above and below")
    assert [(one.value, one.unit, one.direction) for one in found] == [
        (1000, "ft", "above"),
        (1000, "ft", "below"),
    ]


def test_a_thousands_comma_is_no_shorthand_for_distances_from_clouds() -> None:
    (found,) = quantities_in("1,111 feet MSL")
    assert (found.value, found.unit) == (1111.0, "ft")


@pytest.mark.parametrize(
    "text",
    [
        "1 hour",
        "1 foot below",
        "at least 1 statute mile",
        "not more than 1 nautical mile",
        "1 mile",
        "1 minute",
        "1 knot",
        "1 inch",
        "1 calendar month",
        "1 to 2 hours",
        "0.5 hours",
        "6 approaches",
        "3 pilots",
    ],
)
def test_units_are_written_in_singular_and_plural(text: str) -> None:
    (quantity,) = quantities_in(text)
    assert format_quantity(quantity) == text
