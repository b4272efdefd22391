"""The values a file passes through on its way to chunks. Pure: nothing here reads a file.

`RawPage` is what an adapter found on one page; `PageText` is that page in reading order without what is
printed on every page; `Paragraph` is running text that knows where each stretch of it is printed;
`Section` is a heading with the paragraphs below it; `ParsedDocument` is the whole. Lengths are points
(1/72 inch), the origin is the upper left corner of the page, pages count from 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

Box = tuple[float, float, float, float]
Kind = Literal["body", "heading", "item", "row", "toc", "caption"]

_CHARACTERS = {
    0x00A0: " ",  # spaces that are not the space
    0x2002: " ",
    0x2003: " ",
    0x2009: " ",
    0x202F: " ",
    0x2010: "-",  # hyphens that are not the hyphen
    0x2011: "-",
    0x00AD: "-",
    0x200B: None,  # marks without width
    0x200C: None,
    0x200D: None,
    0xFEFF: None,
    0x2028: " ",
    0x2029: " ",
    0xF0B7: "•",  # what a symbol font calls its bullets
    0xF0A7: "•",
    0xF0A8: "•",
    0xFFFD: " ",
}
_CHARACTERS |= dict.fromkeys(range(32), " ") | dict.fromkeys(range(127, 160), " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One printed line. `lead` is the bold text it opens with, `xs` where each of its words begins."""

    text: str
    bbox: Box
    size: float = 10.0
    bold: bool = False
    lead: str = ""
    block: int = 0
    xs: tuple[float, ...] = ()

    @property
    def height(self) -> float:
        return self.bbox[3] - self.bbox[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An embedded picture where a page shows it; `size` is its length in the file, in bytes."""

    xref: int
    page: int
    bbox: Box
    width: int
    height: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    number: int
    width: float
    height: float
    rotation: int = 0
    label: str = ""
    lines: tuple[Line, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """A page in reading order. `columns` counts them; `column_of` says for each line in which it stands."""

    number: int
    label: str
    width: float
    height: float
    lines: tuple[Line, ...]
    column_of: tuple[int, ...] = ()
    rotation: int = 0
    running: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()

    @property
    def needs_ocr(self) -> bool:
        """A picture covers most of the page and there is next to no text: a scan."""
        covered = max((_area(picture.bbox) for picture in self.pictures), default=0.0)
        letters = sum(len(line.text) for line in self.lines)
        return letters < 20 and covered > 0.5 * self.width * self.height


@dataclass(frozen=True, slots=True)
class Piece:
    """The characters [start, end) of a text stand in `bbox` of `page`; `xs` are where its words begin."""

    page: int
    bbox: Box
    start: int
    end: int
    xs: tuple[float, ...] = ()

    def moved(self, by: int) -> "Piece":
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text, and where it is printed. `bold` and `size` are those of its first line."""

    text: str
    pieces: tuple[Piece, ...] = ()
    kind: Kind = "body"
    size: float = 10.0
    bold: bool = False
    lead: str = ""

    @property
    def page(self) -> int | None:
        return self.pieces[0].page if self.pieces else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands below it, up to the next heading. `number` is "91.155", "3-2-6" or "10.1"."""

    heading: str
    level: int
    path: tuple[str, ...]
    number: str = ""
    anchor: str = ""
    paragraphs: tuple[Paragraph, ...] = ()
    border: bool = False

    @property
    def letters(self) -> int:
        return sum(len(paragraph.text) for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a document is. Empty means that it could not be told."""

    title: str = ""
    doc_type: str = ""
    abbreviation: str = ""
    edition: str = ""
    edition_date: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()

    def over(self, other: "Description") -> "Description":
        """This description where it says something, `other` where it does not."""
        return Description(
            title=self.title or other.title,
            doc_type=self.doc_type or other.doc_type,
            abbreviation=self.abbreviation or other.abbreviation,
            edition=self.edition or other.edition,
            edition_date=self.edition_date or other.edition_date,
            category=self.category or other.category,
            tags=self.tags or other.tags,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDocument:
    description: Description
    paged: bool
    pages: tuple[PageText, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    sections: tuple[Section, ...] = ()

    def label_of(self, number: int) -> str:
        """What is printed on a page as its number; empty where nothing is."""
        return next((page.label for page in self.pages if page.number == number), "")

    def paragraphs(self) -> Iterator[Paragraph]:
        for section in self.sections:
            yield from section.paragraphs


def clean_text(text: str) -> str:
    """Text as people read it: one kind of space and hyphen, bullets as bullets, no control characters."""
    return text.translate(_CHARACTERS)


def squeezed(text: str) -> str:
    """Text with every run of white space as one space: what hashes, caches and comparisons look at."""
    return " ".join(text.split())


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
