"""The chapters of a whole handbook: by its outline, by its printed page numbers, and none in a file of one chapter."""

from dataclasses import replace

import pytest

from knowledge.ingestion.document_model import ChapterText, OutlineEntry, PageText
from knowledge.ingestion.layout.chapters import find_chapters
from knowledge.ingestion.paged_document import paged_document
from tests.doubles.pages import line, page


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
        ("1", "", 1, 1),
        ("2", "", 2, 2),
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
        (("1", "2"), [OutlineEntry(1, "Appendix 1: Roles", 1), OutlineEntry(1, "Appendix 2: Safety", 2)]),
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


TEXT = "A sentence of the running text, which says what it has to say at length and in full."


def test_each_chapter_is_read_as_a_file_of_its_own_would_be() -> None:
    """The type of one chapter says nothing about the headings of another, and no section runs on into the next."""
    pages = [
        page(1, line("Preface", size=14.0), line(TEXT, y=120.0)),
        page(2, line("Chapter 1", size=20.0), line("Gliders", y=130.0, size=20.0), line(TEXT, y=160.0)),
        page(3, line("Winch Launch", size=14.0, bold=True), line(TEXT, y=120.0)),
        page(4, TEXT, "", "Aero Tow", TEXT),
    ]
    outline = [OutlineEntry(1, "Chapter 1: Gliders", 2), OutlineEntry(1, "Chapter 2: Towing", 4)]
    document = paged_document(pages, outline)
    assert [(one.path, one.level) for one in document.sections if one.paragraphs[0].page != 1] == [
        (("Chapter 1: Gliders",), 1),
        (("Chapter 1: Gliders", "Winch Launch"), 3),
        (("Chapter 2: Towing",), 1),
        (("Chapter 2: Towing", "Aero Tow"), 3),
    ]


def test_numbered_sections_count_on_from_their_chapters_number() -> None:
    def numbered(number: str, y: float) -> object:
        return line(f"{number} Ropes. {TEXT}", y=y, lead=f"{number} Ropes.")

    pages = [page(1, "Winches", TEXT), page(2, numbered("2.1", 100.0), numbered("2.2", 140.0))]  # type: ignore[arg-type]
    outline = [OutlineEntry(1, "Chapter 1", 1), OutlineEntry(1, "Chapter 2", 2)]
    found = paged_document(pages, outline).sections
    assert [one.path for one in found if one.number] == [
        ("Chapter 2", "2.1 Ropes"),
        ("Chapter 2", "2.2 Ropes"),
    ]


def test_a_chapter_that_begins_low_on_a_page_takes_nothing_of_the_one_before() -> None:
    pages = [
        page(1, line("Chapter 1", size=20.0), line(TEXT, y=130.0)),
        page(2, line(TEXT), line("Chapter 2", y=500.0, size=20.0), line(TEXT, y=530.0)),
    ]
    outline = [OutlineEntry(1, "Chapter 1", 1), OutlineEntry(1, "Chapter 2", 2)]
    found = paged_document(pages, outline).sections
    assert found[0].path == ("Chapter 1",)
    assert [one.page for one in found[0].paragraphs if TEXT in one.text][-1] == 2
    assert found[-1].path[-1] == "Chapter 2"
