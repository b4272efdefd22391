"""Printed lines become paragraphs: text that runs on over lines, columns and pages, and knows where it is
printed.

A paragraph ends where print says so (a gap, another size, a marker, a short last line) and never in the
middle of a sentence that goes on. Words that a line end cut in two are joined. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from .layout import same_row
from .pages import Kind, Line, PageText, Paragraph, Piece

GAP = 1.3  # times the usual distance of two lines: more is a new paragraph
SHORT = 0.6  # share of the column's width: a line below it ends early
FLAT_BOLD_SHARE = 0.01  # share of bold lines below which bold tells nothing about headings
HEADING_LETTERS = 70  # a heading that only its brevity marks is no longer than this
HEADING_WORDS = 9

MARKER = re.compile(
    r"(?:[•●▪◦‣–—−-]\s|\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})\)\s|(?:\d{1,2}|[a-zA-Z])\.\s|\d{1,2}(?:\.\d{1,2}){1,4}\.?\s)"
)
BULLET = re.compile(r"[•●▪◦‣]\Z")
CAPTION = re.compile(
    r"(?:Figure|FIG\.?|Table|TBL)\s+[A-Z]?\d{1,3}(?:[-–]\d{1,3}){0,2}\s*(?:[.:]|\Z)", re.IGNORECASE
)
TOC = re.compile(r"(?:\.\s?){4,}\s*(?:[A-Z]{0,2}-?\d{1,4}(?:-\d{1,4})?|[ivxl]{1,6})?\Z")
_FIGURE_END = r"\[(?:Figures?|Tables?)[^\]]*\]\Z"
_TERMINAL = re.compile(r"[.!?:;…][\"'”’)\]]*\Z|" + _FIGURE_END)
_SENTENCE_END = re.compile(r"[.!?:…][\"'”’)\]]*\Z|" + _FIGURE_END)
_SMALL_WORDS = frozenset(
    re.findall(r"\w+", "a an and as at by for from in into of on or the to with via per vs than over under")
)


@dataclass(frozen=True, slots=True)
class _Placed:
    line: Line
    page: int
    column: int
    right: float
    width: float

    @property
    def is_short(self) -> bool:
        return self.line.bbox[2] - self.line.bbox[0] < SHORT * self.width

    @property
    def ends(self) -> bool:
        return bool(_TERMINAL.search(self.line.text))


def paragraphs_of(pages: Sequence[PageText]) -> tuple[Paragraph, ...]:
    """The running text of all pages, in order."""
    placed = [line for page in pages for line in _placed(page)]
    words = _vocabulary(placed)
    pitch = _usual_pitch(placed)
    headings = _flat_headings(placed)
    return tuple(
        _paragraph(group, words, group[0] in headings) for group in _groups(placed, pitch, headings) if group
    )


def _placed(page: PageText) -> list[_Placed]:
    columns = page.column_of or (0,) * len(page.lines)
    lefts: dict[int, float] = {}
    rights: dict[int, float] = {}
    for line, column in zip(page.lines, columns, strict=True):
        lefts[column] = min(lefts.get(column, line.bbox[0]), line.bbox[0])
        rights[column] = max(rights.get(column, line.bbox[2]), line.bbox[2])
    return [
        _Placed(line, page.number, column, rights[column], rights[column] - lefts[column])
        for line, column in zip(page.lines, columns, strict=True)
    ]


def _usual_pitch(placed: Sequence[_Placed]) -> float:
    """From one line to the next, in sizes of the type."""
    steps = [
        (after.line.bbox[1] - before.line.bbox[1]) / before.line.size
        for before, after in pairwise(placed)
        if before.line.size and before.page == after.page and before.line.block == after.line.block
    ]
    return median([step for step in steps if 0.8 < step < 3.0] or [1.2])


# --- where a paragraph ends ------------------------------------------------------------


def _groups(placed: Sequence[_Placed], pitch: float, headings: set[_Placed]) -> Iterator[list[_Placed]]:
    group: list[_Placed] = []
    for line in placed:
        if group and (line in headings or group[0] in headings or _breaks(group, line, pitch)):
            yield group
            group = []
        group.append(line)
    yield group


def _breaks(group: Sequence[_Placed], after: _Placed, pitch: float) -> bool:
    before = group[-1]
    same_page = before.page == after.page and before.column == after.column
    if same_page and same_row(before.line, after.line):
        return False
    if BULLET.match(before.line.text) and same_page:
        return False
    if _starts_anew(group, after) or _looks_different(group, after):
        return True
    if not same_page:
        return not _runs_on(before, after)
    step = (after.line.bbox[1] - before.line.bbox[1]) / (before.line.size or 10.0)
    if step > GAP * pitch or step < 0:
        return not (_runs_on(before, after) and after.line.text[:1].islower() and step < 2 * pitch)
    if before.line.block != after.line.block:
        return not _runs_on(before, after)
    return before.ends and not _runs_on(before, after) and _would_have_fit(before, after)


def _starts_anew(group: Sequence[_Placed], after: _Placed) -> bool:
    """A marker, a caption or an entry of a table of contents begins here."""
    before, text = group[-1], after.line.text
    if TOC.search(before.line.text):
        return True
    if (
        CAPTION.match(group[0].line.text)
        and _SENTENCE_END.search(before.line.text)
        and len(before.line.text) > 12
    ):
        return True
    may_end = (
        before.ends or before.is_short or before.page != after.page or before.line.block != after.line.block
    )
    if CAPTION.match(text) or BULLET.match(text):
        return may_end or bool(BULLET.match(text))
    return bool(MARKER.match(text + " ")) and (
        may_end or bool(re.search(r"(?:[;,]\s(?:and|or)|—)\Z", before.line.text))
    )


def _looks_different(group: Sequence[_Placed], after: _Placed) -> bool:
    before = group[-1].line
    if abs(before.size - after.line.size) > max(1.0, 0.1 * before.size):
        return True
    if before.bold and not after.line.bold and all(line.line.bold for line in group):
        return not after.line.text[:1].islower() and not before.text.endswith(",")
    return after.line.bold and not before.bold and group[-1].ends


def _runs_on(before: _Placed, after: _Placed) -> bool:
    """The sentence before a change of block, column or page goes on after it."""
    goes_on = after.line.text[:1].islower()
    if MARKER.match(after.line.text + " ") or CAPTION.match(after.line.text):
        return False
    if _SENTENCE_END.search(before.line.text) and not before.line.text.endswith(":"):
        return False
    if before.ends or before.is_short:
        return goes_on
    return goes_on or before.line.bold == after.line.bold


def _would_have_fit(before: _Placed, after: _Placed) -> bool:
    """The next word had room on the line before, so the line was ended on purpose."""
    letter = (after.line.bbox[2] - after.line.bbox[0]) / max(1, len(after.line.text))
    word = after.line.text.split(" ", 1)[0]
    return before.right - before.line.bbox[2] > letter * (len(word) + 1)


# --- headings in print that marks none ------------------------------------------------------------


def _flat_headings(placed: Sequence[_Placed]) -> set[_Placed]:
    """Headings of text all in one type: short lines in title case above a line that begins a sentence."""
    bold = sum(line.line.bold or bool(line.line.lead) for line in placed)
    sizes = Counter(round(line.line.size) for line in placed)
    if bold > FLAT_BOLD_SHARE * len(placed) or not sizes:
        return set()
    found: set[_Placed] = set()
    following: _Placed | None = None
    for at in range(len(placed) - 1, -1, -1):
        before = placed[at - 1] if at else None
        if following and _is_flat_heading(before, placed[at], following, following in found):
            found.add(placed[at])
        following = placed[at]
    return found


def _is_flat_heading(before: _Placed | None, line: _Placed, after: _Placed, above_heading: bool) -> bool:
    text = line.line.text
    if (
        not line.is_short
        or not _is_title(text)
        or abs(line.line.size - after.line.size) > 1.0 + 0.2 * line.line.size
    ):
        return False
    if before and (
        BULLET.match(before.line.text) or not (before.ends or before.is_short or before.page != line.page)
    ):
        return False
    if above_heading:
        return line.page == after.page
    opens = after.line.text[:1].isupper() or after.line.text[:1].isdigit() or after.line.text[:1] in '“"('
    is_body = len(after.line.text) >= 30 and not after.is_short
    return opens and is_body and not CAPTION.match(after.line.text)


def _is_title(text: str) -> bool:
    words = text.split()
    if not words or len(text) > HEADING_LETTERS or len(words) > HEADING_WORDS or len(text) < 4:
        return False
    if not text[:1].isupper() or text[-1] in ".,;:—-•=" or any(mark in text for mark in "|=…•"):
        return False
    long = [word for word in words if word.lower().strip("()") not in _SMALL_WORDS]
    return all(word.lstrip('(“"')[:1].isupper() or word[:1].isdigit() for word in long) and any(
        sum(letter.isalpha() for letter in word) > 3 for word in long
    )


# --- from lines to text ------------------------------------------------------------


def _paragraph(group: Sequence[_Placed], words: Counter[str], is_heading: bool) -> Paragraph:
    text, pieces = "", []
    for placed in group:
        text = _room_after(text, placed.line.text, words)
        start = len(text)
        text += placed.line.text
        pieces.append(Piece(placed.page, placed.line.bbox, start, len(text), placed.line.xs))
    pieces = _clipped(pieces, len(text))
    first = group[0].line
    return Paragraph(
        text=text,
        pieces=tuple(pieces),
        kind="heading" if is_heading else kind_of(text),
        size=first.size,
        bold=all(placed.line.bold for placed in group),
        lead=_lead(group),
    )


def _clipped(pieces: Sequence[Piece], length: int) -> list[Piece]:
    """Pieces that end where the next begins: a dropped hyphen belongs to no line."""
    edges = [piece.start for piece in pieces[1:]] + [length]
    return [
        Piece(piece.page, piece.bbox, piece.start, min(piece.end, edge), piece.xs)
        for piece, edge in zip(pieces, edges, strict=True)
    ]


def kind_of(text: str) -> Kind:
    """What a paragraph is, by its own words."""
    if TOC.search(text):
        return "toc"
    if CAPTION.match(text):
        return "caption"
    return "item" if MARKER.match(text) else "body"


def _lead(group: Sequence[_Placed]) -> str:
    leads: list[str] = []
    for placed in group:
        if placed.line.lead:
            leads.append(placed.line.lead)
        if not placed.line.bold:
            break
    return " ".join(leads)


def _room_after(text: str, following: str, words: Counter[str]) -> str:
    """The text before a line break, with a space, or with its hyphen kept or taken off."""
    if not text:
        return text
    if text.endswith(("—", "/")) and not text.endswith(" —"):
        return text
    if not text.endswith("-") or text.endswith(" -"):
        return text + " "
    left = re.search(r"[A-Za-z]+(?=-\Z)", text)
    right = re.match(r"[a-z]+", following)
    if not left or not right:
        return text
    return text[:-1] if _is_one_word(left.group().lower(), right.group(), words) else text


def _is_one_word(left: str, right: str, words: Counter[str]) -> bool:
    if words[left + right]:
        return True
    if words[f"{left}-{right}"]:
        return False
    return not (words[left] and words[right])


def _vocabulary(placed: Sequence[_Placed]) -> Counter[str]:
    """Every word of the document that no line end cut."""
    words: Counter[str] = Counter()
    for line in placed:
        found = re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)*-?", line.line.text)
        words.update(word.lower() for word in found if not word.endswith("-"))
    return words
