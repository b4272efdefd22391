"""Turn positioned pieces of text into the rows of an ACS, in reading order. Pure.

This module knows nothing of Tasks and codes. It rejoins drop caps ("R" and "eferences:" are one word, printed apart),
keeps the cells of a row apart, and drops running heads and feet.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

SAME_ROW = 3.0  # points between the baselines of one row
TOUCHING = 1.0  # points: pieces with a smaller gap are one word
DROP_CAP_GAP = 3.0  # points at most between a drop cap and the rest of its word
MARGIN = 0.05  # of the page's height at top and bottom: nothing but running heads and feet
OUTER = 0.12  # of the page's height: a row there on page after page is a running head or foot
REPEATED = 4  # pages at least, and half of those from the first to the last of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of text as a PDF prints it, with its place in points. Boldness says nothing: editions differ."""

    page: int
    x0: float
    x1: float
    top: float
    base: float
    text: str
    page_height: float


@dataclass(frozen=True, slots=True)
class Row:
    """`cells` are the texts of a row from left to right, wherever a gap separates them; the second begins at `x1`."""

    page: int
    x0: float
    y: float
    cells: tuple[str, ...]
    x1: float | None = None

    @property
    def text(self) -> str:
        return " ".join(self.cells)


def rows_of(pieces: Iterable[Piece]) -> list[Row]:
    """Rows in reading order, without running heads and feet. The cover has neither: all of it stays."""
    rows: list[list[Piece]] = []
    for piece in sorted(_join_drop_caps(pieces), key=lambda one: (one.page, one.base, one.x0)):
        first = rows[-1][0] if rows else None
        if first and piece.page == first.page and piece.base - first.base <= SAME_ROW:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    placed = [(row := _row_of(parts), row.y / parts[0].page_height) for parts in rows]
    outer: dict[tuple[str, int], set[int]] = defaultdict(set)
    for row, height in placed:
        if not OUTER < height < 1 - OUTER:
            outer[_running_key(row)].add(row.page)
    running = {
        key
        for key, pages in outer.items()
        if len(pages) >= REPEATED and 2 * len(pages) >= max(pages) - min(pages) + 1
    }
    return [
        row
        for row, height in placed
        if row.page == 1
        or OUTER < height < 1 - OUTER
        or (MARGIN < height < 1 - MARGIN and _running_key(row) not in running)
    ]


def _join_drop_caps(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join each capital to the uppermost piece that touches it on its right, however large it is set."""
    by_page: dict[int, list[Piece]] = defaultdict(list)
    for piece in pieces:
        by_page[piece.page].append(piece)
    for found in by_page.values():
        rests = [one for one in found if one.text[:1].islower()]
        cap_of: dict[int, Piece] = {}
        joined = set()
        for cap in found:
            if len(cap.text.strip()) != 1 or not cap.text.strip().isupper():
                continue
            beside = (
                one
                for one in rests
                if -TOUCHING <= one.x0 - cap.x1 <= DROP_CAP_GAP and one.top < cap.base and cap.top < one.base
            )
            if rest := min(beside, key=lambda one: one.base, default=None):
                cap_of[id(rest)] = cap
                joined.add(id(cap))
        for one in found:
            if id(one) not in joined:
                head = cap_of.get(id(one))
                yield replace(one, x0=head.x0, text=head.text.strip() + one.text) if head else one


def _row_of(pieces: list[Piece]) -> Row:
    ordered = sorted(pieces, key=lambda piece: piece.x0)
    cells, places = [ordered[0].text], [ordered[0].x0]
    for before, piece in pairwise(ordered):
        if piece.x0 - before.x1 < TOUCHING and not before.text.endswith((" ", "\t", "\n")):
            cells[-1] += piece.text
        else:
            cells.append(piece.text)
            places.append(piece.x0)
    texts = tuple(filter(None, (" ".join(cell.split()) for cell in cells)))
    return Row(ordered[0].page, ordered[0].x0, ordered[0].base, texts, places[1] if len(places) > 1 else None)


def _running_key(row: Row) -> tuple[str, int]:
    """A row's text without its page number, and roughly where it stands."""
    return "".join(letter for letter in row.text if not letter.isdigit()), round(row.y / 2)
