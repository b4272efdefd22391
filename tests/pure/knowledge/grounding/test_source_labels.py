"""How a passage is cited."""

import pytest

from knowledge.grounding.citations import paragraph_of_quote, source_label

LABELS = [
    (
        {"doc_type": "cfr", "abbreviation": "14 CFR 91", "section": "91.155", "paragraph": "(a)"},
        "14 CFR 91.155(a)",
    ),
    ({"doc_type": "cfr", "abbreviation": "14 CFR 91", "section": "Appendix D"}, "14 CFR 91, Appendix D"),
    ({"doc_type": "aim", "abbreviation": "AIM", "section": "3-2-6"}, "AIM 3-2-6"),
    (
        {"doc_type": "handbook", "abbreviation": "PHAK", "page_label": "15-3", "page": 3},
        "PHAK ch. 15, p. 15-3",
    ),
    (
        {"doc_type": "handbook", "abbreviation": "PHAK", "title": "PHAK, chapter 4: x", "page": 3},
        "PHAK ch. 4, p. 3",
    ),
    ({"doc_type": "handbook", "abbreviation": "AFH", "page_label": "G-3"}, "AFH, p. G-3"),
    (
        {"doc_type": "ac", "abbreviation": "AC 90-66C", "section": "10.1", "page_label": "12"},
        "AC 90-66C, 10.1",
    ),
    ({"doc_type": "ac", "abbreviation": "AC 90-66C", "page_label": "A-1", "page": 19}, "AC 90-66C, p. A-1"),
    ({"doc_type": "other", "abbreviation": "", "title": "Club rules"}, "Club rules"),
    ({"doc_type": "other", "abbreviation": "P/CG", "heading": "WILCO"}, "P/CG: WILCO"),
    ({"doc_type": "other", "abbreviation": "SOP", "title": "Club rules", "heading": "Fuel"}, "SOP"),
]


@pytest.mark.parametrize(("given", "label"), LABELS)
def test_label(given: dict[str, object], label: str) -> None:
    assert source_label(**given) == label  # type: ignore[arg-type]


RULE = """§ 61.57 Recent experience.

(a) General experience. (1) Except as provided, no person may carry passengers.
(i) The person was sole manipulator; and
(ii) The landings were in the same class.
(2) A person may act by day.
(b) Night experience. Somebody lands.
(c) Third letter.
(1) Number under c.
(i) Roman under one.
(A) Capital under Roman.
(d) Fourth letter."""

PLACES = [
    ("no person may carry", "(a)(1)"),
    ("The landings were in the same class.", "(a)(1)(ii)"),
    ("A person may act by day.", "(a)(2)"),
    ("Somebody lands.", "(b)"),
    ("Capital under Roman", "(c)(1)(i)(A)"),
    ("Fourth letter", "(d)"),
    ("§ 61.57", ""),
    ("is not there", ""),
]


@pytest.mark.parametrize(("quote", "place"), PLACES)
def test_the_paragraph_of_a_quote(quote: str, place: str) -> None:
    assert paragraph_of_quote(RULE, quote) == place


def test_a_paragraph_whose_parent_is_not_in_the_chunk_is_not_guessed() -> None:
    assert paragraph_of_quote("(3) Third.\n(d) Fourth.", "Third.") == ""
    assert paragraph_of_quote("(3) Third.\n(d) Fourth.", "Fourth.") == "(d)"


def test_the_letter_i_after_h_is_a_letter() -> None:
    text = "(h) Eighth.\n(1) One.\n(2) Two.\n(i) Ninth.\n(j) Tenth."
    assert paragraph_of_quote(text, "Ninth.") == "(i)"
    assert paragraph_of_quote(text, "Tenth.") == "(j)"
