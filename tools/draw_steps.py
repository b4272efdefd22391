"""Draw what each step of ingestion does to one real page, over that page.

    .venv/bin/python -m tools.draw_steps [FILE.pdf [PAGE]]

writes docs/pictures/steps/*.webp: the lines as they were read, the blocks, the chunks, a chunk's lines with their
rectangles, the figures, the links, a quote. The steps are the product's own; only the drawing is done here. Without a
file the page is one of the FAA's advisory circular 90-66C, which is in the public domain.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pymupdf
from PIL import Image, ImageDraw, ImageFont

from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.document_model import Box, Paragraph, ParsedDocument, RawPage
from knowledge.ingestion.figures.deduplication import ExtractedFigures
from knowledge.ingestion.figures.extraction import extract_figures
from knowledge.ingestion.figures.linking import Link, LinkedChunk, LinkedFigure, find_links
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.pdf import PdfHead, read_pdf
from knowledge.text.sentences import sentences_in
from llm.local.minilm import load_tokenizer

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT.parent / "shared" / "data" / "faa" / "pdf" / "ac_90-66c.pdf"
OUT = ROOT / "docs" / "pictures" / "steps"
SCALE = 1.15  # pixels a point: 83 dots an inch, on which print can still be read
QUALITY = 45  # of WebP: eight pages take some 400 KB
COLOURS = ("#1f6feb", "#c2410c", "#15803d", "#a21caf", "#0f766e", "#b91c1c", "#6d28d9", "#92610a")
KINDS = {"heading": "#b91c1c", "item": "#15803d", "row": "#6d28d9", "header": "#6d28d9", "caption": "#a21caf"}

Rgba = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Made:
    """What the steps made of a file."""

    path: Path
    raw: tuple[RawPage, ...]
    document: ParsedDocument
    chunks: tuple[ChunkDraft, ...]
    settled: ExtractedFigures
    links: tuple[Link, ...]


def made_of(path: Path) -> Made:
    """The product's steps up to the links, without storing anything."""
    found = list(read_pdf(path))
    head = next(one for one in found if isinstance(one, PdfHead))
    raw = tuple(one for one in found if isinstance(one, RawPage))
    document = paged_document(raw, head.outline, file_name=path.name, metadata=head.metadata)
    tokens = load_tokenizer()
    chunks = chunk_pages(
        document, count_tokens=lambda text: len(tokens.encode(text, add_special_tokens=False).ids)
    )
    with TemporaryDirectory() as folder:
        settled = extract_figures(path, document, Path(folder), lambda done, total: None)
    told = document.description
    links = find_links(
        [LinkedChunk(one.text, tuple({line.page for line in one.lines})) for one in chunks],
        [LinkedFigure(one.label, one.caption, one.pages) for one in settled.figures],
        (told.title, told.abbreviation),
    )
    return Made(path, raw, document, chunks, settled, tuple(links))


def page_to_show(made: Made) -> int:
    """The page that shows most: a figure, and the most chunks beside it."""
    shown = {page for figure in made.settled.figures for page in figure.pages}
    counts = {page: len(_chunks_on(made, page)) * (2 if _named_on(made, page) else 1) for page in shown}
    return max(counts, key=lambda page: (counts[page], -page))


def _named_on(made: Made, page: int) -> bool:
    return any(
        link.strategy == "figure_ref" and page in made.settled.figures[link.figure].pages
        for link in made.links
    )


def _chunks_on(made: Made, page: int) -> list[ChunkDraft]:
    return [one for one in made.chunks if any(line.page == page for line in one.lines)]


# --- the pictures ------------------------------------------------------------


class Sheet:
    """A page as it is printed, to draw on; lengths are points."""

    def __init__(self, path: Path, page: int) -> None:
        with pymupdf.open(path) as document:
            pixels = document[page - 1].get_pixmap(matrix=pymupdf.Matrix(SCALE, SCALE))
            self.image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).convert("RGBA")
        self.font = ImageFont.load_default(size=12)

    def box(self, box: Box, colour: str, name: str = "", *, fill: int = 26, width: int = 2) -> None:
        over = Image.new("RGBA", self.image.size)
        brush = ImageDraw.Draw(over)
        corners = tuple(value * SCALE for value in box)
        brush.rectangle(corners, fill=_rgba_of(colour, fill), outline=_rgba_of(colour, 230), width=width)
        if name:
            self._name(brush, name, corners[1], colour)
        self.image = Image.alpha_composite(self.image, over)

    def _name(self, brush: ImageDraw.ImageDraw, name: str, top: float, colour: str) -> None:
        """In the right margin, beside what it names."""
        width = brush.textlength(name, font=self.font)
        left = self.image.width - width - 6
        brush.rectangle((left - 4, top, self.image.width, top + 18), fill=_rgba_of(colour, 255))
        brush.text((left, top + 1), name, fill="white", font=self.font)

    def arrow(self, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
        over = Image.new("RGBA", self.image.size)
        brush = ImageDraw.Draw(over)
        a, b = ((x * SCALE, y * SCALE) for x, y in (start, end))
        brush.line((*a, *b), fill=_rgba_of(colour, 230), width=3)
        brush.ellipse((b[0] - 5, b[1] - 5, b[0] + 5, b[1] + 5), fill=_rgba_of(colour, 255))
        self.image = Image.alpha_composite(self.image, over)

    def save(self, name: str) -> int:
        """Bytes written."""
        OUT.mkdir(parents=True, exist_ok=True)
        self.image.convert("RGB").save(OUT / f"{name}.webp", quality=QUALITY, method=6)
        return (OUT / f"{name}.webp").stat().st_size


def _rgba_of(colour: str, alpha: int) -> Rgba:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16), alpha


def around(boxes: Iterable[Box], by: float = 2.0) -> Box:
    """The rectangle around rectangles, a little larger."""
    found = list(boxes)
    return (
        min(box[0] for box in found) - by,
        min(box[1] for box in found) - by,
        max(box[2] for box in found) + by,
        max(box[3] for box in found) + by,
    )


def draw_page(made: Made, page: int, sheet: Sheet) -> None:
    """As it is printed."""


def draw_read(made: Made, page: int, sheet: Sheet) -> None:
    """Each line as the file has it, and the pictures."""
    for line in made.raw[page - 1].lines:
        sheet.box(made.raw[page - 1].frame_of(line).shown_box(line.bbox), "#1f6feb", fill=18, width=1)
    for picture in made.raw[page - 1].pictures:
        sheet.box(picture.bbox, "#c2410c", f"{picture.width} x {picture.height}", fill=18)


def draw_blocks(made: Made, page: int, sheet: Sheet) -> None:
    """Paragraphs in reading order, by kind; what is printed on every page is left out."""
    number = 0
    for paragraph in made.document.paragraphs():
        if boxes := _boxes_of(paragraph, page):
            number += 1
            colour = KINDS.get(paragraph.kind, "#1f6feb")
            sheet.box(around(boxes), colour, f"{number} {paragraph.kind}")


def _boxes_of(paragraph: Paragraph, page: int) -> list[Box]:
    return [piece.bbox for piece in paragraph.pieces if piece.page == page]


def draw_chunks(made: Made, page: int, sheet: Sheet) -> None:
    """What is searched and cited: never over a section's border."""
    for at, chunk in enumerate(_chunks_on(made, page)):
        boxes = [line.bbox for line in chunk.lines if line.page == page]
        name = f"{chunk.section or chunk.heading[:30]}, {chunk.tokens} tokens"
        sheet.box(around(boxes), COLOURS[at % len(COLOURS)], name)


def draw_lines(made: Made, page: int, sheet: Sheet) -> None:
    """One chunk: a rectangle for each printed line, a mark where each word begins."""
    for line in _longest_chunk(made, page).lines:
        if line.page == page:
            sheet.box(line.bbox, "#15803d", fill=30, width=1)
            for x in line.xs:
                sheet.box((x, line.bbox[1], x + 0.8, line.bbox[3]), "#b91c1c", fill=255, width=1)


def draw_figures(made: Made, page: int, sheet: Sheet) -> None:
    """What is kept as a figure, with its label and category."""
    for figure in made.settled.figures:
        if page in figure.pages:
            sheet.box(
                figure.bbox, "#a21caf", f"{figure.label or 'figure'}: {figure.category}", fill=20, width=3
            )


def draw_links(made: Made, page: int, sheet: Sheet) -> None:
    """Which passage refers to which figure, why, and how certainly."""
    draw_figures(made, page, sheet)
    found = _links_on(made, page)
    for at, link in enumerate(found):
        colour, figure = COLOURS[at % len(COLOURS)], made.settled.figures[link.figure]
        box = around(line.bbox for line in made.chunks[link.chunk].lines if line.page == page)
        sheet.box(box, colour, f"{link.strategy} {link.relevance:.2f}", fill=18)
        left, top, right, bottom = figure.bbox
        x = left + (right - left) * (at + 1) / (len(found) + 1)
        above = box[1] < top
        sheet.arrow((x, box[3] if above else box[1]), (x, top + 14 if above else bottom - 14), colour)


def _links_on(made: Made, page: int) -> list[Link]:
    here = {at for at, chunk in enumerate(made.chunks) if any(line.page == page for line in chunk.lines)}
    return [
        link for link in made.links if link.chunk in here and page in made.settled.figures[link.figure].pages
    ]


def draw_quote(made: Made, page: int, sheet: Sheet) -> None:
    """A sentence of the chunk, as a citation lights it."""
    chunk = _longest_chunk(made, page)
    quote = max((one.text for one in sentences_in(chunk.text)), key=len)
    for found in rectangles_for_quote(chunk.text, [line.to_dict() for line in chunk.lines], quote):
        if found.page == page:
            sheet.box((found.x0, found.y0, found.x1, found.y1), "#ffd84d", fill=110, width=1)


def _longest_chunk(made: Made, page: int) -> ChunkDraft:
    return max(_chunks_on(made, page), key=lambda one: sum(line.page == page for line in one.lines))


DRAWN: Sequence[tuple[str, Callable[[Made, int, Sheet], None]]] = (
    ("1-page", draw_page),
    ("2-read", draw_read),
    ("3-blocks", draw_blocks),
    ("4-chunks", draw_chunks),
    ("5-lines", draw_lines),
    ("6-figures", draw_figures),
    ("7-links", draw_links),
    ("8-quote", draw_quote),
)


def main(arguments: Sequence[str]) -> int:
    path = Path(arguments[0]) if arguments else FILE
    if not path.is_file():
        print(f"There is no file {path}: name a PDF.", file=sys.stderr)
        return 2
    made = made_of(path)
    page = int(arguments[1]) if len(arguments) > 1 else page_to_show(made)
    total = 0
    for name, draw in DRAWN:
        sheet = Sheet(path, page)
        draw(made, page, sheet)
        total += sheet.save(name)
    print(
        f"{len(DRAWN)} pictures of page {page} of {path.name}, {total / 1024:.0f} KB, in {OUT.relative_to(ROOT)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
