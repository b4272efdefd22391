"""Which words of a passage are nearest to a quote that is gone, and which of them differ."""

import pytest

from curation.offline.quote_suggestions import compare_wordings, nearest_words, statement_beside
from tests.doubles import editions

OLD = editions.sentence(editions.OXYGEN)


def words(runs: object) -> list[str]:
    return [run.text for run in runs if run.differs]  # type: ignore[attr-defined]


def test_the_sentence_that_changed_is_found_among_others() -> None:
    text = f"{editions.FUEL}\n\n{editions.OXYGEN_CHANGED}\n\n{editions.LIGHTS}"
    found = nearest_words(OLD, text)
    assert found is not None
    assert found[0] == editions.sentence(editions.OXYGEN_CHANGED)
    assert (words(found[1].old), words(found[1].new)) == (["30"], ["20"])


def test_a_quote_of_two_sentences_is_offered_two() -> None:
    found = nearest_words(editions.OXYGEN, f"{editions.FUEL} {editions.OXYGEN_CHANGED}")
    assert found is not None
    assert found[0] == editions.OXYGEN_CHANGED


def test_a_text_without_sentences_offers_nothing() -> None:
    assert nearest_words(OLD, "  ") is None


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("The pilot must land.", "the pilot  must\nland.", [], []),
        ("The pilot must land.", "The pilot may land.", ["must"], ["may"]),
        ("Land at once.", "Land at once, or go around.", ["once."], ["once, or go around."]),
        ("", "Land.", [], ["Land."]),
    ],
)
def test_the_words_that_differ(old: str, new: str, gone: list[str], come: list[str]) -> None:
    found = compare_wordings(old, new)
    assert (words(found.old), words(found.new)) == (gone, come)
    assert found.same == (not gone and not come)


def test_a_claim_that_says_its_quote_is_offered_the_new_words() -> None:
    new = editions.sentence(editions.OXYGEN_CHANGED)
    assert statement_beside(f"For members: {OLD}", OLD, new) == f"For members: {new}"
    assert statement_beside("Oxygen is for high flights.", OLD, new) == "Oxygen is for high flights."
