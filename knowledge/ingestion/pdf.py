"""A PDF file becomes raw pages, picture files and rendered pages, through a process of its own.

The parsing process (`parse_child`) has limits on memory and processor time, this side has one on wall
time and kills it when that is over. Whatever goes wrong there arrives here as `RefusedFile` with a
message that says what to do. Knows no Django; PyMuPDF is loaded in the child alone.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from knowledge import conf
from knowledge.grounding.turning import Frame

from .errors import RefusedFile
from .pages import Line, OutlineEntry, Picture, RawPage, clean_text

ROOT = Path(__file__).resolve().parents[2]
#: A PDF may have bytes before its header; readers look into the first 1024 (PDF 1.7, implementation note 13).
MAGIC, MAGIC_WITHIN = b"%PDF-", 1024

Message = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfHead:
    """What is known of a PDF before its pages are read."""

    page_count: int
    metadata: dict[str, str]
    outline: tuple[OutlineEntry, ...]


def check_pdf(path: Path) -> None:
    """Refuse what is no PDF before a process is started for it."""
    with path.open("rb") as file:
        start = file.read(MAGIC_WITHIN)
    if not start:
        raise RefusedFile("The file is empty.", "empty")
    if MAGIC not in start:
        raise RefusedFile(
            "The file is not a PDF, whatever its name says. Feed in the PDF itself.", "not_a_pdf"
        )


def read_pdf(path: Path, *, seconds: float = conf.CHILD_WALL_SECONDS) -> Iterator[PdfHead | RawPage]:
    """The head of a PDF, then its pages one by one as they are read."""
    check_pdf(path)
    for message in _messages("read", str(path), seconds=seconds):
        if message["type"] == "document":
            yield _head(message)
        elif message["type"] == "page":
            yield raw_page(message)


def render_pages(
    path: Path,
    pages: Sequence[int],
    *,
    dpi: int = conf.PAGE_DPI,
    form: Literal["png", "webp"] = "webp",
    seconds: float = conf.CHILD_WALL_SECONDS,
) -> Iterator[tuple[int, bytes]]:
    """Pictures of pages (counted from 1), one process for all of them."""
    check_pdf(path)
    with tempfile.TemporaryDirectory(prefix="heydpe-pages-") as out:
        numbers = [str(page) for page in pages]
        for message in _messages("render", str(path), out, str(dpi), form, *numbers, seconds=seconds):
            if message["type"] == "rendered":
                yield message["page"], (Path(out) / message["file"]).read_bytes()


def render_page(
    path: Path, page: int, *, dpi: int = conf.PAGE_DPI, form: Literal["png", "webp"] = "webp"
) -> bytes:
    """The picture of one page."""
    return next(data for _, data in render_pages(path, [page], dpi=dpi, form=form))


@contextmanager
def picture_files(
    path: Path, xrefs: Sequence[int], *, seconds: float = conf.CHILD_WALL_SECONDS
) -> Iterator[dict[int, Path]]:
    """The embedded pictures as files that live as long as the block; one that cannot be read is missing."""
    with tempfile.TemporaryDirectory(prefix="heydpe-figures-") as out:
        numbers = [str(xref) for xref in xrefs]
        files: dict[int, Path] = {}
        if numbers:
            for message in _messages("pictures", str(path), out, *numbers, seconds=seconds):
                if message["type"] == "picture" and message["file"]:
                    files[message["xref"]] = Path(out) / message["file"]
        yield files


# --- from messages to values ------------------------------------------------------------


def _head(message: Message) -> PdfHead:
    outline = tuple(
        OutlineEntry(level, clean_text(title).strip(), page) for level, title, page in message["outline"]
    )
    return PdfHead(page_count=message["pages"], metadata=message["metadata"], outline=outline)


def raw_page(message: Message) -> RawPage:
    number = message["number"]
    page = RawPage(
        number=number,
        width=message["width"],
        height=message["height"],
        rotation=message["rotation"],
        label=clean_text(message["label"]).strip(),
        lines=tuple(line for line in (_line(found, message) for found in message["lines"]) if line.text),
        pictures=tuple(
            Picture(
                xref=found["xref"],
                page=number,
                bbox=_box(found["bbox"]),
                width=found["width"],
                height=found["height"],
                size=found["size"],
            )
            for found in message["pictures"]
        ),
    )
    return replace(page, rules=tuple(page.frame.read(_box(rule)) for rule in message["rules"]))


def _line(found: Message, page: Message) -> Line:
    text = " ".join(clean_text(found["text"]).split())
    frame = Frame(found["turn"], page["width"], page["height"])
    starts = frame.starts(found["xs"])
    return Line(
        text=text,
        bbox=frame.read(_box(found["bbox"])),
        size=found["size"],
        bold=found["bold"],
        lead=" ".join(clean_text(found["lead"]).split()),
        block=found["block"],
        turn=frame.turn,
        xs=starts if len(starts) == len(text.split()) else (),
    )


def _box(values: Sequence[float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = values
    return (x0, y0, x1, y1)


# --- the process ------------------------------------------------------------


def _messages(*arguments: str, seconds: float) -> Iterator[Message]:
    """What the child says, line by line; it is gone when this generator ends, however it ends."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "knowledge.ingestion.parse_child", *arguments],
            cwd=ROOT,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        late = threading.Event()
        timer = threading.Timer(seconds, _kill_late, (child, late))
        timer.start()
        try:
            yield from _spoken(child, late)
        finally:
            timer.cancel()
            child.kill()
            child.wait()
            if child.stdout:
                child.stdout.close()


def _kill_late(child: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    child.kill()


def _spoken(child: subprocess.Popen[bytes], late: threading.Event) -> Iterator[Message]:
    assert child.stdout is not None
    while line := child.stdout.readline(conf.LINE_BYTES):
        message = _decoded(line)
        if message["type"] == "error":
            raise RefusedFile(message["message"], message["code"])
        if message["type"] == "done":
            return
        yield message
    if late.is_set():
        raise RefusedFile(
            "Reading the PDF took too long and was stopped. Split the file, or save it anew.", "over_limits"
        )
    raise RefusedFile(_death(child.wait()), "over_limits")


def _decoded(line: bytes) -> Message:
    if not line.endswith(b"\n"):
        raise RefusedFile(
            "A page of the PDF holds more text than one page may. Split the file.", "over_limits"
        )
    message: Message = json.loads(line)
    return message


def _death(status: int) -> str:
    if status < 0:
        return f"Reading the PDF was stopped (signal {-status}): it needs more than one file may take."
    return (
        f"Reading the PDF ended early (status {status}). Save the file anew from its program and try again."
    )


def _environment() -> dict[str, str]:
    kept = {
        name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH", "TMPDIR") if name in os.environ
    }
    return kept | {"PYMUPDF_MESSAGE": "fd:2", "PYMUPDF_LOG": "fd:2", "PYTHONDONTWRITEBYTECODE": "1"}
