"""Printed lines become paragraphs: text that runs on over lines, columns and pages, and knows where it is
printed.

A paragraph ends where print says so (a gap, another size, a marker, a short last line) and never in the
middle of a sentence that goes on. Words that a line end cut in two are joined. Pure.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from statistics import median

from knowledge.grounding.page_rotation import Frame
from knowledge.ingestion.document_model import CELL_GAP, Kind, Line, PageText, Paragraph, Piece, same_row
from knowledge.ingestion.layout.figure_labels import CAPTION

GAP = 1.3  # times the usual distance of two lines: more is a new paragraph
SHORT = 0.6  # share of the column's width: a line below it ends early
FLAT_BOLD_SHARE = 0.01  # share of bold lines below which bold tells nothing about headings
HEADING_LETTERS = 70  # a heading that only its brevity marks is no longer than this
HEADING_WORDS = 9

MARKER = re.compile(
    r"(?:[•●▪◦‣–—−-]\s|\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})\)\s|(?:\d{1,2}|[a-zA-Z])\.\s|\d{1,2}(?:\.\d{1,2}){1,4}\.?\s)"
)
BULLET = re.compile(r"[•●▪◦‣]\Z")
TOC = re.compile(r"(?:\.\s?){4,}\s*(?:[A-Z]{0,2}-?\d{1,4}(?:-\d{1,4})?|[ivxl]{1,6})?\Z")
NOTE = re.compile(r"(?:[*†‡§]{1,3}|[⁰¹²³⁴-⁹]+|\d{1,2})\s*[A-Z(“\"]|(?:NOTE|Note)\b")
NOTE_SIZE = 0.9  # times the size of the running text: a footnote is printed no larger
NOTE_HEIGHT = 0.6  # share of the page's height above which no footnote stands
_FIGURE_END = re.compile(r"\[(?:Figures?|Tables?)[^\]]*\]\Z")
_TERMINAL = frozenset(".!?:;…")
_CLOSING = "\"'”’)]"  # may stand behind the end of a sentence
#: After these a sentence goes on, whatever the next line looks like: "Under §", "at least", "see paragraph".
_OPEN_END = re.compile(
    r"(?:§|\b(?:sections?|paragraphs?|parts?|figures?|tables?|chapters?|than|least|most|about|see|of|by|to|the|an?))\Z",
    re.IGNORECASE,
)
OPEN_END = 16  # characters: more than the longest of these
_SENTENCE_END = _TERMINAL - {";"}
_SMALL_WORDS = frozenset(
    re.findall(r"\w+", "a an and as at by for from in into of on or the to with via per vs than over under")
)


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A line in its column; each is itself alone, however alike two of them are."""

    line: Line
    page: int
    column: int
    right: float
    width: float
    frame: Frame

    @property
    def is_short(self) -> bool:
        return self.line.bbox[2] - self.line.bbox[0] < SHORT * self.width

    @property
    def ends(self) -> bool:
        return _ends_with(_TERMINAL, self.line.text)


def paragraphs_of(pages: Sequence[PageText]) -> tuple[Paragraph, ...]:
    """The running text of all pages, in order."""
    placed = [line for page in pages for line in _placed(page)]
    words = _vocabulary(placed)
    notes = notes_in(placed)
    running = [line for line in placed if id(line) not in notes]
    pitch = _usual_pitch(running)
    headings = _flat_headings(running)
    groups = [group for group in _groups(running, pitch, headings) if group]
    return tuple(
        _paragraph(group, words, "heading" if group[0] in headings else None)
        if id(group[0]) not in notes
        else _paragraph(group, words, "note")
        for group in with_notes(groups, placed, notes)
    )


def _placed(page: PageText) -> list[_Placed]:
    columns = page.column_of or (0,) * len(page.lines)
    lefts: dict[int, float] = {}
    rights: dict[int, float] = {}
    for line, column in zip(page.lines, columns, strict=True):
        lefts[column] = min(lefts.get(column, line.bbox[0]), line.bbox[0])
        rights[column] = max(rights.get(column, line.bbox[2]), line.bbox[2])
    return [
        _Placed(
            line, page.number, column, rights[column], rights[column] - lefts[column], page.frame_of(line)
        )
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
    if before.line.cells or after.line.cells:
        return True
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
    if _is_entry(before.line.text):
        return True
    if (
        CAPTION.match(group[0].line.text)
        and _ends_with(_SENTENCE_END, before.line.text)
        and len(before.line.text) > 12
    ):
        return True
    if BULLET.match(text):
        return True
    if CAPTION.match(text):
        return _may_end(before, after)
    if not MARKER.match(text + " "):
        return False
    if _OPEN_END.search(before.line.text, max(0, len(before.line.text) - OPEN_END)):
        return False
    return _may_end(before, after) or bool(re.search(r"(?:[;,]\s(?:and|or)|—)\Z", before.line.text))


def _may_end(before: _Placed, after: _Placed) -> bool:
    """A paragraph may end between these two lines, whatever they say."""
    apart = before.page != after.page or before.line.block != after.line.block
    return apart or before.ends or before.is_short


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
    if _ends_with(_SENTENCE_END, before.line.text) and not before.line.text.endswith(":"):
        return goes_on  # "in the U.S." may stand at the end of a line
    if before.ends or before.is_short:
        return goes_on
    return goes_on or before.line.bold == after.line.bold


def _ends_with(marks: frozenset[str], text: str) -> bool:
    """One of the marks ends a text, before what closes it, or the name of a figure in brackets does."""
    bare = text.rstrip(_CLOSING)
    return bare[-1:] in marks or (text[-1:] == "]" and bool(_FIGURE_END.search(text)))


def _would_have_fit(before: _Placed, after: _Placed) -> bool:
    """The next word had room on the line before, so the line was ended on purpose."""
    letter = (after.line.bbox[2] - after.line.bbox[0]) / max(1, len(after.line.text))
    word = after.line.text.split(" ", 1)[0]
    return before.right - before.line.bbox[2] > letter * (len(word) + 1)


# --- footnotes ------------------------------------------------------------


def notes_in(placed: Sequence[_Placed]) -> set[int]:
    """The lines (by `id`) that end a column in small type, from one that begins with a mark on: its footnotes."""
    body = Counter[float]()
    for at in placed:
        body[at.line.size] += len(at.line.text)
    usual = body.most_common(1)[0][0] if body else 10.0
    found: set[int] = set()
    for _, column in groupby(placed, key=lambda at: (at.page, at.column)):
        tail = list(takewhile(lambda at: _is_small(at, usual), reversed(list(column))))
        while tail and not NOTE.match(tail[-1].line.text):
            tail.pop()
        found |= {id(at) for at in tail}
    return found


def _is_small(placed: _Placed, usual: float) -> bool:
    low = placed.line.bbox[1] > NOTE_HEIGHT * placed.frame.height
    return low and placed.line.size <= NOTE_SIZE * usual and not placed.line.cells


def with_notes(
    groups: Sequence[list[_Placed]], placed: Sequence[_Placed], notes: set[int]
) -> Iterator[list[_Placed]]:
    """Running text with the footnotes behind the paragraph that runs on over them."""
    behind: dict[int, list[list[_Placed]]] = defaultdict(list)
    last = 0
    for line in placed:
        if id(line) not in notes:
            last = id(line)
        elif NOTE.match(line.line.text) or not behind[last]:
            behind[last].append([line])
        else:
            behind[last][-1].append(line)
    yield from behind[0]
    for group in groups:
        yield group
        for line in group:
            yield from behind[id(line)]


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


def _paragraph(group: Sequence[_Placed], words: Counter[str], known: Kind | None) -> Paragraph:
    first = group[0].line
    text, pieces = _row(group[0], words) if first.cells else _run(group, words)
    kind = known or kind_of(text)
    if first.cells:
        kind = "header" if first.is_header else "row"
    return Paragraph(
        text=text,
        pieces=tuple(pieces),
        kind=kind,
        size=first.size,
        bold=all(placed.line.bold for placed in group),
        lead=_lead(group),
    )


def _run(group: Sequence[_Placed], words: Counter[str]) -> tuple[str, list[Piece]]:
    """Lines as one text, and where each stretch of it stands."""
    text, pieces = "", []
    for placed in group:
        text = _room_after(text, placed.line.text, words)
        start = len(text)
        text += placed.line.text
        pieces += _line_pieces(placed, start, len(text))
    return text, _clipped(pieces, len(text)) if pieces else []


def _row(placed: _Placed, words: Counter[str]) -> tuple[str, list[Piece]]:
    """The cells of a row as one text."""
    text, pieces = "", list[Piece]()
    for at, cell in enumerate(placed.line.cells):
        text += CELL_GAP if at else ""
        said, found = _run([replace(placed, line=line) for line in cell], words)
        pieces += [piece.moved(len(text)) for piece in found]
        text += said
    return text, pieces


def _line_pieces(placed: _Placed, start: int, end: int) -> list[Piece]:
    """Where a line stands; a drop capital stands apart from its word."""
    line, frame = placed.line, placed.frame
    whole = Piece(placed.page, frame.shown(line.bbox), start, end, frame.starts(line.xs), line.turn)
    if line.capital is None:
        return [whole]
    capital = replace(whole, bbox=frame.shown(line.capital), end=start + 1, xs=())
    return [capital, replace(whole, start=start + 1)]


def _clipped(pieces: Sequence[Piece], length: int) -> list[Piece]:
    """Pieces that end where the next begins: a dropped hyphen belongs to no line."""
    edges = [piece.start for piece in pieces[1:]] + [length]
    return [
        replace(piece, end=edge) if piece.end > edge else piece
        for piece, edge in zip(pieces, edges, strict=True)
    ]


def kind_of(text: str) -> Kind:
    """What a paragraph is, by its own words."""
    if _is_entry(text):
        return "toc"
    if CAPTION.match(text):
        return "caption"
    return "item" if MARKER.match(text) else "body"


def _is_entry(text: str) -> bool:
    """It ends with dots and a page's number."""
    return text.count(".") > 3 and bool(TOC.search(text))


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
    text = "\n".join([line.line.text for line in placed])
    found = re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)*-?", text)
    return Counter([word.lower() for word in found if word[-1] != "-"])
