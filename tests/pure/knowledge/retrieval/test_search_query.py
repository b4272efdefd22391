"""What a search looks for: words with their synonyms, and a text that fits the embedding model's window."""

import pytest

from knowledge.retrieval.query.builder import Asked, build_query, shorten_text


def wordings(**asked: str) -> list[tuple[str, ...]]:
    return [term.wordings for term in build_query(Asked(**asked)).terms]


def test_an_abbreviation_is_looked_for_by_its_name_too() -> None:
    assert ("vfr", "visual flight rules") in wordings(text="VFR minimums")


def test_a_name_is_looked_for_by_its_abbreviation_too() -> None:
    found = wordings(text="Who is pilot in command?")
    assert ("pic", "pilot in command") in found
    assert ("pilot",) not in found


def test_an_airspace_class_is_one_term() -> None:
    assert ("class g",) in wordings(text="cloud clearance in Class G at night")


@pytest.mark.parametrize("number", ["91.155", "121.5", "29.92", "3-2-6"])
def test_numbers_stay_whole(number: str) -> None:
    assert (number,) in wordings(text=f"What is {number}?")


def test_idle_words_are_not_looked_for() -> None:
    assert wordings(text="What is it that you should do?") == []


@pytest.mark.parametrize(
    "text", ["'); DROP TABLE x; --", "a & !b | c:*", "\\' \\", "<->", "'''", "¬≤ ∀ ✈", "o'clock don't"]
)
def test_no_text_breaks_the_query_language(text: str) -> None:
    for term in build_query(Asked(text=text)).terms:
        stripped = term.tsquery().replace(" <-> ", "").replace(" | ", "")
        assert not set(stripped) & set("&!:*\\;")
        assert stripped.count("'") % 2 == 0


def test_of_a_long_answer_the_words_stay_that_its_claims_repeat() -> None:
    """A short word says less than a long one, unless several claims have it."""
    claims = (
        "Oil must stay above 25 psi while cruising continuously.",
        "Oil shouldn't exceed 245 degrees, otherwise lubrication deteriorates considerably.",
        "Oil needs replacing after 50 hours, following recommendations by manufacturers.",
    )
    assert ("oil",) in wordings(question="Engine?", answer=" ".join(claims))
    assert ("oil",) not in wordings(question="Engine?", answer=claims[0] + claims[1].replace("Oil", "It"))


def test_a_text_that_fits_is_left_alone() -> None:
    assert shorten_text("Three  statute\nmiles.", 100) == "Three statute miles."


def test_a_long_text_is_cut_to_whole_sentences_in_their_order() -> None:
    text = "Well, you know. Visibility is 3 SM by day. So, yes. Ceiling 1,000 feet in Class D. And so on."
    assert shorten_text(text, 60) == "Visibility is 3 SM by day. Ceiling 1,000 feet in Class D."


def test_one_endless_sentence_is_cut_between_words() -> None:
    assert shorten_text("word " * 500, 22) == "word word word word"
