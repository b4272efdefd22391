"""Plain text is read as a person reads it: headings, lists, rows, broken words."""

from knowledge.ingestion.document_model import ParsedDocument
from knowledge.ingestion.formats.plain_text import text_document

CLUB = """CLUB RULES
==========

Every member pays. A member of the club
washes the air-
craft after a flight. No aircraft is left out-
side.

1. FUEL

Fill the tanks.
  - full in summer
  - half in winter, unless it is
    warmer than 10 degrees

§ 991.5 Ropes.
(a) Three ropes hold it.
(b) Two are not enough.

Wind             Ropes
Up to 10 kt      2
More             3
"""


def kinds(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(p.kind, p.text) for p in document.paragraphs()]


def test_headings_lists_and_rows_are_told_by_their_looks() -> None:
    document = text_document(CLUB, file_name="club.txt")
    assert document.description.title == "CLUB RULES"
    assert [(s.number, s.heading) for s in document.sections] == [
        ("", "CLUB RULES"),
        ("", "1. FUEL"),
        ("991.5", "Ropes"),
    ]
    assert kinds(document) == [
        (
            "body",
            "Every member pays. A member of the club washes the aircraft after a flight. No aircraft is left out-side.",
        ),
        ("heading", "1. FUEL"),
        ("body", "Fill the tanks."),
        ("item", "- full in summer"),
        ("item", "- half in winter, unless it is warmer than 10 degrees"),
        ("heading", "§ 991.5 Ropes."),
        ("item", "(a) Three ropes hold it."),
        ("item", "(b) Two are not enough."),
        ("row", "Wind | Ropes"),
        ("row", "Up to 10 kt | 2"),
        ("row", "More | 3"),
    ]


def test_heads_and_feet_of_printed_pages_are_no_text() -> None:
    pages = "\f".join(
        f"Club Handbook\n\nWords of page {word}.\n\nPage {n}" for n, word in enumerate("abcd", 1)
    )
    assert [text for _, text in kinds(text_document(pages))] == [f"Words of page {word}." for word in "abcd"]


def test_a_text_without_headings_is_paragraphs() -> None:
    document = text_document("One line\nof a paragraph.\n\nAnother one.", file_name="club rules.txt")
    assert kinds(document) == [("body", "One line of a paragraph."), ("body", "Another one.")]
    assert document.description.title == "club rules"


def test_the_lines_of_old_macintoshes_and_windows_are_lines() -> None:
    for end in ("\r", "\r\n"):
        assert [text for _, text in kinds(text_document(f"One.{end}{end}Two.{end}"))] == ["One.", "Two."]
