"""The shortest exact words that bear a point; nothing where a number or the meaning differs."""

from collections.abc import Sequence

import pytest

from exams.bank.quote_selection import Bearing, best_bearing, candidates_in
from knowledge.grounding.quotes import find_quote
from knowledge.grounding.words import content_words, coverage

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
    return [coverage(content_words(text), content_words(other)) for other in others]


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
