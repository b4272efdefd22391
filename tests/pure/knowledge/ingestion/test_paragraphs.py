"""Lines become paragraphs that know where they are printed."""

import pytest

from knowledge.ingestion.document_model import RawPage
from knowledge.ingestion.layout.page_lines import read_layout
from knowledge.ingestion.layout.paragraphs import build_paragraphs
from tests.doubles.pages import line, page


def texts(*pages: RawPage) -> list[str]:
    return [paragraph.text for paragraph in build_paragraphs(read_layout(pages))]


FULL = "This line of text is about as wide as the column on this page"


def test_lines_of_a_sentence_are_one_paragraph() -> None:
    assert texts(page(1, FULL, "and it ends here.", "", "Another begins here now.")) == [
        f"{FULL} and it ends here.",
        "Another begins here now.",
    ]


HYPHENS = [
    (("the communi-", "cation is clear"), "the communication is clear"),
    (("an upside-", "down cake; upside-down too"), "an upside-down cake; upside-down too"),
    (("see FAA-CT-", "8080 for it"), "see FAA-CT-8080 for it"),
    (("use 3/4-", "20 threads"), "use 3/4-20 threads"),
    (
        ("the anti-", "propeller end; propeller and anti are words"),
        "the anti-propeller end; propeller and anti are words",
    ),
    (("a course— ", "straight"), "a course—straight"),
]


@pytest.mark.parametrize(("lines", "text"), HYPHENS)
def test_a_word_cut_at_the_line_end_is_whole_again(lines: tuple[str, str], text: str) -> None:
    assert texts(page(1, *lines)) == [text]


def test_the_pieces_hold_the_text_of_their_lines() -> None:
    first, second = line("the communi-", y=100), line("cation is clear", y=112)
    (paragraph,) = build_paragraphs(read_layout([page(1, first, second)]))
    assert [paragraph.text[p.start : p.end] for p in paragraph.pieces] == ["the communi", "cation is clear"]
    assert [p.bbox for p in paragraph.pieces] == [first.bbox, second.bbox]


def test_a_sentence_goes_on_over_the_page() -> None:
    (text,) = texts(page(1, FULL), page(2, "and goes on over the page."))
    assert text == f"{FULL} and goes on over the page."


@pytest.mark.parametrize(
    ("first", "ends"),
    [
        ("The wing of the airplane is as it is shown here [Figure 4-2, part [b]", True),
        ("[The pattern of the field is the one in [Figure 4-2] at most fields]", False),
    ],
)
def test_only_the_name_of_a_figure_in_brackets_ends_a_paragraph(first: str, ends: bool) -> None:
    second = "Class B begins above it."
    assert texts(page(1, first), page(2, second)) == ([first, second] if ends else [f"{first} {second}"])


def test_list_items_and_bullets_are_paragraphs_of_their_own() -> None:
    found = texts(
        page(1, "It consists of:", "•", "Class A", "•", "Class B", "(a) First item;", "(b) Second item.")
    )
    assert found == ["It consists of:", "• Class A", "• Class B", "(a) First item;", "(b) Second item."]


def test_a_section_number_at_the_start_of_a_line_is_no_list_item() -> None:
    long = "The rule that a pilot in command has to know is stated in section"
    assert texts(page(1, long, "91.113 (right of way) and nowhere else.")) == [
        f"{long} 91.113 (right of way) and nowhere else."
    ]


def test_a_caption_stands_alone() -> None:
    found = texts(page(1, "Text before.", "Figure 15-1. Airspace profile.", "Text after the figure."))
    assert found == ["Text before.", "Figure 15-1. Airspace profile.", "Text after the figure."]


def test_a_short_last_line_ends_a_paragraph_without_a_gap() -> None:
    assert texts(page(1, FULL, "and ends.", FULL + " again")) == [f"{FULL} and ends.", FULL + " again"]
