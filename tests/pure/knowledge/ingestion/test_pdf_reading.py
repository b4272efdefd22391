"""A PDF is read in a process of its own; what is no readable PDF is refused in words."""

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from knowledge.grounding.highlight import rectangles_for_span
from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import ParsedDocument, RawPage, clean_text
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing import pdf
from knowledge.ingestion.parsing.pdf import PdfHead, read_pdf, render_page, render_pages
from knowledge.text.sentences import sentences_in
from tests.doubles import program_that_hangs
from tests.doubles.illustrations import illustrate
from tests.doubles.pages import plain
from tests.doubles.source_files import handbook, locked, one_page, scan, without_pages


def read(path: Path) -> tuple[PdfHead, list[RawPage]]:
    head, *pages = read_pdf(path)
    assert isinstance(head, PdfHead)
    return head, [page for page in pages if isinstance(page, RawPage)]


def parsed(path: Path) -> ParsedDocument:
    head, pages = read(path)
    return paged_document(pages, head.outline, metadata=head.metadata)


def test_pages_come_one_by_one_with_their_text(tmp_path: Path) -> None:
    head, pages = read(handbook(tmp_path / "a.pdf"))
    assert head.page_count == len(pages) == 3
    assert head.metadata["title"] == "Practice Handbook"
    document = paged_document(pages, head.outline)
    assert [page.label for page in document.pages] == ["7-1", "7-2", "7-3"]
    assert [section.heading for section in document.sections] == [f"Airspace Part {n}" for n in (1, 2, 3)]


def test_the_words_inside_the_rectangles_are_the_words_of_the_sentence(tmp_path: Path) -> None:
    path = handbook(tmp_path / "a.pdf", 2)
    drafts = chunk_pages(
        parsed(path), strategy=Strategy("fixed", 60, 10), count_tokens=lambda text: len(text.split())
    )
    with pymupdf.open(path) as file:
        for draft in drafts:
            for sentence in sentences_in(draft.text):
                lit = rectangles_for_span(draft.text, draft.lines, sentence.start, sentence.end)
                inside = [_words_in(file[rect.page - 1], rect.bbox) for rect in lit]
                assert plain(inside) == plain([sentence.text])


def _words_in(page: "pymupdf.Page", box: tuple[float, float, float, float]) -> str:
    x0, y0, x1, y1 = box
    inside = [
        word
        for wx0, wy0, wx1, wy1, word, *_ in page.get_text("words", sort=True)
        if x0 - 0.5 <= (wx0 + wx1) / 2 <= x1 + 0.5 and y0 <= (wy0 + wy1) / 2 <= y1
    ]
    return clean_text(" ".join(inside))


def test_figures_have_their_labels_and_files(tmp_path: Path) -> None:
    shown = illustrate(handbook(tmp_path / "a.pdf"), tmp_path / "out")
    assert shown.labels() == ["Figure 7-1", "Figure 7-2", "Figure 7-3"]
    assert shown.figures[0].caption == "Figure 7-1. Layers of controlled airspace, part 1."
    assert not shown.refused
    files = [shown.out / figure.picture.file for figure in shown.figures]
    assert all(file.stat().st_size > 1000 for file in files)


def test_a_page_is_rendered_at_the_resolution_asked_for(tmp_path: Path) -> None:
    path = one_page(tmp_path / "a.pdf", ["text"])
    with Image.open(BytesIO(render_page(path, 1, dpi=72, form="png"))) as picture:
        assert (picture.format, picture.size) == ("PNG", (595, 842))
    assert [number for number, _ in render_pages(handbook(tmp_path / "b.pdf"), [3, 1], dpi=40)] == [3, 1]


@pytest.mark.parametrize(
    ("page", "dpi", "code"), [(2, 72, "no_such_page"), (0, 72, "no_such_page"), (1, 9999, "over_limits")]
)
def test_a_page_that_cannot_be_rendered_is_refused(tmp_path: Path, page: int, dpi: int, code: str) -> None:
    with pytest.raises(RefusedFile) as refused:
        render_page(one_page(tmp_path / "a.pdf", ["text"]), page, dpi=dpi)
    assert refused.value.code == code


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def bad(kind: str, path: Path) -> Path:
    if kind == "encrypted":
        return locked(path)
    if kind == "no_pages":
        return without_pages(path)
    whole = handbook(path).read_bytes()
    contents = {"empty": b"", "not_a_pdf": b"<html>no</html>", "broken": b"%PDF-1.7\n" + whole[40:90] * 5}
    return written(path, contents[kind])


@pytest.mark.parametrize("kind", ["encrypted", "no_pages", "empty", "not_a_pdf", "broken"])
def test_a_bad_file_is_refused_with_its_reason(tmp_path: Path, kind: str) -> None:
    with pytest.raises(RefusedFile) as refused:
        read(bad(kind, tmp_path / "a.pdf"))
    assert refused.value.code in (kind, "no_pages") if kind == "broken" else refused.value.code == kind
    assert str(tmp_path) not in str(refused.value)


def test_half_a_file_is_refused_or_read_but_never_hangs(tmp_path: Path) -> None:
    whole = handbook(tmp_path / "a.pdf").read_bytes()
    assert _outcome(written(tmp_path / "b.pdf", whole[: len(whole) // 2])) in ("read", "broken", "no_pages")


def _outcome(path: Path) -> str:
    try:
        read(path)
    except RefusedFile as refused:
        return refused.code
    return "read"


def test_reading_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_CHILD", program_that_hangs.__name__)
    with pytest.raises(RefusedFile, match="took too long") as refused:
        list(read_pdf(handbook(tmp_path / "a.pdf"), seconds=0.05))
    assert refused.value.code == "over_limits"


def test_a_scan_needs_its_text_recognised(tmp_path: Path) -> None:
    assert [page.needs_ocr for page in parsed(scan(tmp_path / "a.pdf")).pages] == [True]


def test_the_child_knows_no_django_and_says_json_only(tmp_path: Path) -> None:
    path = bad("broken", tmp_path / "a.pdf")
    code = (
        "import sys; from knowledge.ingestion.parsing.pdf_worker import run; run(['read', sys.argv[1]]);"
        "sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert all(json.loads(said)["type"] for said in done.stdout.splitlines())
