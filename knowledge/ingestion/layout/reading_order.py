"""Put the lines of a page into the order in which people read them: column by column, else row by row. Pure."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from knowledge.ingestion.document_model import Line, sort_in_rows
from knowledge.ingestion.layout.table_detection import mark_aligned_tables

RUNNING_TEXT = 25  # characters from which a line is more than a label or a cell
NARROW = 380.0  # points: what is not wider holds one column
FULL_COLUMN = 6  # lines of running text that make a left column; a right one may be half as long
SAME_GUTTER = 8.0  # points between the gutters of two pages that are set alike


def find_usual_gutter(pages: Sequence[tuple[Sequence[Line], float]]) -> float | None:
    """Where the gutter runs on most pages (lines and width of each), so that it is known on short pages as well."""
    found = [gutter for lines, width in pages if (gutter := _find_gutter(lines, 0.0, width)) is not None]
    near = [sum(abs(one - other) < SAME_GUTTER for other in found) for one in found]
    return found[near.index(max(near))] if found and 2 * max(near) > len(pages) else None


def order_lines(
    lines: Sequence[Line], left: float, right: float, usual_gutter: float | None = None
) -> list[tuple[Line, int]]:
    """The lines between two edges in reading order, each with its column (0 spans them all). `usual_gutter` is that of
    the other pages; it counts where no line runs over it and running text stands left of it."""
    gutter = None
    if right - left > NARROW:
        gutter = _find_gutter(lines, left, right)
        if not gutter and usual_gutter:
            beside = [line for line in lines if line.bbox[2] <= usual_gutter]
            long = sum(len(line.text) >= RUNNING_TEXT for line in beside)
            is_crossed = any(line.bbox[0] < usual_gutter < line.bbox[2] for line in lines)
            if not is_crossed and _is_column(long, len(beside), FULL_COLUMN):
                gutter = usual_gutter
    if gutter is None:
        blocks: dict[int, list[Line]] = defaultdict(list)
        for line in lines:
            blocks[line.block].append(line)
        downwards = sorted(
            blocks.values(), key=lambda block: (min(line.bbox[1] for line in block) // 3, block[0].bbox[0])
        )
        in_rows = [line for block in downwards for line in sort_in_rows(block)]
        return [(line, 0) for line in mark_aligned_tables(in_rows)]
    ordered: list[tuple[Line, int]] = []
    band: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.bbox[1], line.bbox[0])):
        if line.bbox[0] < gutter < line.bbox[2]:
            ordered += [*_order_columns(band, left, gutter, right), (line, 0)]
            band = []
        else:
            band.append(line)
    return ordered + _order_columns(band, left, gutter, right)


def _order_columns(lines: Sequence[Line], left: float, gutter: float, right: float) -> list[tuple[Line, int]]:
    """The lines left of the gutter, then those right of it; either side may have columns of its own."""
    first = order_lines([line for line in lines if line.bbox[2] <= gutter], left, gutter)
    second = order_lines([line for line in lines if line.bbox[2] > gutter], gutter, right)
    return [(line, side + 3 * column) for side, half in ((1, first), (2, second)) for line, column in half]


def _find_gutter(lines: Sequence[Line], left_edge: float, right_edge: float) -> float | None:
    """Where the white stripe between two columns runs; None where there is one column."""
    long = [line for line in lines if len(line.text) >= RUNNING_TEXT]
    starts, ends, long_starts, long_ends = (
        sorted(line.bbox[side] for line in some) for some in (lines, long) for side in (0, 2)
    )
    best: tuple[int, float] | None = None
    for start in set(starts):
        at = start - 1.0
        if not 0.3 <= (at - left_edge) / (right_edge - left_edge) <= 0.7:
            continue
        left, right = bisect_right(ends, at + 0.5), len(lines) - bisect_left(starts, at)
        if (
            len(lines) - left - right <= 0.2 * len(lines)
            and _is_column(bisect_right(long_ends, at + 0.5), left, FULL_COLUMN)
            and _is_column(len(long) - bisect_left(long_starts, at), right, FULL_COLUMN // 2)
        ):
            best = max(best or (0, 0.0), (left + right, at))
    return best[1] if best else None


def _is_column(long: int, lines: int, least: int) -> bool:
    """There are enough lines of running text, and few labels or cells among them."""
    return long >= least and long >= 0.3 * lines
