"""Where a quote stands in another edition: the same place and sentence, or a reason why not."""

from uuid import uuid4

import pytest

from knowledge.ingestion.claim_anchoring import Lost, Spot, sentence_around, spot_for_quote

RULE = "No person may fly below 500 feet over a crowd. Gliders keep 1,000 feet."


def spot(text: str, section: str = "7.1", heading: str = "Heights") -> Spot:
    return Spot(id=uuid4(), section=section, heading=heading, text=text)


WAS = spot(RULE)
QUOTE = "No person may fly below 500 feet over a crowd."


def found(quote: str, *spots: Spot) -> Spot | Lost:
    return spot_for_quote(quote, WAS, spots, "the new edition")


def reason(quote: str, *spots: Spot) -> str:
    told = found(quote, *spots)
    assert isinstance(told, Lost)
    return told.reason


def test_the_same_section_goes_before_others_that_say_it_too() -> None:
    here = spot(f"Something new. {QUOTE}")
    assert found(QUOTE, spot(RULE, "2.3", "Elsewhere"), here) == here


def test_white_space_is_no_change() -> None:
    here = spot("No person may fly\nbelow 500   feet over a crowd. More.")
    assert found(QUOTE, here) == here


@pytest.mark.parametrize(
    ("quote", "now", "told"),
    [
        (QUOTE, RULE.replace("500", "1,500"), "is no longer in"),
        (QUOTE, RULE.replace("No person may", "No person, but a member, may"), "is no longer in"),
        ("may fly below 500 feet", RULE.replace("No person", "Every member"), "sentence around"),
        ("may fly below 500 feet", RULE.replace("a crowd.", "a crowd, unless invited."), "sentence around"),
    ],
)
def test_what_changed_inside_or_around_is_lost(quote: str, now: str, told: str) -> None:
    assert told in reason(quote, spot(now))


def test_a_phrase_elsewhere_is_not_recognised_and_a_whole_rule_is() -> None:
    elsewhere = spot(RULE, "9.9", "Crowds")
    assert "stands elsewhere: 9.9" in reason("Gliders keep 1,000 feet.", elsewhere)
    assert found(QUOTE, elsewhere) == elsewhere
    assert "stands elsewhere: 9.9, 9.8" in reason(QUOTE, elsewhere, spot(RULE, "9.8", "Again"))


def test_a_passage_and_its_overlap_are_one_place() -> None:
    one, two = spot(RULE), spot(f"{QUOTE} What follows is new.")
    assert found(QUOTE, one, two) == one


def test_sentences_keep_their_numbers_whole() -> None:
    text = "Tune 121.5 MHz. See § 91.205(b)(1) first. Then land."
    assert sentence_around(text, "91.205(b)(1)") == "See § 91.205(b)(1) first."
