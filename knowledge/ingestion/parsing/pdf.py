"""A PDF file becomes raw pages and rendered pages, through a process of its own.

The parsing process (`pdf_worker`) has limits on memory and processor time, this side has one on wall
time and kills it when that is over. Whatever goes wrong there arrives here as `RefusedFile` with a
message that says what to do. Knows no Django; PyMuPDF is loaded in the child alone.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from knowledge import conf
from knowledge.grounding.page_rotation import Frame
from knowledge.ingestion.document_model import Line, OutlineEntry, Picture, RawPage, clean_text
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.parsing.sandbox import Message, messages_of

_CHILD = "knowledge.ingestion.parsing.pdf_worker"
#: A PDF may have bytes before its header; readers look into the first 1024 (PDF 1.7, implementation note 13).
MAGIC, MAGIC_WITHIN = b"%PDF-", 1024


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
        raise RefusedFile("The file is empty. Download it again, or save it anew.", "empty")
    if MAGIC not in start:
        raise RefusedFile(
            "The file is not a PDF, whatever its name says. Upload the PDF itself.", "not_a_pdf"
        )


def read_pdf(path: Path, *, seconds: float = conf.CHILD_WALL_SECONDS) -> Iterator[PdfHead | RawPage]:
    """The head of a PDF, then its pages one by one as they are read."""
    check_pdf(path)
    for message in messages_of(_CHILD, "read", str(path), seconds=seconds):
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
        told = ("render", str(path), out, str(dpi), form, *numbers)
        for message in messages_of(_CHILD, *told, seconds=seconds):
            if message["type"] == "rendered":
                yield message["page"], (Path(out) / message["file"]).read_bytes()


def render_page(
    path: Path, page: int, *, dpi: int = conf.PAGE_DPI, form: Literal["png", "webp"] = "webp"
) -> bytes:
    """The picture of one page."""
    return next(data for _, data in render_pages(path, [page], dpi=dpi, form=form))


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
        hidden=message["hidden"],
        crowded=message["crowded"],
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
    frame = page.frame
    return replace(page, rules=tuple(frame.read(_box(rule)) for rule in message["rules"]))


def _line(found: Message, page: Message) -> Line:
    text = " ".join(clean_text(found["text"]).split())
    frame = Frame(found["turn"], page["width"], page["height"])
    starts = frame.starts([x / 10 for x in found["xs"]])
    return Line(
        text=text,
        bbox=frame.read(_box([value / 10 for value in found["bbox"]])),
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
