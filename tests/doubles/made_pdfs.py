"""PDFs made in the test, and what stands in them: the truth that reading them is compared with.

`made_pdf(path, style, pages, seed)` sets a small handbook in one of `STYLES` and returns it as `Made`: its sections
with their paragraphs in reading order, rows of tables cell by cell, footnotes apart, and the number printed on each
page. All words come from a short list, so that a cut word can be known from the others.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf

WIDTH, HEIGHT, MARGIN = 612.0, 792.0, 72.0
TOP, BOTTOM = 80.0, 715.0
SIZE, LEADING, GAP = 10.0, 12.5, 9.0

_SENTENCES = (
    "The pilot in command may operate {a} below {n} feet above the surface only in {p}.",
    "Before takeoff the pilot tunes {f} MHz and listens to the {w}.",
    "Under § {s} no person may enter {p} without {w}.",
    "A {c} aircraft needs at least {n} feet of distance from {p}, see § {s}({l}).",
    "At {t} the controller gave the {c} flight another {w} at {n} feet.",
    "Navigation by {w} is described in paragraph {m}, and {a} is described there as well.",
    "Visibility of {v} statute miles is enough for {p} by day, e.g. for a {c} flight.",
    "This holds for {a}, for the {w} and for each {c} operation that begins after {t}.",
    "It does not hold in the U.S. for {a} that no {w} reaches.",
)
_WORDS = {
    "a": ("an airplane", "a helicopter", "a powered parachute", "an airship", "a glider"),
    "p": ("controlled airspace", "a traffic pattern", "a restricted area", "mountainous terrain"),
    "w": (
        "authorization",
        "communication",
        "transponder",
        "information",
        "instrument",
        "navigation",
        "visibility",
    ),
    "c": ("cross-country", "non-towered", "high-performance", "low-altitude", "well-known"),
}


@dataclass(frozen=True, slots=True)
class MadeSection:
    heading: str
    number: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What stands in a file. Cells of a row are parted by " | " as the product does; `labels` are by page."""

    path: Path
    sections: tuple[MadeSection, ...]
    notes: tuple[str, ...]
    labels: tuple[str, ...]
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a handbook is set. `turn` is how its pages are kept in the file: "page" turns the whole page upright when
    shown, "text" leaves the text lying."""

    columns: int = 1
    hyphens: bool = False
    justified: bool = False
    ligatures: bool = False
    numbered: bool = True
    capitals: bool = False
    tables: str = ""
    notes: bool = False
    lists: bool = False
    outline: bool = False
    turn: str = ""
    degrees: int = 0
    two_up: bool = False


STYLES = {
    "one column": Style(),
    "two columns": Style(columns=2),
    "two columns justified, hyphens": Style(columns=2, hyphens=True, justified=True),
    "hyphens, capitals": Style(hyphens=True, capitals=True, numbered=False),
    "ligatures": Style(ligatures=True, outline=True),
    "lists, notes": Style(lists=True, notes=True),
    "two columns, lists, notes": Style(columns=2, lists=True, notes=True),
    "ruled tables": Style(tables="ruled"),
    "tables without rules": Style(tables="bare", outline=True),
    "two columns, tables": Style(columns=2, tables="ruled"),
    "page turned 90": Style(turn="page", degrees=90, lists=True),
    "page turned 180": Style(turn="page", degrees=180, columns=2),
    "page turned 270": Style(turn="page", degrees=270, tables="ruled"),
    "text lying 90": Style(turn="text", degrees=90),
    "text lying 270": Style(turn="text", degrees=270, columns=2, hyphens=True),
    "two-up": Style(two_up=True, tables="ruled"),
    "two-up, two columns": Style(two_up=True, columns=2, justified=True),
}


def made_pdf(path: Path, style: Style, pages: int, seed: int = 1) -> Made:
    """A handbook of so many pages (the sheets of a two-up one show two each)."""
    press = _Press(style, random.Random(f"{seed} {style}"), pages * (2 if style.two_up else 1))
    press.print()
    _kept(press.document, style).save(path, garbage=3, deflate=True)
    return Made(path, tuple(press.sections), tuple(press.notes), _labels(press), tuple(press.rows))


# --- the words ------------------------------------------------------------


def sentence(dice: random.Random) -> str:
    return dice.choice(_SENTENCES).format(
        **{key: dice.choice(words) for key, words in _WORDS.items()},
        n=f"{dice.randrange(1, 18)},{dice.choice(('000', '200', '500'))}",
        f=f"{dice.randrange(118, 137)}.{dice.choice(('1', '25', '975'))}",
        s=f"91.{dice.randrange(1, 400)}",
        l=dice.choice("abc"),
        m=f"{dice.randrange(1, 9)}.{dice.randrange(1, 9)}",
        t=f"{dice.randrange(0, 24):02}:{dice.randrange(0, 60):02}",
        v=dice.choice(("3", "5", "1 1/2")),
    )


def prose(dice: random.Random, least: int = 2, most: int = 6) -> str:
    return " ".join(sentence(dice) for _ in range(dice.randint(least, most)))


_TITLES = (
    "Airspace",
    "Weather Minimums",
    "Right of Way",
    "Fuel Planning",
    "Night Flight",
    "Light Signals",
    "Oxygen",
)
_CELLS = (
    "Class B",
    "Class C",
    "Class D",
    "Class E",
    "Class G",
    "clear of clouds",
    "500 feet below",
    "1 statute mile",
)


def _title(dice: random.Random, at: int) -> str:
    return (
        f"{dice.choice(_TITLES)} {dice.choice(('by Day', 'at Night', 'in Groups', 'over Water'))} {_mark(at)}"
    )


def _mark(number: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 26] + str(number)


# --- the press ------------------------------------------------------------


@dataclass(slots=True)
class _Press:
    """Sets lines into the columns of pages, one after the other."""

    style: Style
    dice: random.Random
    pages: int
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    sections: list[MadeSection] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    title: tuple[str, str] = ("", "")
    column: int = 0
    y: float = TOP
    foot: float = BOTTOM
    fonts: dict[str, pymupdf.Font] = field(
        default_factory=lambda: {name: pymupdf.Font(name) for name in ("helv", "hebo")}
    )
    writer: pymupdf.TextWriter | None = None
    lengths: dict[str, float] = field(default_factory=dict)
    outline: list[list[object]] = field(default_factory=list)

    def print(self) -> None:
        self._new_page()
        at = 0
        while (
            self.document.page_count < self.pages
            or self.column < self.style.columns - 1
            or self.y < BOTTOM - 150
        ):
            at += 1
            self._section(at)
        self._close()

    # sections

    def _section(self, at: int) -> None:
        name, number = _title(self.dice, at), str(at) if self.style.numbered else ""
        self._finish_section()
        self.title = (name, number)
        self._room(90)
        self.y += GAP
        shown = f"{number} {name}".strip()
        self._line(shown, self._x, font="hebo", size=12.5)
        self.y += 18
        if self.style.outline:
            self.outline.append([1, shown, self.document.page_count])
        for part in self._parts():
            part()

    def _parts(self) -> Iterator[Callable[[], None]]:
        yield lambda: self._paragraph(prose(self.dice, 3, 6), capital=self.style.capitals)
        if self.style.lists:
            yield self._list
        if self.style.tables:
            yield self._table
        for _ in range(self.dice.randint(1, 3)):
            yield lambda: self._paragraph(prose(self.dice))
        if self.style.notes:
            yield self._note
        yield lambda: self._paragraph(prose(self.dice))

    def _finish_section(self) -> None:
        if self.title[0]:
            self.sections.append(MadeSection(*self.title, tuple(self.text)))
        self.text = []

    # parts of a section

    def _paragraph(self, text: str, capital: bool = False) -> None:
        self.text.append(text)
        if capital:
            self._with_capital(text)
        else:
            self._lines(text.split(), self._x, self._width)
        self.y += GAP

    def _with_capital(self, text: str) -> None:
        """The first letter over two lines, the words beside it moved in."""
        self._room(3 * LEADING)
        size = 2.6 * SIZE
        wide = self.fonts["hebo"].text_length(text[0], size) + 1
        self._line(text[0], self._x, font="hebo", size=size, y=self.y + LEADING)
        words = text[1:].split()
        for _ in range(2):
            row, words = self._row(words, self._width - wide)
            self._line(" ".join(row), self._x + wide)
            self.y += LEADING
        self._lines(words, self._x, self._width)

    def _list(self) -> None:
        marks = self.dice.choice((("•", "•", "•"), ("(a)", "(b)", "(c)"), ("1.", "2.", "3.")))
        for mark in marks:
            item = sentence(self.dice)
            self.text.append(f"{mark} {item}")
            self._room(LEADING)
            self._line(mark, self._x + 8)
            self._lines(item.split(), self._x + 26, self._width - 26)
            self.y += 2
        self.y += GAP

    def _note(self) -> None:
        """A footnote of the page, and a paragraph that runs on over it."""
        text = f"See the note on {self.dice.choice(_WORDS['w'])} in § 91.{self.dice.randrange(1, 400)}."
        if self.foot - self.y < 60 or self.foot < BOTTOM:
            return
        self.notes.append(f"* {text}")
        self.foot = BOTTOM - 24
        self._line(f"* {text}", self._x, size=7.5, y=BOTTOM - 8)
        self._page.draw_line((self._x, BOTTOM - 20), (self._x + 100, BOTTOM - 20), width=0.4)

    def _table(self) -> None:
        """A head and some rows; the cells of a ruled table may run over two lines."""
        ruled = self.style.tables == "ruled"
        cells = [["Airspace", "Visibility", "Distance"]]
        cells += [self.dice.sample(_CELLS, 3) for _ in range(self.dice.randint(3, 6))]
        if ruled:
            for row in cells[1:]:
                row[2] = f"{row[2]}, {self.dice.choice(_CELLS)} and {self.dice.choice(_CELLS)}"
        width = self._width / 3
        heights = [self._cell_height(row, width - 8, ruled) for row in cells]
        self._room(sum(heights) + 10)
        for row, height in zip(cells, heights, strict=True):
            self._cells(row, width, height, ruled, bold=row is cells[0])
            self.y += height
        self.rows += [" | ".join(row) for row in cells]
        self.text += [" | ".join(row) for row in cells]
        self.y += GAP + 6

    def _cell_height(self, row: Sequence[str], width: float, ruled: bool) -> float:
        return (max(len(list(self._rows(cell.split(), width))) for cell in row) if ruled else 1) * LEADING + 3

    def _cells(self, row: Sequence[str], width: float, height: float, ruled: bool, bold: bool) -> None:
        for at, cell in enumerate(row):
            left = self._x + at * width
            if ruled:
                self._page.draw_rect((left, self.y - 10, left + width, self.y - 10 + height), width=0.5)
            for down, words in enumerate(self._rows(cell.split(), width - 8)):
                self._line(
                    " ".join(words), left + 4, font="hebo" if bold else "helv", y=self.y + down * LEADING
                )

    # lines

    def _lines(self, words: Sequence[str], x: float, width: float) -> None:
        indent = x - self._x
        rest = list(words)
        while rest:
            self._room(LEADING)
            row, rest = self._row(rest, width, hyphens=self.style.hyphens)
            self._set(row, self._x + indent, width, last=not rest)
            self.y += LEADING

    def _set(self, row: Sequence[str], x: float, width: float, last: bool) -> None:
        """A row of words, spread over the width where the style says so."""
        if not self.style.justified or last or len(row) < 2:
            self._line(" ".join(row), x)
            return
        free = (width - sum(map(self._length, row))) / (len(row) - 1)
        for word in row:
            self._line(word, x)
            x += self._length(word) + free

    def _rows(self, words: Sequence[str], width: float) -> Iterator[list[str]]:
        rest = list(words)
        while rest:
            row, rest = self._row(rest, width)
            yield row

    def _row(self, words: Sequence[str], width: float, hyphens: bool = False) -> tuple[list[str], list[str]]:
        """The words that fit, and the rest; the word at the end may be cut by a hyphen."""
        used = 0.0
        for at, word in enumerate(words):
            if at and used + self._length(word) > width:
                cut = self._cut(word, width - used) if hyphens else None
                if cut:
                    return [*words[:at], cut[0]], [cut[1], *words[at + 1 :]]
                return list(words[:at]), list(words[at:])
            used += self._length(word) + self._length(" ")
        return list(words), []

    def _cut(self, word: str, room: float) -> tuple[str, str] | None:
        """A long word of letters in two, or a compound at its own hyphen."""
        if "-" in word.strip("-") and word.replace("-", "").isalpha():
            left, _, right = word.partition("-")
            return (f"{left}-", right) if self._length(f"{left}-") <= room else None
        places = [at for at in range(3, len(word) - 2) if word.isalpha() and word.islower() and len(word) > 8]
        fitting = [at for at in places if self._length(word[:at] + "-") <= room]
        return (f"{word[: fitting[-1]]}-", word[fitting[-1] :]) if fitting else None

    def _length(self, text: str) -> float:
        if text not in self.lengths:
            self.lengths[text] = float(self.fonts["helv"].text_length(text, SIZE))
        return self.lengths[text]

    def _line(
        self, text: str, x: float, *, font: str = "helv", size: float = SIZE, y: float | None = None
    ) -> None:
        if self.style.ligatures:
            text = text.replace("fi", "ﬁ").replace("fl", "ﬂ")
        assert self.writer is not None
        self.writer.append((x, self.y if y is None else y), text, font=self.fonts[font], fontsize=size)

    # pages

    @property
    def _page(self) -> pymupdf.Page:
        return self.document[-1]

    @property
    def _width(self) -> float:
        return (WIDTH - 2 * MARGIN - 24 * (self.style.columns - 1)) / self.style.columns

    @property
    def _x(self) -> float:
        return MARGIN + self.column * (self._width + 24)

    def _room(self, height: float) -> None:
        """Go on in the next column, or on the next page, if there is no such room left."""
        if self.y + height <= self.foot:
            return
        if self.column + 1 < self.style.columns:
            self.column += 1
            self.y, self.foot = TOP, BOTTOM
        else:
            self._new_page()

    def _new_page(self) -> None:
        self._write()
        self.document.new_page(width=WIDTH, height=HEIGHT)
        self.writer = pymupdf.TextWriter((0, 0, WIDTH, HEIGHT))
        self.column, self.y, self.foot = 0, TOP, BOTTOM
        self._line("Handbook of Made Knowledge", MARGIN, size=9, y=40)
        self._line(f"3-{self.document.page_count}", WIDTH / 2 - 10, size=9, y=760)

    def _write(self) -> None:
        if self.writer is not None:
            self.writer.write_text(self._page)

    def _close(self) -> None:
        self._finish_section()
        self._write()
        if self.outline:
            self.document.set_toc(self.outline)


def _labels(press: _Press) -> tuple[str, ...]:
    labels = [f"3-{number}" for number in range(1, press.document.page_count + 1)]
    step = 2 if press.style.two_up else 1
    return tuple(", ".join(labels[at : at + step]) for at in range(0, len(labels), step))


# --- how the pages are kept ------------------------------------------------------------


def _kept(source: pymupdf.Document, style: Style) -> pymupdf.Document:
    if style.two_up:
        return _two_up(source)
    if not style.turn:
        return source
    sideways = style.degrees in (90, 270)
    kept = pymupdf.open()
    for at in range(source.page_count):
        page = kept.new_page(width=HEIGHT if sideways else WIDTH, height=WIDTH if sideways else HEIGHT)
        page.show_pdf_page(page.rect, source, at, rotate=style.degrees)
        if style.turn == "page":
            page.set_rotation(style.degrees)
    return kept


def _two_up(source: pymupdf.Document) -> pymupdf.Document:
    kept = pymupdf.open()
    for at in range(0, source.page_count, 2):
        page = kept.new_page(width=2 * WIDTH, height=HEIGHT)
        for side in (0, 1):
            if at + side < source.page_count:
                half = pymupdf.Rect(side * WIDTH, 0, (side + 1) * WIDTH, HEIGHT)
                page.show_pdf_page(half, source, at + side)
    return kept
