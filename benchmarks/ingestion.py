"""How fast pages become chunks, beside bare PyMuPDF reading the same pages in the same run.

`python -m benchmarks.ingestion` prints one JSON document. The product's text path is all there is before embedding:
the child process, reading order, paragraphs, headings, chunks with their rectangles. The bare way is PyMuPDF's own
`dict` of every page without images. Rounds alternate, so that a busy machine slows both; the best round of each
counts. The FAA's files are read where they are found (`../shared/data/faa`), a generated handbook otherwise.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pymupdf

from knowledge.ingestion.chunking import chunk_pages
from knowledge.ingestion.documents import paged_document
from knowledge.ingestion.pages import RawPage
from knowledge.ingestion.pdf import PdfHead, read_pdf, render_pages
from llm.minilm import tokenizer

FAA = Path(__file__).resolve().parents[2] / "shared" / "data" / "faa"
FILES = (
    "pdf/ac_90-66c.pdf",
    "pdf/FAA-S-ACS-6C_Private_Pilot_ACS.pdf",
    "phak/phak_ch15.pdf",
    "phak/phak_ch12.pdf",
)
ROUNDS = 3
GENERATED_PAGES = 60
DPI = 200

Work = Callable[[], object]


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Pages a second, by file and way."""
    count = tokenizer()
    with TemporaryDirectory() as folder:
        return {
            "what": f"pages a second, best of {rounds} rounds; rendering at {DPI} DPI",
            "files": [
                _measured(path, rounds, lambda text: len(count.encode(text, add_special_tokens=False).ids))
                for path in _files(Path(folder))
            ],
        }


def _measured(path: Path, rounds: int, count: Callable[[str], int]) -> dict[str, Any]:
    pages = _page_count(path)
    seconds = _best(
        {
            "bare": lambda: _bare(path),
            "read": lambda: _raw(path),
            "text": lambda: _chunks(path, count),
            "bare render": lambda: _bare_render(path),
            "render": lambda: sum(1 for _ in render_pages(path, range(1, pages + 1), dpi=DPI, form="png")),
        },
        rounds,
    )
    start = _best({"start": lambda: next(iter(read_pdf(path)))}, rounds)["start"]
    return {
        "file": path.name,
        "pages": pages,
        "chunks": _chunks(path, count),
        "pages_per_second": {way: round(pages / took, 1) for way, took in seconds.items()},
        "text_beside_bare": round(seconds["bare"] / seconds["text"], 2),
        "text_beside_bare_once_started": round(seconds["bare"] / max(1e-9, seconds["text"] - start), 2),
        "start_ms": round(1000 * start),
    }


def _best(ways: dict[str, Work], rounds: int) -> dict[str, float]:
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, work in ways.items():
            began = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def _bare(path: Path) -> None:
    with pymupdf.open(path) as document:
        for page in document:
            page.get_text("dict", flags=pymupdf.TEXTFLAGS_TEXT)


def _bare_render(path: Path) -> None:
    with pymupdf.open(path) as document:
        for page in document:
            page.get_pixmap(dpi=DPI).tobytes("png")


def _raw(path: Path) -> tuple[PdfHead, list[RawPage]]:
    head, *pages = read_pdf(path)
    assert isinstance(head, PdfHead)
    return head, [page for page in pages if isinstance(page, RawPage)]


def _chunks(path: Path, count: Callable[[str], int]) -> int:
    head, pages = _raw(path)
    document = paged_document(pages, head.outline, file_name=path.name, metadata=head.metadata)
    return len(chunk_pages(document, count_tokens=count))


def _page_count(path: Path) -> int:
    with pymupdf.open(path) as document:
        return int(document.page_count)


def _files(folder: Path) -> list[Path]:
    found = [FAA / name for name in FILES if (FAA / name).is_file()]
    return found or [_generated(folder / "generated.pdf")]


def _generated(path: Path) -> Path:
    text = (
        "No person may operate an aircraft below 1,000 feet above the surface. A pilot tunes 121.5 MHz. " * 20
    )
    document = pymupdf.open()
    for number in range(1, GENERATED_PAGES + 1):
        page = document.new_page()
        page.insert_text((72, 60), f"Section {number}", fontname="hebo", fontsize=16)
        page.insert_textbox((72, 80, 540, 760), text, fontsize=11)
    document.save(path)
    return path


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
    sys.stdout.write("\n")
