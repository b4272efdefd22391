"""What an answer's first words say: yes or no, required or not, and what says nothing at all."""

import pytest

from rules.statements.stance import asked_by, condition_of, opposition, position_of, standing_of

REQUIREMENT = "Is a flight plan required for a VFR flight?"
PERMISSION = "Is IFR permitted in Class G?"
PLAIN = "Are club airfields open to visitors?"
OPEN = "How is a flight plan closed?"


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("", "missing"),
        (" - ", "missing"),
        ("?", "missing"),
        ("n/a - all airfields have a tower", "not applicable"),
        ("NA", "not applicable"),
        ("n.a.", "not applicable"),
        ("No experience", "unknown"),
        ("Don't know.", "unknown"),
        ("[unsure for visitors]", "unknown"),
        ("AIP", "elsewhere"),
        ("See AIP ENR 1.4.", "elsewhere"),
        ("See AIP ENR 1.2.3.4", "elsewhere"),
        ("as above", "elsewhere"),
        ("Nadia answers the telephone", "stated"),
        ("no", "stated"),
        ("7000", "stated"),
        ("I don't know, but it should be fine", "stated"),
    ],
)
def test_standing(text: str, standing: str) -> None:
    assert standing_of(text) == standing


@pytest.mark.parametrize(
    ("question", "text", "position"),
    [
        (REQUIREMENT, "yes", "required"),
        (REQUIREMENT, "No.", "not required"),
        (REQUIREMENT, '"VFR yes', "open"),
        (PLAIN, "No in-flight filing", "no"),
        (PLAIN, "VFR/cannot", "open"),
        (OPEN, "never filed-in by radio", "open"),
        (REQUIREMENT, "Mandatory when the border is crossed", "required"),
        (REQUIREMENT, "Not unless other rules want one", "not required"),
        (REQUIREMENT, "Highly reccomended", "recommended"),
        (REQUIREMENT, "not required, but recommended", "not required"),
        (REQUIREMENT, "Depends on the airspace", "depends"),
        (REQUIREMENT, "No, see above. Yes", "depends"),
        (REQUIREMENT, "Only if you enter controlled airspace", "depends"),
        (REQUIREMENT, "When crossing the border, not required otherwise", "depends"),
        (REQUIREMENT, "The tower will tell you", "open"),
        (PERMISSION, "yes", "permitted"),
        (PERMISSION, "No, only on an approach", "forbidden"),
        (PERMISSION, "Not permitted!", "forbidden"),
        (PLAIN, "usually no", "no"),
        (PLAIN, "Generally yes, if they are not too busy", "yes"),
        (PLAIN, "They cannot grant one themselves", "no"),
        (PLAIN, "For the larger fields, yes.", "yes"),
        (OPEN, "do not enter", "forbidden"),
        (OPEN, "No experience; I would telephone", "open"),
        (OPEN, "Mode A and C (C not required near the field)", "open"),
    ],
)
def test_position(question: str, text: str, position: str) -> None:
    assert position_of(text, question) == position


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (REQUIREMENT, "requirement"),
        ("Flying in Class E, what are the transponder requirements?", "requirement"),
        (PERMISSION, "permission"),
        (PLAIN, "yes or no"),
        ("If PPR is required, is a flight plan sufficient?", "yes or no"),
        (OPEN, "open"),
    ],
)
def test_what_is_asked(question: str, asked: str) -> None:
    assert asked_by(question) == asked


def test_a_limit_is_heard() -> None:
    assert condition_of("no unless TMZ") == "unless TMZ"
    assert condition_of("Yes (except between the islands).") == "except between the islands"
    assert condition_of("Yes. If in doubt, ask.") == ""


def test_a_limit_is_heard_whole_over_a_line_break() -> None:
    assert condition_of("only\nif asked") == "only\nif asked"


def test_opposed_positions_are_symmetric_and_open_ones_are_not_opposed() -> None:
    assert opposition("required", "not required") == opposition("not required", "required") > 0.8
    assert opposition("yes", "forbidden") > 0.8
    assert 0 < opposition("recommended", "required") < opposition("yes", "no")
    assert opposition("open", "no") == opposition("no", "no") == 0
    assert opposition("permitted", "yes") == 0
