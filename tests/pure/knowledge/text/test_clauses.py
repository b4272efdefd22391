"""A rule's subject, verb, conditions and exceptions are read from its own clauses."""

import pytest

from knowledge.text.clauses import clauses_in, without_opening_clauses


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Except in an emergency, no pilot may land.", "no pilot"),
        ("When told to hold, the pilot MUST STOP there.", "the pilot"),
        (
            "Any person who, before May 17, 1967, has flown must log it.",
            "Any person who, before May 17, 1967, has flown",
        ),
        ("To be eligible for a permit a person must be 18.", "a person"),
        (
            "Unless told, a person whose pilot, guide, or club card is lost may not fly.",
            "a person whose pilot, guide, or club card is lost",
        ),
        ("The pilot, when a clearance is received, shall descend.", "The pilot"),
        (
            "If you hold a card, and you are under 40, then your card expires, for that flight, in May.",
            "your card",
        ),
        ("In short, nothing.", ""),
    ],
)
def test_subject_stands_before_the_verb_of_the_main_clause(sentence: str, subject: str) -> None:
    assert clauses_in(sentence).subject == subject


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("No club or guide may fly gliders that must be inspected.", "may_not"),
        ("A guide may use notes that are required by the club.", "may"),
        ("A card is not required when flying.", "not_required"),
        ("Flight below the bridge is prohibited.", "may_not"),
        ("A pilot should not turn.", "may_not"),
        ("A pilot should turn if he may.", "should"),
        ("A member who may fly needs to sign.", "must"),
    ],
)
def test_modality_is_that_of_the_main_clause(sentence: str, modality: str) -> None:
    assert clauses_in(sentence).modality == modality


def test_exceptions_end_where_they_end() -> None:
    said = "A pilot (other than a guest) may, except in fog, rain, or snow, fly if a lamp is lit and the door is shut."
    found = clauses_in(said)
    assert found.exceptions == ("other than a guest", "except in fog, rain, or snow")
    assert found.conditions == ("if a lamp is lit and the door is shut",)
    dated = clauses_in("No plane (other than one built after September 30, 1958) may fly.")
    assert dated.exceptions == ("other than one built after September 30, 1958",)


def test_an_exception_inside_a_condition_does_not_cut_it() -> None:
    found = clauses_in(
        "No pilot may fly unless he has, except as provided in § 7.1(g), made and logged three landings."
    )
    assert found.conditions == (
        "unless he has, except as provided in § 7.1(g), made and logged three landings",
    )
    assert found.exceptions == ("except as provided in § 7.1(g)",)


def test_opening_clauses_are_conditions() -> None:
    found = clauses_in(
        "In Class G airspace, 1,200 feet or less above the surface, at night, flight requires a lamp."
    )
    assert found.opening.startswith("In Class G airspace, 1,200 feet")
    assert found.conditions == ("In Class G airspace, 1,200 feet or less above the surface", "at night")
    assert without_opening_clauses("As a guest you must sign.") == "you must sign."
