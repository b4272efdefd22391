"""The values that a file passes through on its way to chunks. Pure: nothing here reads a file.

`RawPage` is what an adapter found on one page; `PageText` is that page in reading order without running heads and feet;
`Paragraph` is running text that knows where it is printed; `Section` is a heading with the paragraphs below it;
`ParsedDocument` is the whole. Lengths are points (1/72 inch) from the upper left corner; pages count from 1.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Literal

from knowledge.grounding.page_rotation import Box as Box
from knowledge.grounding.page_rotation import Frame, PrintedLine, Turn

CELL_GAP = " | "  # between the cells of a row in its text
SCAN_LETTERS = 20  # fewer letters are a stamp or a page number, no text layer
SCAN_SHARE = 0.5  # of a scan that pictures cover

Kind = Literal["body", "heading", "item", "row", "header", "toc", "index", "caption", "note"]


class _Characters(dict[int, str | int | None]):
    """What replaces each character; unassigned, private, surrogate and format characters are removed."""

    def __missing__(self, code: int) -> str | int | None:
        self[code] = None if unicodedata.category(chr(code)) in ("Cn", "Co", "Cs", "Cf") else code
        return self[code]


_CHARACTERS = _Characters(
    dict.fromkeys((*range(32), *range(127, 160)), " ")
    | dict.fromkeys((0x00A0, 0x2002, 0x2003, 0x2009, 0x202F, 0x2028, 0x2029, 0xFFFD), " ")
    | dict.fromkeys((0x2010, 0x2011, 0x00AD), "-")  # hyphens that are not the hyphen
    | dict.fromkeys((0x200B, 0x200C, 0x200D, 0xFEFF))  # marks without width
    | dict.fromkeys((0xF0B7, 0xF0A7, 0xF0A8), "•")  # the bullets of a symbol font
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One printed line. `lead` is the bold text it opens with; `xs` is where each of its words begins. `xs` and `bbox`
    are in the frame of its `turn`, in which it runs from left to right. A row of a table is one line with `cells` of
    printed lines. `capital` is the place of its first letter if that is a drop capital."""

    text: str
    bbox: Box
    size: float = 10.0
    bold: bool = False
    lead: str = ""
    block: int = 0
    xs: tuple[float, ...] = ()
    turn: Turn = 0
    cells: tuple[tuple["Line", ...], ...] = ()
    is_header: bool = False
    capital: Box | None = None

    @property
    def height(self) -> float:
        return self.bbox[3] - self.bbox[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An embedded picture where a page shows it; `size` is its bytes in the file."""

    xref: int
    page: int
    bbox: Box
    width: int
    height: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageOfLines:
    """`recognised`: its lines were read from its picture."""

    number: int
    width: float
    height: float
    rotation: int = 0
    label: str = ""
    lines: tuple[Line, ...] = ()
    pictures: tuple[Picture, ...] = ()
    recognised: bool = False

    @property
    def turn(self) -> Turn:
        """How most of the page's text is turned."""
        letters: Counter[Turn] = Counter()
        for line in self.lines:
            letters[line.turn] += len(line.text)
        return letters.most_common(1)[0][0] if letters else 0

    @property
    def frame(self) -> Frame:
        """The frame in which most of the page is read."""
        return Frame(self.turn, self.width, self.height)

    def frame_of(self, line: Line) -> Frame:
        """The frame in which a line of this page is read."""
        return Frame(line.turn, self.width, self.height)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage(_PageOfLines):
    """What an adapter found on one page.

    `rules` are drawn straight lines, as thin rectangles in the frame in which the page is read. `hidden`: how many of
    its words no reader sees. `crowded`: it was left out because it holds more text than a printed page.
    """

    rules: tuple[Box, ...] = ()
    hidden: int = 0
    crowded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText(_PageOfLines):
    """A page in reading order. `column_of` is the column of each line; `half_labels` are the numbers printed on the two
    pages of a two-up sheet."""

    column_of: tuple[int, ...] = ()
    running: tuple[str, ...] = ()
    half_labels: tuple[str, ...] = ()

    def half_of(self, box: Box) -> int:
        """Which page of a two-up sheet a rectangle is on: 0 or 1."""
        frame = self.frame_of(self.lines[0])
        left, _, right, _ = frame.read_box(box)
        return int(left + right > frame.width)

    @property
    def needs_ocr(self) -> bool:
        """Whether the page is a scan whose text was not recognized."""
        return not self.recognised and is_scan(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text and where it is printed. `bold` and `size` are those of its first line."""

    text: str
    pieces: tuple[PrintedLine, ...] = ()
    kind: Kind = "body"
    size: float = 10.0
    bold: bool = False
    lead: str = ""

    @property
    def page(self) -> int | None:
        return self.pieces[0].page if self.pieces else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and the text below it, up to the next heading. `number` is "91.155", "3-2-6" or "10.1"."""

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
    """What a document is; empty means unknown."""

    title: str = ""
    doc_type: str = ""
    abbreviation: str = ""
    edition: str = ""
    edition_date: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()

    def over(self, other: "Description") -> "Description":
        """This description, completed by `other` where it is empty."""
        names = [one.name for one in fields(self)]
        return Description(**{name: getattr(self, name) or getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True)
class Unseen:
    """Hidden words that were left out: where they are, and how many."""

    where: str
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterText:
    """A chapter of a file that has several: its number as printed ("15", "A", "" for none), its title, its first and
    last page in the file."""

    number: str
    title: str
    first: int
    last: int

    @property
    def name(self) -> str:
        named = f"Chapter {self.number}" if self.number.isdigit() else f"Appendix {self.number}"
        return ": ".join(filter(None, (named if self.number else "", self.title)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDocument:
    description: Description
    paged: bool
    pages: tuple[PageText, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    sections: tuple[Section, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    chapters: tuple[ChapterText, ...] = ()

    def label_of(self, number: int, box: Box | None = None) -> str:
        """The page number printed on a page, or on the half of a two-up sheet that has `box`; empty if there is
        none."""
        page = next((page for page in self.pages if page.number == number), None)
        if page is None:
            return ""
        return page.half_labels[page.half_of(box)] if box and page.half_labels else page.label

    def paragraphs(self) -> Iterator[Paragraph]:
        for section in self.sections:
            yield from section.paragraphs


def is_scan(page: "RawPage | PageText") -> bool:
    """Whether pictures cover most of a page with next to no text."""
    boxes = [picture.bbox for picture in page.pictures]
    covered = sum(max(0.0, x1 - x0) * max(0.0, y1 - y0) for x0, y0, x1, y1 in boxes)
    letters = sum(len(line.text) for line in page.lines)
    return letters < SCAN_LETTERS and covered > SCAN_SHARE * page.width * page.height


def clean_text(text: str) -> str:
    """Text with one kind of space and hyphen, bullets as bullets, and no control characters."""
    return text if text.isascii() and text.isprintable() else text.translate(_CHARACTERS)


def are_in_same_row(one: Line, other: Line) -> bool:
    """Whether two lines are beside each other: they share most of their height."""
    _, top, _, foot = one.bbox
    _, other_top, _, other_foot = other.bbox
    shared = (foot if foot < other_foot else other_foot) - (top if top > other_top else other_top)
    return shared > 0 and shared > 0.6 * min(foot - top, other_foot - other_top)


def sort_in_rows(lines: Iterable[Line]) -> list[Line]:
    """Lines from top to bottom, and from left to right within a row."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.bbox[1]):
        if rows and are_in_same_row(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.bbox[0])]


def squeeze_spaces(text: str) -> str:
    """Text with single spaces for all white space: what hashes, caches and comparisons use."""
    return " ".join(text.split())
