"""Join printed lines into paragraphs: text that runs on over lines, columns and pages, and knows where it is printed.

A paragraph ends where the layout shows it (a gap, another size, a marker, a short last line), never in the middle of a
sentence. Words that a line break divides are joined. Pure.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from statistics import median

from knowledge.grounding.page_rotation import Frame, PrintedLine
from knowledge.ingestion.document_model import (
    CELL_GAP,
    Kind,
    Line,
    PageText,
    Paragraph,
    are_in_same_row,
)
from knowledge.ingestion.layout.figure_labels import CAPTION

GAP = 1.3  # times the usual distance of two lines: more is a new paragraph
SHORT = 0.6  # share of the column's width: a line below it ends early
FLAT_BOLD_SHARE = 0.01  # share of bold lines below which bold tells nothing about headings
HEADING_LETTERS = 70  # a heading that only its brevity marks is no longer than this
HEADING_WORDS = 9

MARKER = re.compile(
    r"(?:[•●▪◦‣–—−-]\s|\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})\)\s|(?:\d{1,2}|[a-zA-Z])\.\s|\d{1,2}(?:\.\d{1,2}){1,4}\.?\s)"
)
BULLETS = frozenset("•●▪◦‣")
TOC_ENTRY = re.compile(r"(?:\.\s?){4,}\s*(?:[A-Z]{0,2}-?\d{1,4}(?:-\d{1,4})?|[ivxl]{1,6})?\Z")
NOTE = re.compile(r"(?:[*†‡§]{1,3}|[⁰¹²³⁴-⁹]+|\d{1,2})\s*[A-Z(“\"]|(?:NOTE|Note)\b")
NOTE_SIZE = 0.9  # times the size of the running text: a footnote is printed no larger
NOTE_HEIGHT = 0.6  # share of the page's height above which no footnote stands
_TERMINAL = frozenset(".!?:;…")
_SENTENCE_END = _TERMINAL - {";"}
_CLOSING = "\"'”’)]"  # may stand behind the end of a sentence
#: After these a sentence goes on, whatever the next line looks like: "Under §", "at least", "see paragraph".
_OPEN_ENDS = frozenset(
    str.split(
        "section sections paragraph paragraphs part parts figure figures table tables chapter chapters than least most"
        " about see of by to the a an"
    )
)
_SMALL_WORDS = frozenset(
    str.split("a an and as at by for from in into of on or the to with via per vs than over under")
)


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A line in its column. Compared by identity: two lines may be alike."""

    line: Line
    page: int
    column: int
    right: float  # edge of the column
    width: float  # of the column
    frame: Frame

    @property
    def is_short(self) -> bool:
        return self.line.bbox[2] - self.line.bbox[0] < SHORT * self.width

    @property
    def is_terminal(self) -> bool:
        return _ends_with(_TERMINAL, self.line.text)

    @property
    def begins_lower(self) -> bool:
        return self.line.text[:1].islower()


def build_paragraphs(pages: Sequence[PageText]) -> tuple[Paragraph, ...]:
    """The running text of all pages, in order."""
    placed: list[_Placed] = []
    for page in pages:
        columns = page.column_of or (0,) * len(page.lines)
        edges: dict[int, tuple[float, float]] = {}
        for line, column in zip(page.lines, columns, strict=True):
            left, right = edges.get(column, (line.bbox[0], line.bbox[2]))
            edges[column] = min(left, line.bbox[0]), max(right, line.bbox[2])
        for line, column in zip(page.lines, columns, strict=True):
            left, right = edges[column]
            placed.append(_Placed(line, page.number, column, right, right - left, page.frame_of(line)))
    # Every word of the document that no line end cut.
    text = "\n".join([at.line.text for at in placed])
    found = re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)*-?", text)
    words = Counter([word.lower() for word in found if word[-1] != "-"])
    notes = _find_note_lines(placed)
    running = [at for at in placed if at not in notes]
    headings = _find_flat_headings(running)
    return tuple(
        _build_paragraph(
            group, words, "note" if group[0] in notes else "heading" if group[0] in headings else None
        )
        for group in _insert_notes(_group_lines(running, headings), placed, notes)
    )


# --- where a paragraph ends ------------------------------------------------------------


def _group_lines(placed: Sequence[_Placed], headings: set[_Placed]) -> Iterator[list[_Placed]]:
    """The lines of each paragraph. Their usual distance is measured in sizes of the type."""
    steps = [
        (after.line.bbox[1] - before.line.bbox[1]) / before.line.size
        for before, after in pairwise(placed)
        if before.line.size and before.page == after.page and before.line.block == after.line.block
    ]
    pitch = median([step for step in steps if 0.8 < step < 3.0] or [1.2])
    group: list[_Placed] = []
    for line in placed:
        if group and (line in headings or group[0] in headings or _begins_paragraph(group, line, pitch)):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _begins_paragraph(group: Sequence[_Placed], after: _Placed, pitch: float) -> bool:
    before = group[-1]
    if before.line.cells or after.line.cells:
        return True
    is_same_column = before.page == after.page and before.column == after.column
    if is_same_column and (are_in_same_row(before.line, after.line) or before.line.text in BULLETS):
        return False
    if _has_own_beginning(group, after) or _looks_different(group, after):
        return True
    if not is_same_column:
        return not _runs_on(before, after)
    step = (after.line.bbox[1] - before.line.bbox[1]) / (before.line.size or 10.0)
    if step > GAP * pitch or step < 0:
        return not (_runs_on(before, after) and after.begins_lower and step < 2 * pitch)
    if before.line.block != after.line.block:
        return not _runs_on(before, after)
    if not before.is_terminal or _runs_on(before, after):
        return False
    # Where the next word had room on the line before, that line was ended on purpose.
    text, box = after.line.text, after.line.bbox
    letter = (box[2] - box[0]) / max(1, len(text))
    return before.right - before.line.bbox[2] > letter * (len(text.split(" ", 1)[0]) + 1)


def _has_own_beginning(group: Sequence[_Placed], after: _Placed) -> bool:
    """A list item, a caption or an entry of a table of contents begins here."""
    before, text = group[-1], after.line.text
    ended = before.line.text
    is_caption_over = (
        len(ended) > 12 and CAPTION.match(group[0].line.text) and _ends_with(_SENTENCE_END, ended)
    )
    if _is_toc_entry(ended) or is_caption_over or text in BULLETS:
        return True
    is_apart = before.page != after.page or before.line.block != after.line.block
    may_end = is_apart or before.is_terminal or before.is_short
    if CAPTION.match(text):
        return may_end
    if not MARKER.match(text + " "):
        return False
    last = re.split(r"\W", ended[-16:])[-1].lower()
    if last in _OPEN_ENDS or ended.endswith("§"):
        return False
    return may_end or ended.endswith("—") or bool(re.search(r"[;,]\s(?:and|or)\Z", ended))


def _looks_different(group: Sequence[_Placed], after: _Placed) -> bool:
    before = group[-1].line
    if abs(before.size - after.line.size) > max(1.0, 0.1 * before.size):
        return True
    if before.bold and not after.line.bold and all(placed.line.bold for placed in group):
        return not after.begins_lower and not before.text.endswith(",")
    return after.line.bold and not before.bold and group[-1].is_terminal


def _runs_on(before: _Placed, after: _Placed) -> bool:
    """The sentence before a change of block, column or page goes on after it."""
    if MARKER.match(after.line.text + " ") or CAPTION.match(after.line.text):
        return False
    if before.is_terminal or before.is_short:
        return after.begins_lower  # "in the U.S." may stand at the end of a line
    return after.begins_lower or before.line.bold == after.line.bold


def _ends_with(marks: frozenset[str], text: str) -> bool:
    """One of the marks ends a text, before what closes it, or the name of a figure in brackets does."""
    last = text[:-1].rpartition("]")[2] if text.endswith("]") else ""
    ends_with_figure = "[Figure" in last or "[Table" in last
    return text.rstrip(_CLOSING)[-1:] in marks or ends_with_figure


# --- footnotes ------------------------------------------------------------


def _find_note_lines(placed: Sequence[_Placed]) -> set[_Placed]:
    """The lines that end a column in small type, from one that begins with a mark on: its footnotes."""
    letters = Counter[float]()
    for at in placed:
        letters[at.line.size] += len(at.line.text)
    limit = NOTE_SIZE * (letters.most_common(1)[0][0] if letters else 10.0)

    def is_small(at: _Placed) -> bool:
        is_low = at.line.bbox[1] > NOTE_HEIGHT * at.frame.height
        return is_low and at.line.size <= limit and not at.line.cells

    found: set[_Placed] = set()
    for _, column in groupby(placed, key=lambda at: (at.page, at.column)):
        tail = list(takewhile(is_small, reversed(list(column))))
        while tail and not NOTE.match(tail[-1].line.text):
            tail.pop()
        found.update(tail)
    return found


def _insert_notes(
    groups: Iterator[list[_Placed]], placed: Sequence[_Placed], notes: set[_Placed]
) -> Iterator[list[_Placed]]:
    """Running text with the footnotes behind the paragraph that runs on over them."""
    behind: dict[_Placed | None, list[list[_Placed]]] = defaultdict(list)
    last: _Placed | None = None
    for line in placed:
        if line not in notes:
            last = line
        elif NOTE.match(line.line.text) or not behind[last]:
            behind[last].append([line])
        else:
            behind[last][-1].append(line)
    yield from behind[None]
    for group in groups:
        yield group
        for line in group:
            yield from behind[line]


# --- headings in print that marks none ------------------------------------------------------------


def _find_flat_headings(placed: Sequence[_Placed]) -> set[_Placed]:
    """Headings of text all in one type: short lines in title case above a line that begins a sentence."""
    bold = sum(at.line.bold or bool(at.line.lead) for at in placed)
    if bold > FLAT_BOLD_SHARE * len(placed):
        return set()
    found: set[_Placed] = set()
    for before, line, after in reversed([*zip((None, *placed), placed, placed[1:], strict=False)]):
        if not line.is_short or not _is_title(line.line.text):
            continue
        if before is not None:
            is_over = before.is_terminal or before.is_short or before.page != line.page
            if not is_over or before.line.text in BULLETS:
                continue
        if abs(line.line.size - after.line.size) > 1.0 + 0.2 * line.line.size:
            continue
        text = after.line.text
        opens = text[:1].isupper() or text[:1].isdigit() or text[:1] in '“"('
        begins_body = opens and len(text) >= 30 and not after.is_short and not CAPTION.match(text)
        if line.page == after.page if after in found else begins_body:
            found.add(line)
    return found


def _is_title(text: str) -> bool:
    words = text.split()
    if not words or not 4 <= len(text) <= HEADING_LETTERS or len(words) > HEADING_WORDS:
        return False
    if not text[0].isupper() or text[-1] in ".,;:—-" or any(mark in text for mark in "|=…•"):
        return False
    large = [word for word in words if word.lower().strip("()") not in _SMALL_WORDS]
    if not all(word.lstrip('(“"')[:1].isupper() or word[:1].isdigit() for word in large):
        return False
    return any(sum(map(str.isalpha, word)) > 3 for word in large)


# --- from lines to text ------------------------------------------------------------


def _build_paragraph(group: Sequence[_Placed], words: Counter[str], known: Kind | None) -> Paragraph:
    first = group[0].line
    if first.cells:
        kind: Kind = "header" if first.is_header else "row"
        text, pieces = "", list[PrintedLine]()
        for at, cell in enumerate(first.cells):
            text += CELL_GAP if at else ""
            if cell:
                said, found = _join_lines([replace(group[0], line=line) for line in cell], words)
                pieces += [piece.moved(len(text)) for piece in found]
                text += said
    else:
        text, pieces = _join_lines(group, words)
        kind = known or _kind_of(text)
    bold = list(takewhile(lambda placed: placed.line.bold, group))
    leads = [placed.line.lead for placed in group[: len(bold) + 1] if placed.line.lead]
    return Paragraph(
        text=text,
        pieces=tuple(pieces),
        kind=kind,
        size=first.size,
        bold=len(bold) == len(group),
        lead=" ".join(leads),
    )


def _kind_of(text: str) -> Kind:
    """What a paragraph is, by its own words."""
    if _is_toc_entry(text):
        return "toc"
    if CAPTION.match(text):
        return "caption"
    return "item" if MARKER.match(text) else "body"


def _is_toc_entry(text: str) -> bool:
    """It ends with dots and a page number."""
    return text.count(".") > 3 and bool(TOC_ENTRY.search(text))


def _join_lines(group: Sequence[_Placed], words: Counter[str]) -> tuple[str, list[PrintedLine]]:
    """Lines as one text, and where each stretch of it stands. A drop capital stands apart from its word."""
    text, pieces = "", list[PrintedLine]()
    for placed in group:
        line, frame = placed.line, placed.frame
        text = _prepare_for_next(text, line.text, words)
        start, text = len(text), text + line.text
        xs = frame.word_starts(line.xs)
        whole = PrintedLine(placed.page, frame.shown_box(line.bbox), start, len(text), xs, line.turn)
        if line.capital:
            pieces.append(replace(whole, bbox=frame.shown_box(line.capital), end=start + 1, xs=()))
            whole = replace(whole, start=start + 1)
        pieces.append(whole)
    # A piece ends where the next begins: a dropped hyphen belongs to no line.
    ends = [*(piece.start for piece in pieces[1:]), len(text)]
    return text, [
        replace(piece, end=end) if piece.end > end else piece for piece, end in zip(pieces, ends, strict=True)
    ]


def _prepare_for_next(text: str, following: str, words: Counter[str]) -> str:
    """The text before a line break, with a space, or with its hyphen kept or removed."""
    if not text or (text.endswith(("—", "/")) and not text.endswith(" —")):
        return text
    if not text.endswith("-") or text.endswith(" -"):
        return text + " "
    left = re.search(r"[A-Za-z]+(?=-\Z)", text)
    right = re.match(r"[a-z]+", following)
    if not left or not right:
        return text
    first, second = left.group().lower(), right.group()
    if words[first + second]:
        return text[:-1]
    is_hyphenated = words[f"{first}-{second}"] or (words[first] and words[second])
    return text if is_hyphenated else text[:-1]
