"""Handbooks that the tests set themselves: what is read of them is what was set, and where it was set."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from benchmarks.rectangles import Judged, bare, judged, read_document
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import ParsedDocument
from knowledge.text.sentences import sentences_in
from tests.doubles.made_pdfs import STYLES, Made, made_pdf
from tests.sampling import WHOLE

PAGES = 2


def count_tokens(text: str) -> int:
    return len(text.split())


# Every way to set a page is in one of these; `make soak` reads all.
SAMPLE = (
    "two columns justified, hyphens",
    "hyphens, capitals",
    "ligatures",
    "two columns, lists, notes",
    "tables without rules",
    "page turned 270",
    "text lying 270",
    "two-up, two columns",
)


@dataclass(frozen=True, slots=True)
class Handbook:
    """What was set, what was read of it, and what the judge says of its rectangles."""

    made: Made
    document: ParsedDocument
    chunks: tuple[ChunkDraft, ...]
    found: Judged


@pytest.fixture(scope="module", params=STYLES if WHOLE else SAMPLE)
def handbook(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Handbook:
    path = tmp_path_factory.mktemp("made") / "handbook.pdf"
    made = made_pdf(path, STYLES[request.param], PAGES)
    document = read_document(path)
    chunks = chunk_pages(document, strategy=Strategy("fixed", 120, 25), count_tokens=count_tokens)
    return Handbook(made, document, chunks, judged(path, document, chunks))


def test_the_words_inside_the_rectangles_are_the_words_of_the_chunk(handbook: Handbook) -> None:
    assert handbook.found.faults == ()
    assert handbook.found.lines > 20 * PAGES


def test_every_printed_word_is_in_a_chunk_or_a_running_head(handbook: Handbook) -> None:
    assert handbook.found.lost == ()
    assert handbook.found.unplaced == ()


def test_all_is_read_in_the_order_in_which_it_was_set(handbook: Handbook) -> None:
    made, document = handbook.made, handbook.document
    assert bare("".join(_running_text(document))) == bare("".join(_set_text(made)))


def test_sentences_stay_whole_over_lines_columns_and_pages(handbook: Handbook) -> None:
    made, chunks = handbook.made, handbook.chunks
    said = {bare(found.text) for draft in chunks for found in sentences_in(draft.text)}
    set_ = {bare(found.text) for text in _set_text(made) for found in sentences_in(text)} - _headings(made)
    assert set_ <= said


def test_headings_and_their_numbers_are_those_that_were_set(handbook: Handbook) -> None:
    made, document = handbook.made, handbook.document
    found = [(section.number, section.heading) for section in document.sections]
    assert found == [(section.number, section.heading) for section in made.sections]


def test_the_printed_numbers_are_the_labels_of_the_pages(handbook: Handbook) -> None:
    made, document = handbook.made, handbook.document
    assert tuple(page.label for page in document.pages) == made.labels


def test_rows_of_tables_are_rows(handbook: Handbook) -> None:
    made, document = handbook.made, handbook.document
    rows = [found for found in document.paragraphs() if found.kind in ("row", "header")]
    assert Counter(found.text for found in rows) == Counter(made.rows)
    assert {found.text for found in rows if found.kind == "header"} <= {"Airspace | Visibility | Distance"}


def test_footnotes_interrupt_no_sentence(handbook: Handbook) -> None:
    made, document = handbook.made, handbook.document
    assert Counter(found.text for found in document.paragraphs() if found.kind == "note") == Counter(
        made.notes
    )


def _running_text(document: ParsedDocument) -> Iterator[str]:
    return (paragraph.text for paragraph in document.paragraphs() if paragraph.kind != "note")


def _set_text(made: Made) -> Iterator[str]:
    for section in made.sections:
        yield f"{section.number} {section.heading}".strip()
        yield from section.paragraphs


def _headings(made: Made) -> set[str]:
    return {bare(f"{section.number} {section.heading}") for section in made.sections}
