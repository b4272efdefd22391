"""Lines of a page become rows of tables: by the rules that are drawn around cells, else by how the cells align. Pure.

A row is one `Line` that has `cells`. What a cell that spans several rows says stands in each of them, so that a row
can be read, quoted and claimed alone; its rectangles are where it is printed. Frames around text are no tables.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from knowledge.ingestion.document_model import CELL_GAP, Box, Line, in_rows, same_row

TOUCH = 3.0  # points: rules nearer than this meet, or are one
LEAST_SIDE = 8.0  # points: a rule shorter than this is a tick
MAX_CROSSINGS = 250_000  # pairs of rules that are compared; a page beyond that is a drawing
REPEATED = 120  # characters of a cell that spans several rows: what is longer is said once
LONG_CELL = 600  # characters: text in a frame, not a cell

LEAST_ROWS = 3  # of a table without rules
ALIGNED = 4.0  # points between the edges of cells that stand below each other
APART = 1.2  # times the size of the type: the least gap between two cells
STEP = 3.0  # times the size of the type: the most from one row to the next
SHORT_CELL, SHORT_PAIR = 45, 28  # characters of a cell in a table without rules, of three columns and of two

_NO_CELL = re.compile(r"[•●▪◦‣–—-]\Z|\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})[).]\Z|(?:\.\s?){4,}")
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where rules run: the edges of columns and rows, and the rules themselves."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    across: tuple[Box, ...]
    down: tuple[Box, ...]

    def holds(self, line: Line) -> bool:
        x, y = _middle(line.bbox)
        return self.xs[0] <= x <= self.xs[-1] and self.ys[0] <= y <= self.ys[-1]

    def column_of(self, x: float) -> int:
        return min(max(bisect_right(self.xs, x) - 1, 0), len(self.xs) - 2)

    def row_of(self, y: float) -> int:
        return min(max(bisect_right(self.ys, y) - 1, 0), len(self.ys) - 2)

    def is_open_right(self, place: Place) -> bool:
        """No rule parts a place from the one to its right."""
        row, column = place
        x, y = self.xs[column + 1], (self.ys[row] + self.ys[row + 1]) / 2
        return not any(abs(rule[0] - x) <= TOUCH and rule[1] <= y <= rule[3] for rule in self.down)

    def is_open_below(self, place: Place) -> bool:
        row, column = place
        x, y = (self.xs[column] + self.xs[column + 1]) / 2, self.ys[row + 1]
        return not any(abs(rule[1] - y) <= TOUCH and rule[0] <= x <= rule[2] for rule in self.across)


# --- tables with rules ------------------------------------------------------------


def with_ruled_tables(lines: Sequence[Line], rules: Sequence[Box]) -> list[Line]:
    """The lines of a page, those inside of ruled tables as rows."""
    left = list(lines)
    for grid in _grids(rules):
        inside = [line for line in left if grid.holds(line)]
        rows = _ruled_rows(grid, inside)
        if rows:
            taken = {id(line) for line in inside}
            left = [line for line in left if id(line) not in taken] + rows
    return left


def _grids(rules: Sequence[Box]) -> Iterator[_Grid]:
    across = [rule for rule in rules if rule[2] - rule[0] >= max(LEAST_SIDE, rule[3] - rule[1])]
    down = [rule for rule in rules if rule[3] - rule[1] > max(LEAST_SIDE, rule[2] - rule[0])]
    if not across or not down or len(across) * len(down) > MAX_CROSSINGS:
        return
    for some_across, some_down in _connected(across, down):
        xs = _edges([rule[0] for rule in some_down], [reach for rule in some_across for reach in rule[::2]])
        ys = _edges([rule[1] for rule in some_across], [reach for rule in some_down for reach in rule[1::2]])
        if len(xs) >= 3 and len(ys) >= 3:
            yield _Grid(xs, ys, tuple(some_across), tuple(some_down))


def _connected(across: Sequence[Box], down: Sequence[Box]) -> Iterator[tuple[list[Box], list[Box]]]:
    """Rules that meet, directly or by others."""
    meets: dict[int, list[int]] = defaultdict(list)
    order = sorted(range(len(down)), key=lambda at: down[at][0])
    places = [down[at][0] for at in order]
    for at, one in enumerate(across):
        near = order[bisect_left(places, one[0] - TOUCH) : bisect_right(places, one[2] + TOUCH)]
        for other_at in near:
            if _meet(one, down[other_at]):
                meets[at].append(len(across) + other_at)
                meets[len(across) + other_at].append(at)
    seen: set[int] = set()
    for start in range(len(across)):
        group = _reached(start, meets, seen)
        if len(group) > 1:
            yield (
                [across[at] for at in group if at < len(across)],
                [down[at - len(across)] for at in group if at >= len(across)],
            )


def _reached(start: int, meets: dict[int, list[int]], seen: set[int]) -> list[int]:
    group, waiting = [], [start]
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            group.append(at)
            waiting += meets[at]
    return sorted(group)


def _meet(across: Box, down: Box) -> bool:
    return (
        across[0] - TOUCH <= down[0] <= across[2] + TOUCH and down[1] - TOUCH <= across[1] <= down[3] + TOUCH
    )


def _edges(places: Sequence[float], reaches: Sequence[float]) -> tuple[float, ...]:
    """Where rules run, and how far those across them reach."""
    found: list[float] = []
    for place in sorted((*places, min(reaches), max(reaches))):
        if not found or place - found[-1] > TOUCH:
            found.append(place)
    return tuple(found)


def _ruled_rows(grid: _Grid, lines: Sequence[Line]) -> list[Line]:
    """The rows of a grid; none if it is no table but a frame around text."""
    spans = _spans(grid)
    said: dict[Place, list[Line]] = defaultdict(list)
    for line in lines:
        for part in _parts(line, grid):
            x, y = part.bbox[0] + 1.0, _middle(part.bbox)[1]
            said[spans[grid.row_of(y), grid.column_of(x)]].append(part)
    rows = [_row_cells(row, grid, spans, said) for row in range(len(grid.ys) - 1)]
    full = [cells for cells in rows if any(cells)]
    if sum(sum(map(bool, cells)) > 1 for cells in full) < 2:
        return []
    if any(sum(len(line.text) for line in cell) > LONG_CELL for cells in full for cell in cells):
        return []
    return _with_header([_row_line(cells) for cells in full])


def _spans(grid: _Grid) -> dict[Place, Place]:
    """For each place of the grid the first one of the cell it belongs to."""
    first: dict[Place, Place] = {}
    for row in range(len(grid.ys) - 1):
        for column in range(len(grid.xs) - 1):
            place = (row, column)
            if column and grid.is_open_right((row, column - 1)):
                first[place] = first[row, column - 1]
            elif row and grid.is_open_below((row - 1, column)):
                first[place] = first[row - 1, column]
            else:
                first[place] = place
    return first


def _row_cells(
    row: int, grid: _Grid, spans: dict[Place, Place], said: dict[Place, list[Line]]
) -> list[list[Line]]:
    """What holds in one row: its own cells, and short ones that span it from above."""
    cells: dict[Place, list[Line]] = {}
    for column in range(len(grid.xs) - 1):
        first = spans[row, column]
        lines = in_rows(said[first])
        repeated = first[0] < row
        wide = sum(spans[row, other] == first for other in range(len(grid.xs) - 1))
        if repeated and (wide > 1 or sum(len(line.text) for line in lines) > REPEATED):
            lines = []
        cells.setdefault(first, lines)
    own = any(lines and first[0] == row for first, lines in cells.items())
    return list(cells.values()) if own else []


def _parts(line: Line, grid: _Grid) -> Iterator[Line]:
    """A line cut where a rule parts its words."""
    row = grid.row_of(_middle(line.bbox)[1])
    words = line.text.split()
    if len(words) != len(line.xs) or len(words) < 2:
        yield line
        return
    starts = [0]
    for at, (before, after) in enumerate(pairwise(line.xs), 1):
        first, last = grid.column_of(before + 1.0), grid.column_of(after + 1.0)
        if any(not grid.is_open_right((row, column)) for column in range(first, last)):
            starts.append(at)
    for start, end in pairwise((*starts, len(words))):
        yield _stretch(line, words, start, end, grid)


def _stretch(line: Line, words: Sequence[str], start: int, end: int, grid: _Grid) -> Line:
    """Some words of a line; they end before the rule that follows."""
    if (start, end) == (0, len(words)):
        return line
    x0, y0, x1, y1 = line.bbox
    right = x1 if end == len(words) else grid.xs[grid.column_of(line.xs[end] + 1.0)]
    text = " ".join(words[start:end])
    box = (x0 if start == 0 else line.xs[start], y0, right, y1)
    return replace(line, text=text, bbox=box, xs=line.xs[start:end], lead=text if line.bold else "")


# --- tables without rules ------------------------------------------------------------


def with_aligned_tables(lines: Sequence[Line]) -> list[Line]:
    """The lines of one column in their order; three rows and more whose short cells align become rows."""
    rows = _printed_rows(lines)
    found: list[Line] = []
    at = 0
    while at < len(rows):
        run = _aligned_run(rows, at)
        if run:
            found += _with_header([_row_line([[cell] for cell in row]) for row in rows[at : at + run]])
            at += run
        else:
            found += rows[at]
            at += 1
    return found


def _printed_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Neighbours in the order that stand beside each other."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and not line.cells and not rows[-1][0].cells and same_row(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _aligned_run(rows: Sequence[Sequence[Line]], start: int) -> int:
    """How many rows from here on are a table; 0 if none."""
    end = start
    while end < len(rows) and _may_be_row(rows[end]):
        if end > start and not _below(rows[start], rows[end - 1], rows[end]):
            break
        end += 1
    if end - start < LEAST_ROWS or (len(rows[start]) == 2 and _goes_on(rows, start, end)):
        return 0
    return end - start


def _goes_on(rows: Sequence[Sequence[Line]], start: int, end: int) -> bool:
    """Pairs with longer ones above or below them: a list whose marks stand apart, not a table."""
    around = [rows[at] for at in (start - 1, end) if 0 <= at < len(rows)]
    return any(len(row) == 2 and _aligned(row[0], rows[start][0]) for row in around)


def _may_be_row(cells: Sequence[Line]) -> bool:
    if len(cells) < 2 or any(line.cells or _NO_CELL.search(line.text) for line in cells):
        return False
    longest = max(len(line.text) for line in cells)
    if longest > (SHORT_PAIR if len(cells) == 2 else SHORT_CELL):
        return False
    return all(after.bbox[0] - before.bbox[2] >= APART * before.size for before, after in pairwise(cells))


def _below(first: Sequence[Line], before: Sequence[Line], row: Sequence[Line]) -> bool:
    near = 0 < row[0].bbox[1] - before[0].bbox[1] <= STEP * before[0].size
    return near and len(first) == len(row) and all(map(_aligned, first, row))


def _aligned(one: Line, other: Line) -> bool:
    left, right = one.bbox[0] - other.bbox[0], one.bbox[2] - other.bbox[2]
    return min(abs(left), abs(right), abs(left + right) / 2) <= ALIGNED


# --- rows ------------------------------------------------------------


def _row_line(cells: Sequence[Sequence[Line]]) -> Line:
    lines = [line for cell in cells for line in cell]
    said = [cell for cell in cells if cell]
    cells = said if len(said) == 1 else cells
    lefts, tops, rights, bottoms = zip(*(line.bbox for line in lines), strict=True)
    return replace(
        lines[0],
        text=CELL_GAP.join(" ".join(line.text for line in cell) for cell in cells),
        bbox=(min(lefts), min(tops), max(rights), max(bottoms)),
        bold=all(line.bold for line in lines),
        lead="",
        xs=(),
        cells=tuple(tuple(cell) for cell in cells),
    )


def _with_header(rows: Sequence[Line]) -> list[Line]:
    """Rows whose first one, alone in bold, is the head of the others."""
    if len(rows) > 1 and rows[0].bold and not all(row.bold for row in rows):
        return [replace(rows[0], is_header=True), *rows[1:]]
    return list(rows)


def _middle(box: Box) -> tuple[float, float]:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
