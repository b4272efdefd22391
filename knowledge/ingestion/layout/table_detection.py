"""Turn lines of a page into rows of tables: by the rules drawn around cells, else by how the cells align. Pure.

A row is one `Line` that has `cells`. A cell that spans several rows is repeated in each of them, so that a row can be
read, quoted and claimed alone; its boxes stay where it is printed. Frames around text are not tables.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from knowledge.ingestion.document_model import CELL_GAP, Box, Line, are_in_same_row, sort_in_rows
from knowledge.ingestion.layout.boxes import middle_of, union_of

TOUCH = 3.0  # points: rules nearer than this meet, or are one
LEAST_SIDE = 8.0  # points: a rule shorter than this is a tick
MAX_CROSSINGS = 250_000  # pairs of rules that are compared; a page beyond that is a drawing
REPEATED = 120  # characters of a cell that spans several rows: what is longer is said once
LONG_CELL = 600  # characters: text in a frame, not a cell

LEAST_ROWS = 3  # of a table without rules
ALIGNED = 4.0  # points between the edges of cells below each other
APART = 1.2  # times the size of the type: the least gap between two cells
STEP = 3.0  # times the size of the type: the most from one row to the next
SHORT_CELL, SHORT_PAIR = 45, 28  # characters of a cell in a table without rules, of three columns and of two

_NO_CELL = re.compile(r"[•●▪◦‣–—-]\Z|\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})[).]\Z|(?:\.\s?){4,}")
_Place = tuple[int, int]  # row and column


@dataclass(frozen=True, slots=True)
class _Grid:
    """The edges of columns (`xs`) and rows (`ys`), and the rules that run across and down."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    across: Sequence[Box]
    down: Sequence[Box]

    def holds(self, line: Line) -> bool:
        x, y = middle_of(line.bbox)
        return self.xs[0] <= x <= self.xs[-1] and self.ys[0] <= y <= self.ys[-1]

    def column_at(self, x: float) -> int:
        return min(max(bisect_right(self.xs, x) - 1, 0), len(self.xs) - 2)

    def row_at(self, y: float) -> int:
        return min(max(bisect_right(self.ys, y) - 1, 0), len(self.ys) - 2)

    def is_open_right(self, row: int, column: int) -> bool:
        """No rule separates a place from the one to its right."""
        x, y = self.xs[column + 1], (self.ys[row] + self.ys[row + 1]) / 2
        return not any(abs(rule[0] - x) <= TOUCH and rule[1] <= y <= rule[3] for rule in self.down)

    def is_open_below(self, row: int, column: int) -> bool:
        x, y = (self.xs[column] + self.xs[column + 1]) / 2, self.ys[row + 1]
        return not any(abs(rule[1] - y) <= TOUCH and rule[0] <= x <= rule[2] for rule in self.across)

    def first_places(self) -> dict[_Place, _Place]:
        """For each place the first one of the cell that it belongs to."""
        first: dict[_Place, _Place] = {}
        for row in range(len(self.ys) - 1):
            for column in range(len(self.xs) - 1):
                if column and self.is_open_right(row, column - 1):
                    first[row, column] = first[row, column - 1]
                elif row and self.is_open_below(row - 1, column):
                    first[row, column] = first[row - 1, column]
                else:
                    first[row, column] = (row, column)
        return first


# --- tables with rules ------------------------------------------------------------


def mark_ruled_tables(lines: Sequence[Line], rules: Sequence[Box]) -> list[Line]:
    """The lines of a page, those inside of ruled tables as rows. A frame around text is no table."""
    left = list(lines)
    for grid in _find_grids(rules):
        inside = [line for line in left if grid.holds(line)]
        first_places = grid.first_places()
        texts: dict[_Place, list[Line]] = defaultdict(list)
        for line in inside:
            for part in _split_at_rules(line, grid):
                row, column = grid.row_at(middle_of(part.bbox)[1]), grid.column_at(part.bbox[0] + 1.0)
                texts[first_places[row, column]].append(part)
        full: list[list[list[Line]]] = []
        for row in range(len(grid.ys) - 1):
            places = [first_places[row, column] for column in range(len(grid.xs) - 1)]
            cells: dict[_Place, list[Line]] = {}
            for place in places:
                said = sort_in_rows(texts[place])
                # A cell that spans the row from above is repeated in it if it is short and no wider than a column.
                is_spanning = place[0] < row
                is_dropped = is_spanning and (places.count(place) > 1 or _letters_in(said) > REPEATED)
                cells.setdefault(place, [] if is_dropped else said)
            if any(said and place[0] == row for place, said in cells.items()):
                full.append(list(cells.values()))
        is_table = sum(sum(map(bool, cells)) > 1 for cells in full) >= 2
        if is_table and all(_letters_in(cell) <= LONG_CELL for cells in full for cell in cells):
            taken = {id(line) for line in inside}
            left = [line for line in left if id(line) not in taken]
            left += _mark_header([_row_of(cells) for cells in full])
    return left


def _find_grids(rules: Sequence[Box]) -> Iterator[_Grid]:
    """Rules that meet, directly or by others, and part the page into two columns and two rows at least."""
    across = [rule for rule in rules if rule[2] - rule[0] >= max(LEAST_SIDE, rule[3] - rule[1])]
    down = [rule for rule in rules if rule[3] - rule[1] > max(LEAST_SIDE, rule[2] - rule[0])]
    if not across or not down or len(across) * len(down) > MAX_CROSSINGS:
        return
    meets: dict[int, list[int]] = defaultdict(list)  # rules across count from 0, those down after them
    order = sorted(range(len(down)), key=lambda at: down[at][0])
    places = [down[at][0] for at in order]
    for at, rule in enumerate(across):
        near = order[bisect_left(places, rule[0] - TOUCH) : bisect_right(places, rule[2] + TOUCH)]
        for other in near:
            if down[other][1] - TOUCH <= rule[1] <= down[other][3] + TOUCH:
                meets[at].append(len(across) + other)
                meets[len(across) + other].append(at)
    seen: set[int] = set()
    for start in range(len(across)):
        group, waiting = set[int](), [start]
        while waiting:
            at = waiting.pop()
            if at not in seen:
                seen.add(at)
                group.add(at)
                waiting += meets[at]
        some_across = [across[at] for at in sorted(group) if at < len(across)]
        some_down = [down[at - len(across)] for at in sorted(group) if at >= len(across)]
        if some_across and some_down:
            xs = _merge_edges([rule[0] for rule in some_down], [x for rule in some_across for x in rule[::2]])
            ys = _merge_edges(
                [rule[1] for rule in some_across], [y for rule in some_down for y in rule[1::2]]
            )
            if len(xs) >= 3 and len(ys) >= 3:
                yield _Grid(xs, ys, some_across, some_down)


def _merge_edges(places: Sequence[float], reaches: Sequence[float]) -> tuple[float, ...]:
    """Where rules run, and how far those across them reach."""
    found: list[float] = []
    for place in sorted((*places, min(reaches), max(reaches))):
        if not found or place - found[-1] > TOUCH:
            found.append(place)
    return tuple(found)


def _letters_in(lines: Sequence[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _split_at_rules(line: Line, grid: _Grid) -> Iterator[Line]:
    """A line, cut where a rule runs between its words; each part ends before the rule that follows."""
    row = grid.row_at(middle_of(line.bbox)[1])
    words = line.text.split()
    starts = [0]
    if len(words) == len(line.xs):
        for at, (before, after) in enumerate(pairwise(line.xs), 1):
            between = range(grid.column_at(before + 1.0), grid.column_at(after + 1.0))
            if any(not grid.is_open_right(row, column) for column in between):
                starts.append(at)
    if len(starts) == 1:
        yield line
        return
    x0, y0, x1, y1 = line.bbox
    for start, end in pairwise((*starts, len(words))):
        left = x0 if start == 0 else line.xs[start]
        right = x1 if end == len(words) else grid.xs[grid.column_at(line.xs[end] + 1.0)]
        text = " ".join(words[start:end])
        lead = text if line.bold else ""
        yield replace(line, text=text, bbox=(left, y0, right, y1), xs=line.xs[start:end], lead=lead)


# --- tables without rules ------------------------------------------------------------


def mark_aligned_tables(lines: Sequence[Line]) -> list[Line]:
    """The lines of one column in their order; three rows or more whose short cells align become rows."""
    rows: list[list[Line]] = []  # neighbors in the order that are beside each other
    for line in lines:
        if rows and not line.cells and not rows[-1][0].cells and are_in_same_row(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    found: list[Line] = []
    at = 0
    while at < len(rows):
        count = _count_aligned_rows(rows, at)
        if count:
            found += _mark_header([_row_of([[cell] for cell in row]) for row in rows[at : at + count]])
        else:
            found += rows[at]
        at += max(1, count)
    return found


def _count_aligned_rows(rows: Sequence[Sequence[Line]], start: int) -> int:
    """How many rows from `start` on are a table; 0 if none."""
    first, end = rows[start], start
    while end < len(rows) and _may_be_row(rows[end]):
        row, before = rows[end], rows[max(start, end - 1)][0]
        is_near = 0 < row[0].bbox[1] - before.bbox[1] <= STEP * before.size
        if end > start and not (is_near and len(first) == len(row) and all(map(_are_aligned, first, row))):
            break
        end += 1
    if end - start < LEAST_ROWS:
        return 0
    around = [rows[at] for at in (start - 1, end) if 0 <= at < len(rows)]
    # Pairs with longer ones above or below them are a list with separate marks, not a table.
    is_list = len(first) == 2 and any(len(row) == 2 and _are_aligned(row[0], first[0]) for row in around)
    return 0 if is_list else end - start


def _may_be_row(cells: Sequence[Line]) -> bool:
    if len(cells) < 2 or any(line.cells or _NO_CELL.search(line.text) for line in cells):
        return False
    if max(len(line.text) for line in cells) > (SHORT_PAIR if len(cells) == 2 else SHORT_CELL):
        return False
    return all(after.bbox[0] - before.bbox[2] >= APART * before.size for before, after in pairwise(cells))


def _are_aligned(one: Line, other: Line) -> bool:
    left, right = one.bbox[0] - other.bbox[0], one.bbox[2] - other.bbox[2]
    return min(abs(left), abs(right), abs(left + right) / 2) <= ALIGNED


# --- rows ------------------------------------------------------------


def _row_of(cells: Sequence[Sequence[Line]]) -> Line:
    lines = [line for cell in cells for line in cell]
    full = [cell for cell in cells if cell]
    cells = full if len(full) == 1 else cells
    return replace(
        lines[0],
        text=CELL_GAP.join(" ".join(line.text for line in cell) for cell in cells),
        bbox=union_of([line.bbox for line in lines]),
        bold=all(line.bold for line in lines),
        lead="",
        xs=(),
        cells=tuple(tuple(cell) for cell in cells),
    )


def _mark_header(rows: list[Line]) -> list[Line]:
    """The rows; if the first one alone is bold, it is the header of the others."""
    if len(rows) > 1 and rows[0].bold and not all(row.bold for row in rows):
        return [replace(rows[0], is_header=True), *rows[1:]]
    return rows
