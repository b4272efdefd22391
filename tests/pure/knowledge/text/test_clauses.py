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
        ("A guest who holds a card is allowed to use notes that are kept here.", "A guest who holds a card"),
        (
            "A guest who applies for a card or applies for a badge, must sign.",
            "A guest who applies for a card or applies for a badge",
        ),
        ("Prior to each flight, the pilot must sign.", "the pilot"),
        ("In short, nothing.", ""),
        ("Immediately after landing, a pilot should call.", "a pilot"),
        ("Due to heat, the winch must rest.", "the winch"),
        ("The rounds flown in that glider are limited to two.", "The rounds flown in that glider"),
        (
            "A card entitles a guest to any seat (for example, a member may but a child may not).",
            "",
        ),
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
        ("Standards for a badge are no illness and no debts.", "must"),
        ("A visit consists of a minimum of 1 hour.", "must"),
        ("§ 7.1(a) does not apply to a club that must be closed.", "not_required"),
    ],
)
def test_modality_is_that_of_the_main_clause(sentence: str, modality: str) -> None:
    assert clauses_in(sentence).modality == modality


def test_exceptions_end_where_they_end() -> None:
    said = "A pilot (other than a guest) may, except in fog, rain, or snow, fly if a lamp is lit and the door is shut."
    found = clauses_in(said)
    assert found.exceptions == ("other than a guest", "except in fog, rain, or snow")
    assert found.conditions == ("if a lamp is lit and the door is shut",)
    high = clauses_in("No guest may fly there, excluding the valley below 2,500 feet, unless a lamp is lit.")
    assert high.exceptions == ("excluding the valley below 2,500 feet",)
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


@pytest.mark.parametrize(
    ("sentence", "conditions"),
    [
        ("A pilot must, before beginning a flight, read the notes.", ["before beginning a flight"]),
        ("A pilot may fly it as provided in § 7.1, in a club provided for guests.", []),
        ("A pilot may fly it provided the club is open.", ["provided the club is open"]),
        ("A member must sign each time the glider is moved.", ["each time the glider is moved"]),
        ("Members may replace a wheel where no tool is needed.", ["where no tool is needed"]),
        ("A guide must know gliders, if they are flown, that guests use.", ["if they are flown"]),
        ("A guest must leave if the card is lost, sold or old.", ["if the card is lost, sold or old"]),
        (
            "Each guest must call before entering the field and thereafter listen.",
            ["before entering the field"],
        ),
        ("Regardless of whether it rains, a lamp must be lit.", []),
        ("In accordance with § 7.3, a lamp must be lit.", []),
        (
            "In accordance with a letter of the board, a guest may fly.",
            ["In accordance with a letter of the board"],
        ),
        ("Since guests read slowly, a guide must wait.", []),
        ("A card must define when a guest may fly.", []),
        ("A guest must have a card, if required by the club, in the glider.", ["if required by the club"]),
        ("A guest may take a badge in lieu of a card.", []),
        (
            "A guest must learn the following: if a lamp is fitted, the use of lamps.",
            ["if a lamp is fitted"],
        ),
        ("A guide must use the lamp, including a lens if installed, and shall call.", ["if installed"]),
        ("A guide must look to determine if the door is shut.", []),
        ("No guest may leave even when the door is open.", []),
        (
            "A guest may fly by day (or in Alaska, when the sun is low) if a lamp is lit.",
            ["in Alaska, when the sun is low", "if a lamp is lit"],
        ),
    ],
)
def test_conditions_are_clauses_and_end_where_they_end(sentence: str, conditions: list[str]) -> None:
    found = clauses_in(sentence)
    assert list(found.conditions) == conditions
    assert found.exceptions == ()


def test_an_exception_that_has_a_condition_goes_on_to_its_rule() -> None:
    found = clauses_in(
        "A climb must begin there, except that when a hill intervenes, the hill must be crossed high."
    )
    assert found.exceptions == ("except that when a hill intervenes, the hill must be crossed high",)
    assert found.conditions == ()
