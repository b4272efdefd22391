"""A statement beside its quote: what both say alike is read once."""

import pytest

from curation.reading.wording import compare_wording

QUOTE = "(b) No person may operate an aircraft closer than 500 feet to any person, vessel, or structure."


@pytest.mark.parametrize(
    "statement",
    [
        QUOTE,
        "No person may operate an aircraft closer than 500 feet to any person, vessel, or structure",
        "no person may operate an aircraft closer than 500 feet to any person vessel or structure.",
    ],
)
def test_the_same_words_are_verbatim(statement: str) -> None:
    wording = compare_wording(statement, ["Something else.", QUOTE])
    assert wording is not None
    assert wording.is_verbatim
    assert " ".join(words for _, words in wording.parts) == statement


def test_what_was_added_and_what_was_dropped_from_the_middle_is_marked() -> None:
    wording = compare_wording(
        "No person may operate an airplane closer than 500 feet to any structure.", [QUOTE]
    )
    assert wording is not None
    assert not wording.is_verbatim
    assert wording.parts == (
        ("same", "No person may operate an"),
        ("dropped", "aircraft"),
        ("added", "airplane"),
        ("same", "closer than 500 feet to any"),
        ("dropped", "person, vessel, or"),
        ("same", "structure."),
    )


@pytest.mark.parametrize("quotes", [[], [""], ["Nothing of it"]])
def test_without_a_word_in_common_there_is_nothing_to_set_beside(quotes: list[str]) -> None:
    assert compare_wording("Tie down every airplane.", quotes) is None
