"""Read a PDF file as raw pages, or render its pages, in a process of its own (`pdf_worker`).

Any failure there is raised here as RefusedFile with a message that says what to do. Must not know Django; only the
process loads PyMuPDF.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from knowledge import conf
from knowledge.grounding.page_rotation import Frame
from knowledge.ingestion.document_model import Box, Line, OutlineEntry, Picture, RawPage, clean_text
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.parsing.detect import HEAD_BYTES, has_pdf_header
from knowledge.ingestion.parsing.sandbox import Message, messages_of

_CHILD = "knowledge.ingestion.parsing.pdf_worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfHead:
    """What is known of a PDF before its pages are read."""

    page_count: int
    metadata: dict[str, str]
    outline: tuple[OutlineEntry, ...]
    repaired: bool = False


def read_pdf(path: Path, *, seconds: float = conf.CHILD_WALL_SECONDS) -> Iterator[PdfHead | RawPage]:
    """The head of a PDF, then its pages one by one as they are read. `seconds` are wall time for all of them."""
    _check_is_pdf(path)
    for message in messages_of(_CHILD, "read", str(path), seconds=seconds):
        if message["type"] == "page":
            yield page_from_message(message)
            continue
        outline = tuple(
            OutlineEntry(level, clean_text(title).strip(), page) for level, title, page in message["outline"]
        )
        yield PdfHead(
            page_count=message["pages"],
            metadata=message["metadata"],
            outline=outline,
            repaired=message["repaired"],
        )


def render_pages(
    path: Path,
    pages: Sequence[int],
    *,
    dpi: int = conf.PAGE_DPI,
    form: Literal["png", "webp"] = "webp",
) -> Iterator[tuple[int, bytes]]:
    """Pictures of pages (counted from 1), one process for all of them."""
    _check_is_pdf(path)
    with tempfile.TemporaryDirectory(prefix="heydpe-pages-") as out:
        command = ("render", str(path), out, str(dpi), form, *map(str, pages))
        for message in messages_of(_CHILD, *command, seconds=conf.CHILD_WALL_SECONDS):
            yield message["page"], (Path(out) / message["file"]).read_bytes()


def render_page(
    path: Path, page: int, *, dpi: int = conf.PAGE_DPI, form: Literal["png", "webp"] = "webp"
) -> bytes:
    """The picture of one page."""
    return next(data for _, data in render_pages(path, [page], dpi=dpi, form=form))


def _check_is_pdf(path: Path) -> None:
    """Refuse what is no PDF before a process is started for it."""
    with path.open("rb") as file:
        start = file.read(HEAD_BYTES)
    if not start:
        raise RefusedFile("The file is empty. Download it again, or save it again.", "empty")
    if not has_pdf_header(start):
        raise RefusedFile(
            "The file is not a PDF, whatever its name says. Upload the PDF itself.", "not_a_pdf"
        )


# --- from messages to values ------------------------------------------------------------


def page_from_message(message: Message) -> RawPage:
    number = message["number"]
    page = RawPage(
        number=number,
        width=message["width"],
        height=message["height"],
        rotation=message["rotation"],
        label=clean_text(message["label"]).strip(),
        hidden=message["hidden"],
        crowded=message["crowded"],
        lines=tuple(
            line for line in (_line_from(fields, message) for fields in message["lines"]) if line.text
        ),
        pictures=tuple(
            Picture(**{**fields, "page": number, "bbox": _box_from(fields["bbox"])})
            for fields in message["pictures"]
        ),
    )
    frame = page.frame
    return replace(page, rules=tuple(frame.read_box(_box_from(rule)) for rule in message["rules"]))


def _line_from(fields: Message, page: Message) -> Line:
    text = " ".join(clean_text(fields["text"]).split())
    frame = Frame(fields["turn"], page["width"], page["height"])
    starts = frame.word_starts([x / 10 for x in fields["xs"]])
    return Line(
        text=text,
        bbox=frame.read_box(_box_from([value / 10 for value in fields["bbox"]])),
        size=fields["size"],
        bold=fields["bold"],
        lead=" ".join(clean_text(fields["lead"]).split()),
        block=fields["block"],
        turn=frame.turn,
        xs=starts if len(starts) == len(text.split()) else (),
    )


def _box_from(values: Sequence[float]) -> Box:
    x0, y0, x1, y1 = values
    return (x0, y0, x1, y1)
