"""Read the text of scanned pages from their pictures by tesseract, if it is installed.

A separate process with a time limit renders and reads each page. The text is treated like any other but may be wrong,
so the page is marked as recognized. Knows no Django.
"""

import csv
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from knowledge import conf
from knowledge.ingestion.document_model import Box, Line, RawPage, clean_text, is_scan
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.layout.boxes import union_of
from knowledge.ingestion.parsing.pdf import render_pages

Tick = Callable[[int, int], None]
NO_TESSERACT = (
    "tesseract is not installed on this machine. Install it (apt-get install tesseract-ocr) and try again."
)
_WORD_LEVEL = "5"  # in tesseract's table
# the size of type as a share of a line's height, which counts what hangs below and stands out
_LINE_SIZE = 0.75


@dataclass(frozen=True, slots=True)
class Recognised:
    """All pages, the numbers of those that were read, and how many of their words are certain or doubtful."""

    pages: tuple[RawPage, ...]
    read: tuple[int, ...] = ()
    sure: int = 0
    doubtful: int = 0


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    box: Box
    line: tuple[int, int, int]
    sure: bool


def can_recognise() -> bool:
    """Whether tesseract is installed."""
    return shutil.which("tesseract") is not None


def recognise_pages(path: Path, pages: Sequence[RawPage], tick: Tick) -> Recognised:
    """The pages; scans have the lines that their pictures show. Raises IngestionError."""
    scans = [page for page in pages if is_scan(page)]
    if scans and not can_recognise():
        raise IngestionError(NO_TESSERACT, "no_tesseract")
    done: dict[int, RawPage] = {}
    words: list[_Word] = []
    for page in scans:
        found = _read_words(path, page)
        words += found
        done[page.number] = replace(page, lines=tuple(_lines_of_words(found)), recognised=True)
        tick(len(done), len(scans))
    sure = sum(word.sure for word in words)
    return Recognised(
        tuple(done.get(page.number, page) for page in pages), tuple(done), sure, len(words) - sure
    )


def _read_words(path: Path, page: RawPage) -> list[_Word]:
    """The words in tesseract's table of a page's picture. Raises IngestionError."""
    square_inches = max(page.width * page.height / 72**2, 1e-6)
    dpi = max(30, min(conf.OCR_DPI, int((conf.MAX_PAGE_PIXELS / square_inches) ** 0.5)))
    ((_, picture),) = render_pages(path, [page.number], dpi=dpi, form="png")
    kept = {name: os.environ[name] for name in ("PATH", "TESSDATA_PREFIX", "LANG") if name in os.environ}
    try:
        done = subprocess.run(
            ["tesseract", "stdin", "stdout", "-l", "eng", "--psm", "3", "tsv"],
            input=picture,
            capture_output=True,
            timeout=conf.OCR_SECONDS,
            env={**kept, "OMP_THREAD_LIMIT": "1"},
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        why = f"Recognizing the text of page {page.number} took too long."
        raise IngestionError(why, "over_limits") from error
    except (subprocess.CalledProcessError, OSError) as error:
        said = getattr(error, "stderr", b"") or b""
        why = said.decode(errors="replace").strip()[-300:] or str(error)
        raise IngestionError(
            f"The text of page {page.number} could not be recognized: {why}", "no_ocr"
        ) from error
    scale, words = 72 / dpi, []
    table = done.stdout.decode(errors="replace").splitlines()
    for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
        text = clean_text(row["text"] or "").strip()
        if row["level"] == _WORD_LEVEL and text:
            x, y, wide, high = (int(row[name]) * scale for name in ("left", "top", "width", "height"))
            place = int(row["block_num"]), int(row["par_num"]), int(row["line_num"])
            is_sure = float(row["conf"]) >= conf.OCR_SURE
            words.append(_Word(text, (x, y, x + wide, y + high), place, is_sure))
    return words


def _lines_of_words(words: Sequence[_Word]) -> Iterator[Line]:
    """Printed lines, with one size of type per paragraph as far as heights tell it."""
    by_line: dict[tuple[int, int, int], list[_Word]] = defaultdict(list)
    for word in words:
        by_line[word.line].append(word)
    boxes = {place: union_of([word.box for word in line]) for place, line in by_line.items()}
    heights: dict[tuple[int, int], list[float]] = defaultdict(list)
    for (block, paragraph, _), box in boxes.items():
        heights[block, paragraph].append(box[3] - box[1])
    for place, line in by_line.items():
        ordered = sorted(line, key=lambda word: word.box[0])
        x0, y0, x1, y1 = boxes[place]
        yield Line(
            text=" ".join(" ".join(word.text.split()) for word in ordered),
            bbox=(round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)),
            size=round(_LINE_SIZE * median(heights[place[:2]])) or 1.0,
            block=place[0] * 1000 + place[1],
            xs=tuple(round(word.box[0], 1) for word in ordered for _ in word.text.split()),
        )
