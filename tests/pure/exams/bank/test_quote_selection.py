"""The shortest exact words that bear a point; nothing where a number or the meaning differs."""

from collections.abc import Sequence

import pytest

from exams.bank.quote_candidates import QUOTE_WORDS_MOST, candidates_in
from exams.bank.quote_selection import Bearing, best_bearing
from knowledge.grounding.citations import find_quote
from knowledge.text.tokens import content_words, share_covered

RULE = """§ 61.57 Recent flight experience.

(a) General experience. (1) No person may act as pilot in command of an aircraft carrying passengers unless that \
person has made at least three takeoffs and three landings within the preceding 90 days, and—
(i) The person acted as the sole manipulator of the flight controls; and
(ii) The required takeoffs and landings were performed in an aircraft of the same category, class, and type.
(2) A person may act as pilot in command provided no persons are carried on board."""
TABLE = """Basic VFR weather minimums

Airspace | Flight visibility | Distance from clouds
Class B | 3 statute miles | Clear of clouds.
Class C | 3 statute miles | 500 feet below.
Class C | 3 statute miles | 1,000 feet above.
Class C | 3 statute miles | 2,000 feet horizontal."""


def by_words(text: str, others: Sequence[str]) -> list[float]:
    """A nearness without a model: shared words."""
    return [share_covered(content_words(text), content_words(other)) for other in others]


def bearing(point: str, text: str, **place: str) -> Bearing | None:
    return best_bearing(point, list(candidates_in("c", text, "heading")), by_words, **place)


def test_rule_is_quoted_word_for_word_with_its_number() -> None:
    found = bearing("At least three takeoffs and three landings within the preceding 90 days.", RULE)
    assert found is not None
    assert found.clean
    assert find_quote(RULE, found.candidate.quotes[-1])
    assert "90 days" in found.candidate.quotes[-1]


def test_subparagraph_is_quoted_with_its_lead_in() -> None:
    found = bearing("The pilot was the sole manipulator of the flight controls.", RULE, paragraph="(a)(1)(i)")
    assert found is not None
    lead_in, quote = found.candidate.quotes
    assert quote.startswith("The person acted as the sole manipulator")
    assert "unless that person" in lead_in
    assert found.candidate.path == "(a)(1)(i)"


def test_rows_of_one_class_are_quoted_together() -> None:
    point = "Class C: 3 statute miles, 500 feet below, 1,000 feet above and 2,000 feet horizontal."
    found = bearing(point, TABLE)
    assert found is not None
    assert found.candidate.quotes[-1].count("Class C") == 3


@pytest.mark.parametrize(
    "point",
    [
        "At least three takeoffs and three landings within the preceding 60 days.",
        "At least five takeoffs and three landings within the preceding 90 days.",
        "The propeller turns clockwise as seen from the cockpit.",
    ],
)
def test_another_number_or_another_matter_is_borne_by_nothing(point: str) -> None:
    found = bearing(point, RULE)
    assert found is None or not found.clean


def test_amount_that_the_question_gives_need_not_stand_in_the_source() -> None:
    point = (
        "With 40 days since the last flight the three takeoffs and three landings within the preceding 90 days may "
        "still count."
    )
    assert bearing(point, RULE) is None
    assert bearing(point, RULE, givens="You last flew 40 days ago.") is not None


def test_point_whose_second_half_is_not_said_is_not_clean() -> None:
    text = "A pilot with a problem can request assistance from ATC."
    assert is_clean("A pilot with a problem can request assistance from ATC.", text)
    assert not is_clean(
        "Stop and slow down at once; a pilot with a problem can request assistance from ATC.", text
    )


def test_two_quotes_of_one_passage_bear_a_point_of_two_clauses() -> None:
    text = (
        "A pilot with a problem can request assistance from ATC.\n"
        "Charts and procedures are further resources.\nWhen a work overload exists, stop, think and slow down."
    )
    found = bearing(
        "When a work overload exists, slow down; a pilot with a problem can request assistance from ATC.",
        text,
    )
    assert found is not None
    assert found.clean
    assert sorted(found.candidate.quotes) == [
        "A pilot with a problem can request assistance from ATC.",
        "When a work overload exists, stop, think and slow down.",
    ]


def test_clause_that_the_question_tells_need_not_stand_in_the_source() -> None:
    text = "Look first for the small causes: a volume knob turned down or a loose headset plug."
    point = f"If the radio is silent on the arrival, look first for the small causes: {text[33:]}"
    told = "On the arrival your radio is silent. Where do you look first?"
    found = bearing(point, text, givens=told)
    assert found is not None
    assert found.weakest > 0.5
    assert not is_clean(point, text)


@pytest.mark.parametrize(
    ("point", "contrary"),
    [
        (
            "By day a sea breeze blows onshore near the coast.",
            "By day a sea breeze blows offshore near the coast.",
        ),
        (
            "Induced drag increases with the angle of attack.",
            "Induced drag decreases with the angle of attack.",
        ),
        ("Drain the fuel sumps before the flight.", "Drain the fuel sumps after the flight."),
        ("The stall warning works without power.", "The stall warning does not work without power."),
    ],
)
def test_opposite_and_negation_cost(point: str, contrary: str) -> None:
    agreeing, denying = bearing(point, point), bearing(point, contrary)
    assert agreeing is not None
    assert denying is None or denying.score <= agreeing.score - 0.05


def test_words_that_the_quote_lacks_cost() -> None:
    text = "A sinus block occurs most frequently during descent with a cold."
    whole, more = bearing(text, text), bearing(f"Pain above the eye means this: {text}", text)
    assert whole is not None
    assert more is None or more.score < whole.score - 0.1


def test_quote_that_is_cut_in_the_middle_is_never_clean() -> None:
    said = "If you find a maintenance discrepancy and say that it is okay to fly"
    assert not is_clean("If you find a maintenance discrepancy and say that it is okay to fly.", said)
    assert is_clean("If you find a maintenance discrepancy and say that it is okay to fly.", f"{said}.")


@pytest.mark.parametrize(
    ("point", "text"),
    [
        ("The wing stalls at an angle of about 20°.", "The wing stalls at an angle of 20 to 40 degrees."),
        (
            "Equipment for the kind of flight that 14 CFR 91.205 requires has to work.",
            "Equipment for the kind of flight that §91.205 requires has to work.",
        ),
        ("The visibility is at least 3/4 mile.", "The visibility is at least ³/4 mile."),
        ("Report the landing within 1/2 hour.", "Report the landing within ¹⁄₂ hour."),
    ],
)
def test_amount_in_another_notation_is_no_rival(point: str, text: str) -> None:
    assert is_clean(point, text)


def is_clean(point: str, text: str, **place: str) -> bool:
    found = bearing(point, text, **place)
    return found is not None and found.clean


LIGHTS = """ATC light signals

Signal | On the surface | In flight
Steady green | Cleared for takeoff | Cleared to land.
Flashing green | Cleared to taxi | Return for landing (to be followed by steady green)."""
LAND = "A steady green light in flight: return and land."


def test_words_that_the_source_names_choose_the_quote() -> None:
    unnamed = bearing(LAND, LIGHTS)
    assert unnamed is not None
    assert unnamed.candidate.quotes[-1].startswith("Flashing green")
    named = bearing(LAND, LIGHTS, words="Steady green … Cleared to land")
    assert named is not None
    assert named.candidate.quotes[-1].startswith("Steady green")


def test_quote_whose_words_are_named_may_say_it_in_other_words() -> None:
    text = "A pilot with a problem can request assistance from ATC."
    point = f"Stop and slow down at once; {text}"
    assert not is_clean(point, text)
    assert is_clean(point, text, words="request assistance from ATC")


def test_long_list_is_quoted_only_if_its_words_are_named() -> None:
    items = [f"(1) {'a description of the work, ' * 24};", "(2) The date of completion; and"]
    text = "(a) An entry has the following information:\n" + "\n".join(items)
    point = "An entry has a description of the work and the date of completion."
    lengths = []
    for words in ("", "A description … The date"):
        found = bearing(point, text, words=words)
        assert found is not None
        lengths.append(len(found.candidate.quotes[-1].split()))
    assert lengths[0] <= QUOTE_WORDS_MOST < lengths[1]


def test_quote_without_the_words_that_are_named_is_doubtful() -> None:
    assert is_clean("Steady green in flight: cleared to land.", LIGHTS, words="Steady green")
    assert not is_clean("Steady green in flight: cleared to land.", LIGHTS, words="Steady blue")


def test_named_quote_about_another_matter_is_found_and_doubtful() -> None:
    found = bearing("The propeller turns clockwise.", RULE, words="no persons are carried")
    assert found is not None
    assert not found.clean


def test_named_words_of_a_lead_in_are_quoted_with_what_they_lead_in_to() -> None:
    text = "(a) A person must log at least 250 hours that consist of:\n(1) 100 hours in powered aircraft."
    found = bearing("A person must log at least 250 hours.", text, words="at least 250 hours")
    assert found is not None
    assert found.clean
    assert "100 hours" in found.candidate.quotes[-1]


def test_named_words_may_stand_in_two_quotes_of_a_passage() -> None:
    text = (
        "A pilot with a problem can request assistance from ATC.\n"
        "Charts and procedures are further resources.\nWhen a work overload exists, stop, think and slow down."
    )
    point = "When a work overload exists, slow down; a pilot with a problem can request assistance from ATC."
    found = bearing(point, text, words="request assistance … slow down")
    assert found is not None
    assert found.clean
    assert len(found.candidate.quotes) == 2
