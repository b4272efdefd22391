"""The FAA's own files, read as a pilot reads them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from benchmarks.rectangles import judged
from knowledge.grounding.citations import paragraph_of_quote, source_label
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.document_model import ParsedDocument, RawPage
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.pdf import PdfHead, read_pdf
from tests.doubles import faa_files
from tests.doubles.pages import plain
from tests.sampling import WHOLE

FAA = faa_files.FAA
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FAA.is_dir(), reason="../shared/data/faa is not here"),
]

AC, PHAK = FAA / "pdf" / "ac_90-66c.pdf", FAA / "phak" / "phak_ch15.pdf"
ACS = FAA / "pdf" / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf"
GLOSSARY = FAA / "pdf" / "FAA-H-8083-32_AMT_Powerplant_glossary.pdf"
PART_91 = FAA / "cfr" / "14cfr_part091.md"
AIM = FAA / "aim" / "03 Airspace" / "01 General.md"
# Those that other tests here have read; `make soak` takes every file.
JUDGED = list(faa_files.PDFS) if WHOLE else [AC, GLOSSARY]


@cache
def parsed(path: Path) -> ParsedDocument:
    if path.suffix == ".md":
        return markdown_document(path.read_text(), file_name=path.name)
    head, *pages = read_pdf(path)
    assert isinstance(head, PdfHead)
    raw = [page for page in pages if isinstance(page, RawPage)]
    return paged_document(raw, head.outline, file_name=path.name, metadata=head.metadata)


@cache
def chunks(path: Path) -> tuple[ChunkDraft, ...]:
    return chunk_pages(parsed(path), count_tokens=lambda text: len(text.split()))


def chunk_with(path: Path, wanted: Callable[[ChunkDraft], bool]) -> ChunkDraft:
    return next(draft for draft in chunks(path) if wanted(draft))


@pytest.mark.parametrize("path", [AC, PHAK, GLOSSARY, PART_91, AIM], ids=lambda path: path.stem)
def test_nothing_is_lost(path: Path) -> None:
    fresh = plain([draft.text[draft.overlap :] for draft in chunks(path)])
    assert fresh == plain([paragraph.text for paragraph in parsed(path).paragraphs()])


def test_the_circular_has_its_sections_and_pages() -> None:
    assert parsed(AC).description.title == "Non-Towered Airport Flight Operations"
    draft = chunk_with(AC, lambda draft: draft.section == "9.12.3.4")
    assert (draft.heading, draft.page_start, draft.page_label) == ("Jet Blast", 11, "11")
    assert draft.section_path[0] == "9 GENERAL OPERATING PRACTICES"
    numbers = [section.number for section in parsed(AC).sections if section.level == 1 and section.number]
    assert numbers == [str(n) for n in range(1, 14)]
    assert [page.label for page in parsed(AC).pages[18:21]] == ["A-1", "A-2", "A-3"]


def test_heads_and_feet_are_no_text_of_the_circular() -> None:
    assert not any("6/6/23 " in draft.text and draft.page_start != 1 for draft in chunks(AC))


def test_the_handbook_has_printed_pages_and_headings() -> None:
    headings = [section.heading for section in parsed(PHAK).sections]
    assert {"Class A Airspace", "Class G Airspace", "Restricted Areas", "Chapter Summary"} <= set(headings)
    assert {"Class G Airspace", "Alert Areas"} <= {draft.heading for draft in chunks(PHAK)}
    assert [page.label for page in parsed(PHAK).pages] == [f"15-{n}" for n in range(1, 13)]


def test_a_quote_of_the_handbook_lights_its_lines() -> None:
    draft = chunk_with(PHAK, lambda draft: draft.heading == "Prohibited Areas")
    lit = rectangles_for_quote(
        draft.text, draft.lines, "Such areas are established for security or other reasons"
    )
    assert [rect.page for rect in lit] == [3, 3]
    assert lit[0].x0 > 150
    assert lit[0].x0 < lit[0].x1 <= 234


def test_the_columns_of_a_glossary_are_read_one_after_the_other() -> None:
    draft = chunk_with(GLOSSARY, lambda draft: "Annual inspection" in draft.text)
    assert "The scope of an annual inspection is the same as that of a 100-hour inspection." in draft.text
    assert draft.page_label == "G-2"


def test_the_weather_minimums_can_be_read_row_by_row() -> None:
    draft = chunk_with(PART_91, lambda draft: draft.section == "91.155")
    assert (
        "Class G: 1,200 feet or less above the surface (regardless of MSL altitude): For aircraft other than "
        "helicopters: Day, except as provided in §91.155(b) | 1 statute mile | Clear of clouds."
    ) in draft.text
    assert "Class E: At or above 10,000 feet MSL | 5 statute miles | 1 statute mile horizontal." in draft.text


def test_a_paragraph_of_part_91_is_cited_by_its_letters() -> None:
    quote = (
        "you may operate an airplane, powered parachute, or weight-shift-control aircraft clear of clouds."
    )
    draft = chunk_with(PART_91, lambda draft: draft.section == "91.155" and quote in draft.text)
    place = paragraph_of_quote(draft.text, quote)
    label = source_label(doc_type="cfr", abbreviation="14 CFR 91", section=draft.section, paragraph=place)
    assert label == "14 CFR 91.155(b)(2)"


def test_part_91_holds_no_marks_of_its_source() -> None:
    assert not [
        draft.section for draft in chunks(PART_91) if any(m in draft.text for m in ("[[", "\\", "**", "<t"))
    ]


def test_the_manual_has_its_paragraph_numbers() -> None:
    assert {"3-1-4", "3-1-5"} <= {draft.section for draft in chunks(AIM)}


@pytest.mark.parametrize("path", JUDGED, ids=lambda path: path.stem)
def test_the_words_inside_the_rectangles_are_the_words_of_the_chunk(path: Path) -> None:
    found = judged(path, parsed(path), chunks(path))
    assert found.share >= 0.999, found.faults[:5]
    assert found.lost == ()
    assert found.unplaced == ()


def test_tables_of_the_standard_are_rows() -> None:
    rows = [paragraph.text for paragraph in parsed(ACS).paragraphs() if paragraph.kind == "row"]
    assert "PAR | Private Pilot Airplane | 60 | 15 | 2.5 | 70" in rows
    assert "VII | None | None | None | All | All | All | All | All | All" in rows
    assert "FAA-S-ACS-6B | Private Pilot – Airplane Airman Certification Standards | June 11, 2018" in rows
