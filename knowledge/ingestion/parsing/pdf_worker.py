"""The process that opens untrusted PDFs: it answers a command with JSON lines on stdout.

The fork server (`fork_server`) calls `run` with `read PATH` or `render PATH OUT DPI FORMAT PAGE…`. It limits itself
before it opens anything, and knows no Django and, of the project, only its numbers. A broken file can at worst end this
process; `pdf.py` tells the operator why.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from knowledge import conf
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.parsing.pdf_page import read_page
from knowledge.ingestion.parsing.sandbox import (
    SAVE_AGAIN,
    Allowance,
    BadPart,
    Message,
    encode_message,
    limit_self,
    send_messages,
)
from knowledge.mupdf import mupdf

_COLLECT_EVERY = 50  # pages; garbage is not collected while a page is read: that costs a fifth of the time
_TITLE = 1000  # characters of a title, of a document or in its outline

Command = Callable[[Any, list[str]], Iterator[Message]]


def run(arguments: list[str], commands: Mapping[str, Command] | None = None) -> int:
    """Run one of the commands, this program's own unless others are given, on the file that the arguments name."""
    limit_self(conf.CHILD_MEMORY_BYTES, conf.CHILD_CPU_SECONDS)
    gc.freeze()
    gc.disable()
    command, path, *rest = arguments
    work = (commands or {"read": _read_pages, "render": _render_pages})[command]
    return send_messages(_messages_on(path, work, rest), "The PDF")


def _messages_on(path: str, work: Command, rest: list[str]) -> Iterator[Message]:
    """What a command says of a PDF. Raises RefusedFile for one that cannot be opened or has too many pages."""
    try:
        opened = mupdf.open(path, filetype="pdf")
    except mupdf.FileDataError as error:
        print(str(error)[:500], file=sys.stderr)
        raise RefusedFile(f"The PDF is damaged and cannot be opened. {SAVE_AGAIN}", "broken") from error
    with opened as document:
        if document.needs_pass:
            raise RefusedFile(
                "The PDF is locked with a password. Save it without one and upload it again.", "encrypted"
            )
        pages = document.page_count
        if pages == 0:
            raise RefusedFile(f"The PDF has no pages. {SAVE_AGAIN}", "no_pages")
        if pages > conf.MAX_PAGES:
            raise RefusedFile(
                f"The PDF has {pages} pages; at most {conf.MAX_PAGES} are read. Split it.", "over_limits"
            )
        yield from work(document, rest)


# --- read ------------------------------------------------------------


def _read_pages(document: Any, _: list[str]) -> Iterator[Message]:
    metadata = document.metadata or {}
    outline: list[list[Any]] = []
    has_labels = True  # asking each page for its number reads the list of all of them
    try:
        outline = [[level, str(title)[:_TITLE], page] for level, title, page, *_ in document.get_toc()]
    except Exception as error:  # a broken list makes the pages no worse
        print(f"outline: {error}"[:500], file=sys.stderr)
    try:
        has_labels = bool(document.get_page_labels())
    except Exception as error:
        print(f"labels: {error}"[:500], file=sys.stderr)
    yield {
        "type": "document",
        "pages": document.page_count,
        "metadata": {key: str(value)[:_TITLE] for key, value in metadata.items() if value},
        "outline": outline,
        "repaired": bool(document.is_repaired),
    }
    time = Allowance(conf.READ_SECONDS, conf.PAGE_SECONDS, conf.LONGEST_PAGE_SECONDS)
    lines = crowded = 0
    for number in range(1, document.page_count + 1):
        time.next_piece()
        if number % _COLLECT_EVERY == 0:
            gc.collect()
        try:
            page = read_page(document[number - 1], has_labels)
        except Exception as error:
            raise BadPart(f"Page {number} of the PDF") from error
        lines += len(page["lines"])
        crowded += page["crowded"]
        if crowded > conf.MAX_CROWDED:
            raise RefusedFile(
                f"{crowded} pages hold more text than print has, as drawings do. Upload a PDF that is set as text.",
                "over_limits",
            )
        if lines > conf.MAX_LINES_FIRST + conf.MAX_LINES_EACH * number:
            raise RefusedFile(
                f"The first {number} pages of the PDF hold {lines} lines, more than print does. Split it.",
                "over_limits",
            )
        yield page


# --- render ------------------------------------------------------------


def _render_pages(document: Any, rest: list[str]) -> Iterator[Message]:
    out, dpi, form, *numbers = rest
    for number in map(int, numbers):
        if not 1 <= number <= document.page_count:
            raise RefusedFile(
                f"The PDF has {document.page_count} pages; there is no page {number}.", "no_such_page"
            )
        page = document[number - 1]
        size = page.rect.width * page.rect.height * (int(dpi) / 72) ** 2
        if size > conf.MAX_PAGE_PIXELS:
            raise RefusedFile(
                f"Page {number} at {dpi} DPI has {size:.0f} pixels; ask for fewer.", "over_limits"
            )
        pixels = page.get_pixmap(dpi=int(dpi), alpha=False)
        path = Path(out) / f"{number}.{form}"
        if form == "png":  # MuPDF is quicker than Pillow, but cannot write WebP
            pixels.save(str(path))
        else:
            pixels.pil_save(str(path), format=form.upper(), quality=85, method=2)
        yield {"type": "rendered", "page": number, "file": path.name}


# --- warming up ------------------------------------------------------------


def warm_up() -> None:
    """Read a page of its own making: what the first page of every file has to wait for."""
    with mupdf.open(stream=_sample_pdf(), filetype="pdf") as document:
        encode_message(read_page(document[0]))


@cache
def _sample_pdf() -> bytes:
    with mupdf.open() as document:
        page = document.new_page()
        for number in range(50):
            sentence = "No person may operate an aircraft below 1,000 feet. "
            page.insert_text((72, 72 + 13 * number), sentence * 2)
        page.draw_rect((72, 72, 540, 540))
        data: bytes = document.tobytes()
    return data
