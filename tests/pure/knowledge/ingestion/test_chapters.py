"""The chapters of a whole handbook: by its outline, by its printed page numbers, and none in a file of one chapter."""

from dataclasses import replace

import pytest

from knowledge.ingestion.document_model import ChapterText, OutlineEntry, PageText
from knowledge.ingestion.layout.chapters import find_chapters
from tests.doubles.pages import line


def printed(*labels: str) -> list[PageText]:
    return [
        PageText(number=number, label=label, width=612, height=792, lines=())
        for number, label in enumerate(labels, 1)
    ]


def told(found: tuple[ChapterText, ...]) -> list[tuple[str, str, int, int]]:
    return [(one.number, one.title, one.first, one.last) for one in found]


def test_an_outline_names_them_with_what_follows_and_leaves_out_what_stands_before() -> None:
    outline = [
        OutlineEntry(1, "Preface", 1),
        OutlineEntry(1, "Chapter 1: Introduction To Flying", 3),
        OutlineEntry(2, "History of Flight", 3),
        OutlineEntry(1, "Chapter 02 – Aeronautical  Decision-Making", 5),
        OutlineEntry(1, "Appendix A. Performance Data", 8),
        OutlineEntry(1, "Glossary", 9),
    ]
    assert told(find_chapters(printed(*[""] * 10), outline)) == [
        ("1", "Introduction To Flying", 3, 4),
        ("2", "Aeronautical Decision-Making", 5, 7),
        ("A", "Performance Data", 8, 8),
        ("", "Glossary", 9, 10),
    ]


def test_chapters_below_a_title_in_the_outline_are_found() -> None:
    outline = [OutlineEntry(1, "PHAK", 1), OutlineEntry(2, "Chapter 1", 1), OutlineEntry(2, "Chapter 2", 2)]
    assert told(find_chapters(printed("", ""), outline)) == [
        ("1", "Chapter 1", 1, 1),
        ("2", "Chapter 2", 2, 2),
    ]


def test_printed_numbers_name_them_and_their_unnumbered_first_page_is_theirs() -> None:
    pages = printed("i", "ii", "1-1", "1-2", "", "2-2", "2-3", "", "A-1", "G-1", "G-2", "I-1")
    assert [(one.number, one.first, one.last) for one in find_chapters(pages, ())] == [
        ("1", 3, 4),
        ("2", 5, 8),  # page 2-1 prints no number; a blank page belongs to what it follows
        ("A", 9, 9),
        ("", 10, 11),
        ("", 12, 12),
    ]


def test_a_chapters_title_is_what_its_first_page_prints_in_display_type() -> None:
    pages = printed("4-1", "5-1")
    pages[0] = replace(
        pages[0],
        lines=(line("Chapter 4", size=30.0), line("Principles of Flight", size=30.0), *[line("Body.")] * 5),
    )
    pages[1] = replace(pages[1], lines=(line("All of one size."),) * 5)
    assert [one.title for one in find_chapters(pages, ())] == ["Principles of Flight", ""]


@pytest.mark.parametrize(
    ("labels", "outline"),
    [
        (("15-1", "15-2"), [OutlineEntry(1, "Chapter 15: Airspace", 1)]),
        (("1", "2"), [OutlineEntry(1, "Purpose", 1), OutlineEntry(1, "Applicability", 2)]),
        (("3-2-6", "3-2-7"), []),
        ((), []),
    ],
)
def test_a_file_of_one_chapter_or_without_any_has_none(
    labels: tuple[str, ...], outline: list[OutlineEntry]
) -> None:
    assert find_chapters(printed(*labels), outline) == ()


def test_an_outline_that_points_outside_the_file_does_no_harm() -> None:
    outline = [
        OutlineEntry(1, "Chapter 1", 1),
        OutlineEntry(1, "Chapter 2", 99),
        OutlineEntry(1, "Chapter 3", -1),
    ]
    assert find_chapters(printed("1", "2"), outline) == ()
