"""A reason for a difference says nothing that the answers do not: it names what is plain, and quotes the rest."""

import pytest

from rules.answers.reasons import explain_difference
from rules.statements.differences import Said, difference_between
from rules.statements.stance import position_of

AREAS = "What are the rules and practices regarding penetration of firing ranges"
CLUBS = "Is a radio required at club airfields?"
CALL = "How far out is the first call made?"
CODES = "Are there squawks for listening, and how do they work?"


def told(question: str, **answers: str) -> str:
    return explain_difference(
        difference_between([Said(country=code, text=text) for code, text in answers.items()], question)
    )


def kinds(question: str, **answers: str) -> list[str]:
    found = difference_between([Said(country=code, text=text) for code, text in answers.items()], question)
    return [reason.kind for pair in found.pairs for reason in pair.reasons]


@pytest.mark.parametrize(
    ("question", "text", "position"),
    [
        (AREAS, "Avoid flying over them while active", "discouraged"),
        (AREAS, "keep a lookout, recommended to avoid", "discouraged"),
        (AREAS, "Transit is not recommended", "discouraged"),
        (AREAS, "Transit permitted with care, only recommended if they told you it is cold", "permitted"),
        (AREAS, "Not prohibited, but pilots keep away", "permitted"),
        (AREAS, "No clearance needed. Call the range first.", "not required"),
        (AREAS, "No particular habits.", "open"),
        (AREAS, "None beside the European ones.", "open"),
        (AREAS, "Not used here.", "open"),
        (AREAS, "You need to have the newest map.", "open"),
        (AREAS, "Permission of the range officer is required", "required"),
        (CLUBS, "for jets yes, for gliders not. (by habit)", "depends"),
        (CLUBS, "A radio is only required if the tower is manned. Without a tower, no", "depends"),
        (CLUBS, "Not always, but often.", "depends"),
        ("In Class F, what are the transponder requirements?", "No Class F. Mode C", "open"),
        ("What permissions are required on the apron?", "no permissions", "not required"),
    ],
)
def test_what_an_answer_says_first_is_its_position(question: str, text: str, position: str) -> None:
    assert position_of(text, question) == position


def test_a_web_address_is_no_no() -> None:
    assert position_of("Yes, but most prefer the pages of flight.no", CLUBS) == "required"


def test_advice_against_is_never_told_as_advice_for() -> None:
    said = told(AREAS, FR="Do not enter", DE="a sharp lookout, recommended to avoid")
    assert said == "Not permitted in FR; “a sharp lookout, recommended to avoid” in DE."


def test_a_permission_with_limits_is_quoted_with_them() -> None:
    with_care = "Transit permitted with care, only recommended if they told you it is cold"
    assert told(AREAS, FR="no entry", DE=with_care) == f"Not permitted in FR; “{with_care}” in DE."


@pytest.mark.parametrize("other", ["No permission needed. Ask all the same.", "Not prohibited"])
def test_forbidden_and_free_are_told_to_differ(other: str) -> None:
    assert "position" in kinds(AREAS, FR="Do not enter", SE=other)


def test_a_yes_with_a_limit_is_quoted() -> None:
    assert told(CLUBS, FR="For the big ones, yes.", DE="No.") == (
        "“For the big ones, yes” in FR; not required in DE."
    )
    assert told(CLUBS, FR="Yes (but not for gliders)", DE="No") == (
        "“Yes (but not for gliders)” in FR; not required in DE."
    )


@pytest.mark.parametrize(
    "question",
    [
        "Is a radio generally required at club airfields?",
        "Are club airfields permitted and practical for jets?",
        "Is a radio required, if so, is it checked?",
        "What are the radio requirements at club airfields?",
    ],
)
def test_yes_and_no_are_not_put_into_words_that_were_not_asked(question: str) -> None:
    assert told(question, FR="yes", DE="no") == "“yes” in FR; “no” in DE."


def test_where_nothing_was_recognised_less_is_said() -> None:
    assert told(CALL, FR="When the field is in sight", DE="Behind the last ridge") == "Worded differently."


def test_the_same_answers_are_not_said_to_be_worded_differently() -> None:
    assert told(CALL, FR="At the lake", DE="at the lake.") == "The same words."


def test_one_figure_in_two_spellings_is_one_figure() -> None:
    said = told(CALL, FR="8 min out", DE="About 8 minutes out", IT="12 NM out")
    assert said == "Time given only by FR and DE: 8 min. Distance given only by IT: 12 NM."


def test_a_figure_said_twice_is_no_other_figure() -> None:
    assert "time" not in kinds(CALL, FR="8 min. At least, 8 minutes", DE="8 minutes")


def test_codes_are_read_where_the_question_asks_for_them() -> None:
    said = told(CODES, HU="Aeroplanes 7010 and gliders 7011", IE="Yes, code 0330 near the capital")
    assert said.startswith("Transponder code: 7010, 7011 in HU; 0330 in IE.")
    assert "code" not in told(CODES, HU="Only in the zone from 5000 upwards", IE="Yes.")


def test_only_is_said_where_the_other_surely_gives_none() -> None:
    assert told(CALL, FR="12 NM out", DE="at the bridge") == "Distance given only by FR: 12 NM."
    assert told(CALL, FR="12 NM out", DE="twelve out") == "Distance given by FR: 12 NM."


def test_modes_are_told_as_they_are_written() -> None:
    assert (
        told("Which transponder?", FR="Mode C or S", DE="any")
        == "Transponder mode given only by FR: mode C or S."
    )


def test_a_limit_is_told_with_what_it_limits() -> None:
    assert told("Are plans accepted?", FR="yes", DE="Yes, IFR only by telephone") == (
        "DE adds “IFR only by telephone”."
    )


def test_a_runway_is_no_amount() -> None:
    ask = "What are the rules for the ranges?"
    assert (
        told(ask, JE="the EGLX 09 instrument approach goes through it", FR="Call first")
        == "Worded differently."
    )
