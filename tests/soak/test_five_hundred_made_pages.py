"""Seven hundred pages set in the test: no line of a chunk has a rectangle that holds other words than its own."""

from pathlib import Path

import pytest

from benchmarks.rectangles import bare, judged, read_document
from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy
from tests.doubles.made_pdfs import STYLES, made_pdf

PAGES = 40  # of each style
LIMITS = ((800, 100), (512, 50), (60, 12))


@pytest.mark.parametrize("name", STYLES)
def test_not_one_line_is_wrong(name: str, tmp_path: Path) -> None:
    made = made_pdf(tmp_path / "handbook.pdf", STYLES[name], PAGES, seed=2)
    document = read_document(made.path)
    for max_tokens, overlap in LIMITS:
        chunks = chunk_pages(
            document,
            strategy=Strategy("fixed", max_tokens, overlap),
            count_tokens=lambda text: len(text.split()),
        )
        found = judged(made.path, document, chunks)
        assert found.faults == ()
        assert found.lost == ()
        assert found.unplaced == ()
    read = [paragraph.text for paragraph in document.paragraphs() if paragraph.kind != "note"]
    set_ = [text for one in made.sections for text in (f"{one.number} {one.heading}", *one.paragraphs)]
    assert bare("".join(read)) == bare("".join(set_))


def test_there_are_five_hundred_of_them() -> None:
    assert PAGES * len(STYLES) >= 500
