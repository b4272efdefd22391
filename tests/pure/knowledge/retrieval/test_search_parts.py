"""A long question is taken apart: what no passage is near to is left out, and what is said shortly is not lost."""

import pytest

from knowledge import conf
from knowledge.retrieval.query.builder import (
    Asked,
    build_query,
    fit_parts,
    is_claim,
    split_into_parts,
    split_question,
    texts_to_measure,
    weigh_parts,
)

FUEL = "How much fuel do I need by day?"
LUNCH = "We had pancakes and the dog barked."


def test_sentences_are_parts() -> None:
    assert split_into_parts(f"{LUNCH}  {FUEL}\n") == (LUNCH, FUEL)


def test_numbers_are_not_cut() -> None:
    assert split_into_parts("Call 121.5 then. See 91.205 before.") == (
        "Call 121.5 then.",
        "See 91.205 before.",
    )


def test_speech_without_full_stops_is_cut_at_its_clauses() -> None:
    spoken = " and ".join(f"then I looked at the {n} thing for a good while" for n in range(12))
    parts = split_into_parts(spoken)
    assert len(parts) > 1
    assert all(len(part.split()) <= conf.PART_WORDS for part in parts)
    assert " ".join(parts) == spoken


def test_words_without_any_mark_are_cut_too() -> None:
    assert max(len(part.split()) for part in split_into_parts("word " * 500)) <= conf.PART_WORDS


def test_of_very_many_parts_the_claims_stay() -> None:
    text = f"{'So we talked about it for a while. ' * 300}Three statute miles."
    parts = split_into_parts(text)
    assert len(parts) == conf.PARTS_MOST
    assert parts[-1] == "Three statute miles."


CURRENCY = "Instrument currency lapsed more than six months ago. The pilot must"


def test_the_beginning_of_a_sentence_belongs_to_the_one_before_it() -> None:
    assert split_question(CURRENCY) == (CURRENCY,)
    assert split_question(f"{LUNCH} {CURRENCY}") == (LUNCH, CURRENCY)
    assert split_question(f"{LUNCH} {FUEL}") == (LUNCH, FUEL)


def test_speech_that_was_cut_stays_cut() -> None:
    spoken = " and ".join(f"then I looked at the {n} thing for a good while" for n in range(12))
    assert split_question(spoken) == split_into_parts(spoken)


def test_what_a_stem_is_about_is_no_chatter() -> None:
    asked = Asked(text=CURRENCY)
    assert texts_to_measure(asked) == ()  # there is nothing that could be left out
    words = {term.wordings[0] for term in build_query(asked, {}).terms}
    assert {"currency", "lapsed", "six", "months"} <= words


GIVEN = "A stranger at the airport offers you money to fly him to the coast. What do you tell him, and why?"


def test_a_short_question_has_no_chatter() -> None:
    asked = Asked(text=GIVEN)
    assert texts_to_measure(asked) == ()
    answered = Asked(text=GIVEN, answer="I need a commercial certificate for that.")
    near = dict.fromkeys(texts_to_measure(answered), 0.2) | {answered.answer: 0.7}
    assert build_query(answered, near).strands[0].text == GIVEN


def test_a_long_question_has() -> None:
    asked = Asked(text=f"{LUNCH} {GIVEN} {FUEL}")
    near = dict.fromkeys(texts_to_measure(asked), 0.5) | {LUNCH: 0.2}
    assert build_query(asked, near).strands[0].text == f"{GIVEN} {FUEL}"


@pytest.mark.parametrize("text", ["", "  ", "\n\n"])
def test_nothing_has_no_part(text: str) -> None:
    assert split_into_parts(text) == ()


@pytest.mark.parametrize(
    ("part", "claims"),
    [
        ("1 SM", True),
        ("§ 91.155", True),
        ("VFR", True),
        ("30 minutes", True),
        ("I don't know.", False),
        (LUNCH, False),
    ],
)
def test_claims(part: str, claims: bool) -> None:
    assert is_claim(part) is claims


def test_what_is_far_from_the_library_is_left_out() -> None:
    assert weigh_parts((LUNCH, FUEL), {LUNCH: 0.3, FUEL: 0.6}, 0.6) == {FUEL: 1.0}


def test_the_others_count_by_their_nearness() -> None:
    weights = weigh_parts((LUNCH, FUEL), {LUNCH: 0.45, FUEL: 0.6}, 0.6)
    assert weights == {LUNCH: pytest.approx(0.5625), FUEL: 1.0}


def test_what_was_not_measured_counts() -> None:
    assert weigh_parts((LUNCH, FUEL), {}, 0.0) == {LUNCH: 1.0, FUEL: 1.0}


def test_what_weighs_most_is_kept_in_the_order_in_which_it_was_said() -> None:
    parts = ("one one one", "two two two", "three three")
    assert (
        fit_parts({"one one one": 0.5, "two two two": 0.1, "three three": 1.0}, parts, 24)
        == "one one one three three"
    )


def test_one_part_that_is_too_long_is_cut_between_words() -> None:
    assert fit_parts({"word " * 50: 1.0}, ("word " * 50,), 12) == "word word"
