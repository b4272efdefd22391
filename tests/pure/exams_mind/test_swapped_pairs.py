"""Right things, each in the other's place, are wrong."""

import pytest

from exams.offline.classifier import Classifier
from exams.offline.swapped_pairs import are_swapped
from exams.values import Expectation
from tests.doubles.judged import points_of

CODES = "Transponder code 7700 declares an emergency and code 7500 reports unlawful interference."
LIGHTS = (
    "Taxiway edge lights are blue, and runway edge lights are white except that they turn yellow at the end."
)
WINGS = "An airplane shows a red light on the left wingtip, a green light on the right wingtip and a white one behind."
CLICKS = "Seven clicks of the microphone within 5 seconds give high intensity, five give medium and three give low."
FLASHING = (
    "A flashing green light means return for landing for an aircraft in flight and cleared to taxi for one on the"
    " ground."
)

WRONG = [
    (CODES, "Emergency is 7500 and hijack is 7700."),
    (CODES, "7500 for emergency, 7700 for hijack"),
    (LIGHTS, "Taxiway white, runway blue, yellow at the end."),
    (WINGS, "Left wing green, right wing red, tail white"),
    (WINGS, "Port is green and starboard red"),
    (CLICKS, "Seven clicks for low, five for medium and three for high"),
    (FLASHING, "In the air cleared to taxi, on the ground return for landing."),
]
RIGHT = [
    (CODES, "7700 emergency, 7500 hijack"),
    (CODES, "Emergency is 7700 and hijack is 7500"),
    (CODES, "7700 for an emergency"),
    (LIGHTS, "Runways white, taxiways blue, yellow at the end"),
    (LIGHTS, "Runway blue, taxiway white, no wait, runway white and taxiway blue"),
    (WINGS, "red on the left, green on the right, white on the tail"),
    (CLICKS, "3 clicks low, 5 medium, 7 high"),
    (FLASHING, "In the air return for landing, on the ground cleared to taxi"),
    (FLASHING, ""),
]


@pytest.mark.parametrize(("statement", "answer"), WRONG)
def test_exchanged_things_are_seen(statement: str, answer: str) -> None:
    assert are_swapped(statement, answer)


@pytest.mark.parametrize(("statement", "answer"), RIGHT)
def test_things_in_their_place_are_not(statement: str, answer: str) -> None:
    assert not are_swapped(statement, answer)


def test_they_meet_nothing(classifier: Classifier) -> None:
    (point,) = points_of(
        "Which codes do you know?", WRONG[0][1], [Expectation(key="a", text=CODES)], classifier
    )
    assert (point.met, point.said) == ("contradicted", WRONG[0][1])
