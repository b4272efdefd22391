"""Pieces of text with their places become the rows of an ACS, in reading order. Pure.

Knows nothing of Tasks and codes: it puts drop caps back ("R" and "eferences:" are one word, printed apart), keeps the
cells of a row apart, and leaves out running heads and feet.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

SAME_ROW = 3.0  # points between the baselines of one row
TOUCHING = 1.0  # points: pieces with a smaller gap are one word
DROP_CAP_GAP = 3.0  # points at most between a drop cap and the rest of its word
MARGIN = 0.05  # of the page's height at top and bottom: nothing but running heads and feet
OUTER = 0.12  # of the page's height: a row that stands there on page after page is a running head or foot
REPEATED = 4  # pages at least, and half of those from the first to the last of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of text as a PDF prints it, with its place in points. Whether it is bold tells nothing: editions differ."""

    page: int
    x0: float
    x1: float
    top: float
    base: float
    text: str
    page_height: float


@dataclass(frozen=True, slots=True)
class Row:
    """`cells` are its texts from left to right, as far as a gap parts them; the second begins at `x1`."""

    page: int
    x0: float
    y: float
    cells: tuple[str, ...]
    x1: float | None = None

    @property
    def text(self) -> str:
        return " ".join(self.cells)


def rows_of(pieces: Iterable[Piece]) -> list[Row]:
    """Rows in reading order, without the running heads and feet. The cover has neither: all of it stays."""
    row: list[Piece] = []
    found: list[tuple[Row, float]] = []
    for piece in sorted(_with_drop_caps(pieces), key=lambda one: (one.page, one.base, one.x0)):
        if row and (piece.page != row[0].page or piece.base - row[0].base > SAME_ROW):
            found.append((_row(row), row[0].page_height))
            row = []
        row.append(piece)
    if row:
        found.append((_row(row), row[0].page_height))
    return _without_running(found)


def _with_drop_caps(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Each capital that stands before the rest of its word is joined to it, however large it is set."""
    by_page: dict[int, list[Piece]] = defaultdict(list)
    for piece in pieces:
        by_page[piece.page].append(piece)
    for found in by_page.values():
        caps = [one for one in found if len(one.text.strip()) == 1 and one.text.strip().isupper()]
        rests = [one for one in found if one.text[:1].islower()]
        joined = {id(cap): rest for cap in caps if (rest := _rest_of(cap, rests))}
        heads = {id(rest): cap for cap in caps if (rest := joined.get(id(cap)))}
        for one in found:
            if id(one) not in joined:
                head = heads.get(id(one))
                yield replace(one, x0=head.x0, text=head.text.strip() + one.text) if head else one


def _rest_of(cap: Piece, rests: Sequence[Piece]) -> Piece | None:
    """The uppermost piece that touches the capital on its right."""
    beside = (
        one
        for one in rests
        if -TOUCHING <= one.x0 - cap.x1 <= DROP_CAP_GAP and one.top < cap.base and cap.top < one.base
    )
    return min(beside, key=lambda one: one.base, default=None)


def _row(pieces: list[Piece]) -> Row:
    ordered = sorted(pieces, key=lambda piece: piece.x0)
    cells, places = [ordered[0].text], [ordered[0].x0]
    for before, piece in pairwise(ordered):
        if piece.x0 - before.x1 < TOUCHING and not before.text.endswith((" ", "\t", "\n")):
            cells[-1] += piece.text
        else:
            cells.append(piece.text)
            places.append(piece.x0)
    plain = tuple(filter(None, (" ".join(cell.split()) for cell in cells)))
    second = places[1] if len(places) > 1 else None
    return Row(ordered[0].page, ordered[0].x0, ordered[0].base, plain, second)


def _without_running(found: Sequence[tuple[Row, float]]) -> list[Row]:
    outer: dict[tuple[str, int], set[int]] = defaultdict(set)
    for row, height in found:
        if not _stands_within(row, height, OUTER):
            outer[_as_running(row)].add(row.page)
    running = {row for row, pages in outer.items() if _are_running(pages)}
    return [
        row
        for row, height in found
        if row.page == 1
        or _stands_within(row, height, OUTER)
        or (_stands_within(row, height, MARGIN) and _as_running(row) not in running)
    ]


def _stands_within(row: Row, height: float, share: float) -> bool:
    return share < row.y / height < 1 - share


def _are_running(pages: set[int]) -> bool:
    return len(pages) >= REPEATED and 2 * len(pages) >= max(pages) - min(pages) + 1


def _as_running(row: Row) -> tuple[str, int]:
    """A row without its page number, and about where it stands."""
    return "".join(letter for letter in row.text if not letter.isdigit()), round(row.y / 2)
