"""A negation, another stance or the opposite word on the same matter denies a statement; a paraphrase does not."""

import pytest

from exams.offline.negation import denials_in

CO = "Carbon monoxide attaches itself to the hemoglobin in the blood and so prevents it from carrying oxygen."
CLASS_D = (
    "No person may enter Class D airspace unless two-way radio communication with the tower is established."
)
AFT = "A center of gravity aft of the limit makes the airplane less stable in pitch."
RIGHT = "When two aircraft converge, the one to the other's right has the right-of-way."
LEFT = "An airplane must make all turns to the left, unless markings show that turns are to the right."


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        (CO, "Carbon monoxide does not attach to hemoglobin."),
        (CLASS_D, "You can enter without talking to the tower."),
        (CLASS_D, "You don't need to contact the tower."),
        (AFT, "It makes the airplane more stable."),
        (RIGHT, "The aircraft on the left has the right-of-way."),
        (LEFT, "All turns are to the right unless markings say left."),
    ],
)
def test_denied(statement: str, answer: str) -> None:
    assert denials_in(statement, "", answer)


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        (CO, "It sticks to the blood cells, so your blood can't carry oxygen."),
        (CLASS_D, "You may not go in until you have talked to the tower."),
        (CLASS_D, "I have to be talking to them before I go in."),
        (AFT, "The plane gets unstable in pitch."),
        (RIGHT, "Whoever is on the right goes first."),
        (LEFT, "Left, unless the markings say right."),
    ],
)
def test_not_denied(statement: str, answer: str) -> None:
    assert denials_in(statement, "", answer) == ()


def test_what_another_expectation_says_is_no_denial() -> None:
    assert (
        denials_in("You may fly.", "", "You may not fly at night.", others="You may not fly at night.") == ()
    )
