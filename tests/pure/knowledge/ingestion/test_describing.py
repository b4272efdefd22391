"""What a document is, by its title page, its number, its file's name."""

import pytest

from knowledge.ingestion.document_model import Description
from knowledge.ingestion.formats.metadata import HANDBOOK_TITLES, describe_text
from knowledge.standards.references import HANDBOOKS

TOLD = [
    (
        "Advisory\nCircular\nSubject: Non-Towered Flight\nDate: 6/6/23\nAC No: 90-66C",
        "x.pdf",
        "ac",
        "AC 90-66C",
        "2023-06-06",
    ),
    ("", "ac_90-66c.pdf", "ac", "AC 90-66C", ""),
    ("PHAK FAA-H-8083-25C Chapter 15: Airspace", "phak_ch15.pdf", "handbook", "PHAK", ""),
    ("no number at all", "afh_ch05.pdf", "handbook", "AFH", ""),
    (
        "FAA-S-ACS-6C\nPrivate Pilot for Airplane\nNovember 2023",
        "acs.pdf",
        "acs",
        "FAA-S-ACS-6C",
        "2023-11-01",
    ),
    (
        "# Part 91. General operating rules\n§ 91.1 Applicability\n on September 22, 1988",
        "x.md",
        "cfr",
        "14 CFR 91",
        "",
    ),
    ("nothing", "14cfr_part061.md", "cfr", "14 CFR 61", ""),
    ("# Section 2. Controlled Airspace\nhttps://x/aim_html/chap3_section_2.html", "02.md", "aim", "AIM", ""),
    ("Pilot’s Operating Handbook\nCessna 172S", "c172.pdf", "poh", "", ""),
    ("# Part 61. What a student has to know\nby the club", "x.md", "", "", ""),
    ("Rules of the club\nMembers follow the Pilot’s Operating Handbook.", "rules.md", "", "", ""),
    ("Rules of the club\nThe POH of each aircraft, and this book.", "rules.md", "", "", ""),
    ("Checklist\nBring the POH", "list.md", "", "", ""),
    ("How to land\nSee FAA-H-8083-3C, chapter 9.\nRead AC No: 90-66C in full.", "landing.txt", "", "", ""),
    ("Questions\nThey are drawn from FAA-S-ACS-6C.", "exam.txt", "", "", ""),
    ("My notes", "notes on 14 cfr part 61.txt", "", "", ""),
    ("My notes", "my_phak_notes.txt", "", "", ""),
    ("Our school rules", "seaplane.pdf", "", "", ""),
    ("FAA-H-8083-23 Seaplane Handbook", "seaplane.pdf", "handbook", "SEAPLANE", ""),
    ("Airplane Flying Handbook\nFAA-H-8083-3C\n2021", "book.pdf", "handbook", "AFH", ""),
    ("Minutes of the club, refer to the AC 90-66C in part 91", "club.pdf", "", "", ""),
]


@pytest.mark.parametrize(("text", "name", "doc_type", "abbreviation", "edition_date"), TOLD)
def test_told(text: str, name: str, doc_type: str, abbreviation: str, edition_date: str) -> None:
    found = describe_text(text, name)
    assert (found.doc_type, found.abbreviation, found.edition_date) == (doc_type, abbreviation, edition_date)


def test_a_chapter_is_named_in_the_title() -> None:
    found = describe_text("PHAK FAA-H-8083-25C Chapter 15: Airspace (x)", "phak_ch15.pdf")
    assert found.title == "Pilot’s Handbook of Aeronautical Knowledge, chapter 15: Airspace"
    assert found.edition == "FAA-H-8083-25C"


def test_what_the_operator_said_goes_before_what_the_file_says() -> None:
    given = Description(doc_type="sop", title="Our rules")
    told = given.over(describe_text("", "ac_90-66c.pdf"))
    assert (told.doc_type, told.title, told.abbreviation) == ("sop", "Our rules", "AC 90-66C")


def test_an_impossible_date_is_no_date() -> None:
    assert describe_text("FAA-S-ACS-6C 13/45/23").edition_date == ""


def test_every_handbook_with_a_short_name_is_described_by_it() -> None:
    assert set(HANDBOOKS.values()) == set(HANDBOOK_TITLES)
    for number, short in HANDBOOKS.items():
        found = describe_text(f"{number}B\n2023", "book.pdf")
        assert (found.abbreviation, found.title, found.edition) == (
            short,
            HANDBOOK_TITLES[short],
            f"{number}B",
        )
