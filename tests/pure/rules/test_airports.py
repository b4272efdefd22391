"""What the table of airports answers, and what it says that it has not."""

import pytest

from rules.answers.airports import airport_facts

FACTS = "LFMD, Cannes-Mandelieu Airport (Cannes/Mandelieu, France), elevation 13 ft."


@pytest.mark.parametrize(
    "message", ["What is the elevation of LFMD?", "how high is lfmd", "Where is Cannes-Mandelieu airport?"]
)
def test_an_airport_is_told_by_code_or_name(message: str) -> None:
    assert airport_facts(message).splitlines()[0] == FACTS


def test_the_nearest_ones_are_told_with_their_distance() -> None:
    lines = airport_facts("Find airports near Nice").splitlines()
    assert lines[0].startswith("LFMN, Nice")
    assert lines[1:3] == ["Nearest to LFMN:", f"13 NM: {FACTS}"]
    assert len(lines) == 1 + 1 + 5 + 1  # the place, the heading, five airports, the source


def test_a_distance_is_that_of_the_great_circle() -> None:
    # 42° 47′ of arc between the two by the haversine formula, done by hand from the table's positions: 545 NM
    assert "Distance: 545 NM, great circle." in airport_facts("How far is it from LFMD to EGKB?")


@pytest.mark.parametrize(("countries", "code"), [(("GB",), "EGBB"), (("US",), "KBHM"), ((), "EGBB")])
def test_the_country_decides_between_two_cities_of_one_name(countries: tuple[str, ...], code: str) -> None:
    assert code in airport_facts("airports in Birmingham", countries)


def test_a_small_country_is_listed_and_a_large_one_counted() -> None:
    assert "ELLX" in airport_facts("which airports are there in Luxembourg", ("LU",))
    assert "airports in Germany. Name a city" in airport_facts("list airfields in Germany", ("DE",))


def test_what_the_table_has_not_is_said() -> None:
    told = airport_facts("Find airports near Nice with avgas and customs")
    assert "13 NM: LFMD" in told
    assert "The table has no data on fuel, customs." in told


@pytest.mark.parametrize(
    "message",
    [
        "Runway length at EDAZ",
        "METAR for LFMD",
        "find a nice airport",
        "route from LFMD to LFML",
        "hello",
        "",
        "near",
        "airports near Atlantis City Beach Resort",
    ],
)
def test_where_it_knows_nothing_it_says_nothing(message: str) -> None:
    assert airport_facts(message) == ""
