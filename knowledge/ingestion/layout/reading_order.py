"""The lines of a page in the order in which a reader takes them: column by column, else row by row. Pure."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from knowledge.ingestion.document_model import Line, in_rows
from knowledge.ingestion.layout.table_detection import with_aligned_tables

RUNNING_TEXT = 25  # characters from which a line is more than a label or a cell
NARROW = 380.0  # points: what is not wider than this holds one column
FULL_COLUMN = 6  # lines of running text that make a left column beyond doubt; a right one may be half as long
SAME_GUTTER = 8.0  # points between the white stripes of two pages that are set alike


def usual_gutter(pages: Sequence[tuple[Sequence[Line], float]]) -> float | None:
    """Where the white stripe runs on most pages (lines and width of each): it runs there on their short pages, too."""
    found = [gutter for lines, width in pages if (gutter := _gutter(lines, 0.0, width)) is not None]
    near = [sum(abs(one - other) < SAME_GUTTER for other in found) for one in found]
    if not found or 2 * max(near) <= len(pages):
        return None
    return found[near.index(max(near))]


def reading_order(
    lines: Sequence[Line], left: float, right: float, usual: float | None = None
) -> list[tuple[Line, int]]:
    """The lines between two edges as a reader takes them, each with the column it stands in (0 = over all of it)."""
    gutter = None
    if right - left > NARROW:
        gutter = _gutter(lines, left, right) or (usual if usual and _is_parted(lines, usual) else None)
    if gutter is None:
        return [(line, 0) for line in with_aligned_tables(_rows(lines))]
    ordered: list[tuple[Line, int]] = []
    band: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.bbox[1], line.bbox[0])):
        if line.bbox[0] < gutter < line.bbox[2]:
            ordered += _column_band(band, left, gutter, right)
            ordered.append((line, 0))
            band = []
        else:
            band.append(line)
    return ordered + _column_band(band, left, gutter, right)


def _column_band(lines: Sequence[Line], left: float, gutter: float, right: float) -> list[tuple[Line, int]]:
    """What stands left of the gutter, then what stands right of it; either may hold columns of its own."""
    first = reading_order([line for line in lines if line.bbox[2] <= gutter], left, gutter)
    second = reading_order([line for line in lines if line.bbox[2] > gutter], gutter, right)
    return [(line, 1 + 3 * column) for line, column in first] + [
        (line, 2 + 3 * column) for line, column in second
    ]


def _gutter(lines: Sequence[Line], left_edge: float, right_edge: float) -> float | None:
    """Where the white stripe between two columns runs; None where there is one column."""
    starts, ends = (sorted(line.bbox[side] for line in lines) for side in (0, 2))
    long = [line for line in lines if len(line.text) >= RUNNING_TEXT]
    long_starts, long_ends = (sorted(line.bbox[side] for line in long) for side in (0, 2))
    best: tuple[int, float] | None = None
    for start in set(starts):
        at = start - 1.0
        if not 0.3 <= (at - left_edge) / (right_edge - left_edge) <= 0.7:
            continue
        left, right = bisect_right(ends, at + 0.5), len(lines) - bisect_left(starts, at)
        if (
            len(lines) - left - right <= 0.2 * len(lines)
            and _fills(bisect_right(long_ends, at + 0.5), left, FULL_COLUMN)
            and _fills(len(long) - bisect_left(long_starts, at), right, FULL_COLUMN // 2)
        ):
            best = max(best or (0, 0.0), (left + right, at))
    return best[1] if best else None


def _is_parted(lines: Sequence[Line], gutter: float) -> bool:
    """No line of a page runs over the stripe that parts the other pages, and there is running text left of it."""
    crossing = any(line.bbox[0] < gutter < line.bbox[2] for line in lines)
    return not crossing and _is_column([line for line in lines if line.bbox[2] <= gutter], FULL_COLUMN)


def _is_column(lines: Sequence[Line], least: int) -> bool:
    """Enough lines of running text, among which labels of a figure may stand; not the cells of a table."""
    return _fills(sum(len(line.text) >= RUNNING_TEXT for line in lines), len(lines), least)


def _fills(long: int, lines: int, least: int) -> bool:
    """So many lines of running text, among so many in all."""
    return long >= least and long >= 0.3 * lines


def _rows(lines: Sequence[Line]) -> list[Line]:
    """Blocks from top to bottom, and in each its lines row by row."""
    blocks: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        blocks[line.block].append(line)
    ordered = sorted(
        blocks.values(), key=lambda block: (min(line.bbox[1] for line in block) // 3, block[0].bbox[0])
    )
    return [line for block in ordered for line in in_rows(block)]
