"""A journey from one country to another stays in what is asked; places alone do not."""

import pytest

from rules.query.query_preparation import BESIDE, CROSSING, crosses_a_border, question_asked


@pytest.mark.parametrize(
    "text",
    [
        "Do I need a flight plan to fly from the UK to France?",
        "from France to Germany, is a plan needed?",
        "EGKB to LFAT: do I need to file?",
        "flight plan EGKB-LFAT",
        "BE→DE, flight plan?",
        "Must I file when I fly to Poland from Germany?",
        "Is a flight plan needed leaving Belgium for Luxembourg?",
        "flying between Ireland and the UK, do I file?",
        "from a French airfield to a German one, is a plan needed?",
        "I go from Calais in France to Dover in England. Flight plan?",
        "a flight plan from Spain via France to Italy",
    ],
)
def test_a_journey_between_two_countries_is_looked_for_as_one(text: str) -> None:
    assert crosses_a_border(text)
    assert CROSSING in question_asked(text)


@pytest.mark.parametrize(
    "text",
    [
        "Do I need a flight plan from Paris to Lyon?",
        "flight plan from LFPN to LFLY",
        "from Scotland to England, flight plan?",
        "Do I need PPR in France and in Germany?",
        "Compare France to Germany on flight plans",
        "difference between France and Germany on flight plans",
        "switch from France to Germany: flight plan?",
        "flight plan at EGKB/LFAT",
        "from France, do I need to call Germany?",
    ],
)
def test_other_places_are_no_journey(text: str) -> None:
    assert not crosses_a_border(text)
    assert CROSSING not in question_asked(text)


def test_what_a_border_does_not_decide_is_looked_for_as_it_was_asked() -> None:
    asked = question_asked("Which language is spoken on the radio from France to Germany?")
    assert asked == f"Which language is spoken on the radio {BESIDE}?"


def test_a_journey_stands_until_another_place_is_named() -> None:
    said = "I want to fly from the UK to France."
    assert CROSSING in question_asked("Do I need a flight plan?", [said])
    assert CROSSING not in question_asked("Do I need a flight plan in Germany?", [said])
    assert CROSSING in question_asked("and from Germany to Poland?", ["Do I need a flight plan in France?"])
