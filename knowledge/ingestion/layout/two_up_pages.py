"""Split a sheet that shows two pages side by side into two pages, and join what was read of them. Pure.

A file is two-up if its pages are in landscape and have two numbers in sequence: 12 below the left half, 13 below the
right one.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from knowledge.ingestion.document_model import Box, Line, PageText, RawPage
from knowledge.ingestion.layout.boxes import middle_of

WIDER = 1.2  # times its height: a page that lies on its long side
LABEL_HEIGHT = 6.0  # points between the heights of two page numbers side by side
SECOND_HALF = 100  # added to the columns of the right page

#: The page numbers that may be printed on a page: line, what comes before the number, and the number.
PageNumbers = Callable[[RawPage], Sequence[tuple[Line, str, int]]]


def is_two_up(pages: Sequence[RawPage], numbers_on: PageNumbers) -> bool:
    """At least half of the pages are in landscape, and half of those have two numbers in sequence."""
    lying = [page for page in pages if page.frame.width > WIDER * page.frame.height]
    if not lying or 2 * len(lying) < len(pages):
        return False
    numbered_twice = 0
    for page in lying:
        middle, numbers = page.frame.width / 2, numbers_on(page)
        numbered_twice += any(
            (prefix, value + 1) == (other_prefix, other_value)
            and middle_of(line.bbox)[0] < middle < middle_of(other.bbox)[0]
            and abs(line.bbox[1] - other.bbox[1]) < LABEL_HEIGHT
            for line, prefix, value in numbers
            for other, other_prefix, other_value in numbers
        )
    return numbered_twice >= max(1, len(lying) // 2)


def split_sheet(page: RawPage) -> tuple[RawPage, RawPage]:
    """The two pages of a sheet; the lines of the right one are moved as if it were a page alone."""
    middle = page.frame.width / 2
    lies = page.turn in (90, 270)
    left = replace(
        page,
        number=2 * page.number - 1,
        label="",
        width=page.width / (1 if lies else 2),
        height=page.height / (2 if lies else 1),
        lines=tuple(line for line in page.lines if middle_of(line.bbox)[0] < middle),
        rules=tuple(rule for rule in page.rules if rule[0] < middle),
    )
    right = replace(
        left,
        number=2 * page.number,
        lines=tuple(_move_line(line, -middle) for line in page.lines if middle_of(line.bbox)[0] >= middle),
        rules=tuple(_shift_box(rule, -middle) for rule in page.rules if rule[0] >= middle),
    )
    return left, right


def join_sheet(page: RawPage, left: PageText, right: PageText) -> PageText:
    """What was read of both halves as one page, labeled "12, 13"."""
    middle = page.frame.width / 2
    return replace(
        left,
        number=page.number,
        label=", ".join(filter(None, (left.label, right.label))) or page.label,
        half_labels=(left.label, right.label),
        width=page.width,
        height=page.height,
        lines=(*left.lines, *(_move_line(line, middle) for line in right.lines)),
        column_of=(*left.column_of, *(SECOND_HALF + column for column in right.column_of)),
        running=(*left.running, *right.running),
    )


def _move_line(line: Line, by: float) -> Line:
    return replace(
        line,
        bbox=_shift_box(line.bbox, by),
        xs=tuple(x + by for x in line.xs),
        cells=tuple(tuple(_move_line(part, by) for part in cell) for cell in line.cells),
        capital=_shift_box(line.capital, by) if line.capital else None,
    )


def _shift_box(box: Box, by: float) -> Box:
    return (box[0] + by, box[1], box[2] + by, box[3])
