"""Measure blocks and draw them on pages.

Lines break only at spaces, so that "91.155(a)" and "two-way" are never cut, and there are no ligatures: the text that
a reader extracts from the PDF is the text of the source. A block is never split over two pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pymupdf

from tools.demo_handbook.blocks import Block, Figure, Heading, Paragraph, Table
from tools.demo_handbook.figures import SIZE, draw

PAGE = pymupdf.Rect(0, 0, 468, 684)  # points: 6.5 x 9.5 inches, a handbook for the flight bag
LEFT, RIGHT, TOP, BOTTOM = 58.0, 410.0, 66.0, 630.0
WIDTH = RIGHT - LEFT
FIGURE_WIDTH = 340.0

INK = (0.11, 0.15, 0.20)
NAVY = (0.08, 0.21, 0.36)
RUST = (0.78, 0.34, 0.17)
GREY = (0.42, 0.47, 0.53)
STRIPE = (0.95, 0.965, 0.98)
WHITE = (1.0, 1.0, 1.0)

SERIF = pymupdf.Font("tiro")
SANS = pymupdf.Font("helv")
SANS_BOLD = pymupdf.Font("hebo")

Color = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Style:
    font: Any
    size: float  # points
    leading: float  # points from line to line
    color: Color = INK
    after: float = 7.0  # points below the block


BODY = Style(SERIF, 10.3, 13.8)
TITLE = Style(SANS_BOLD, 20, 25, NAVY, 10)
SECTION = Style(SANS_BOLD, 12.5, 16, RUST, 4)
CAPTION = Style(SANS, 8.4, 11, GREY, 12)
CELL = Style(SANS, 8.6, 11.2)
CELL_HEAD = Style(SANS, 8.6, 11.2, WHITE)
CELL_PAD = 4.0


def broken(text: str, style: Style, width: float) -> list[str]:
    """Break a text into lines of a width; a word longer than the line gets its own line."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and style.font.text_length(longer, fontsize=style.size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def write(page: Any, lines: Sequence[str], style: Style, x: float, y: float) -> float:
    """Write lines with their top at y; the y below them."""
    writer = pymupdf.TextWriter(page.rect)
    for line in lines:
        y += style.leading
        writer.append((x, y - 0.26 * style.leading), line, font=style.font, fontsize=style.size)
    writer.write_text(page, color=style.color)
    return y


def height_of(block: Block) -> float:
    if isinstance(block, Heading):
        return _text_height(block.text, _heading_style(block)) + _space_before(block)
    if isinstance(block, Paragraph):
        return _text_height(block.text, BODY)
    if isinstance(block, Figure):
        return _figure_height() + 6 + _text_height(block.caption, CAPTION)
    return sum(_row_heights(block)) + 5 + _text_height(block.caption, CAPTION)


def draw_block(page: Any, block: Block, y: float) -> float:
    """Draw the block with its top at y; the y below it."""
    if isinstance(block, Heading):
        style = _heading_style(block)
        return _write_paragraph(page, block.text, style, y + _space_before(block))
    if isinstance(block, Paragraph):
        return _write_paragraph(page, block.text, BODY, y)
    if isinstance(block, Figure):
        return _draw_figure(page, block, y)
    return _draw_table(page, block, y)


def _write_paragraph(page: Any, text: str, style: Style, y: float) -> float:
    return write(page, broken(text, style, WIDTH), style, LEFT, y) + style.after


def _text_height(text: str, style: Style) -> float:
    return len(broken(text, style, WIDTH)) * style.leading + style.after


def _heading_style(heading: Heading) -> Style:
    return TITLE if heading.level == 1 else SECTION


def _space_before(heading: Heading) -> float:
    return 0.0 if heading.level == 1 else 6.0


def _figure_height() -> float:
    return FIGURE_WIDTH * SIZE[1] / SIZE[0]


def _draw_figure(page: Any, figure: Figure, y: float) -> float:
    left = LEFT + (WIDTH - FIGURE_WIDTH) / 2
    box = pymupdf.Rect(left, y, left + FIGURE_WIDTH, y + _figure_height())
    page.insert_image(box, stream=draw(figure.file))
    page.draw_rect(box, color=(0.8, 0.83, 0.87), width=0.6)
    return _write_paragraph(page, figure.caption, CAPTION, box.y1 + 6)


def _column_widths(table: Table) -> list[float]:
    """Widths in proportion to the widest cell, damped so that a long column leaves room for the others."""
    columns = list(zip(table.header, *table.rows, strict=True))
    natural = [
        max(CELL_HEAD.font.text_length(cell, fontsize=CELL.size) for cell in column) for column in columns
    ]
    damped = [max(length, 30.0) ** 0.72 for length in natural]
    return [WIDTH * share / sum(damped) for share in damped]


def _break_cells(row: Sequence[str], style: Style, widths: Sequence[float]) -> list[list[str]]:
    return [broken(cell, style, width - 2 * CELL_PAD) for cell, width in zip(row, widths, strict=True)]


def _row_height(cells: Sequence[Sequence[str]]) -> float:
    return max(len(lines) for lines in cells) * CELL.leading + 2 * CELL_PAD


def _row_heights(table: Table) -> list[float]:
    widths = _column_widths(table)
    head = _row_height(_break_cells(table.header, CELL_HEAD, widths))
    return [head, *(_row_height(_break_cells(row, CELL, widths)) for row in table.rows)]


def _draw_table(page: Any, table: Table, y: float) -> float:
    widths = _column_widths(table)
    y = _draw_row(page, _break_cells(table.header, CELL_HEAD, widths), widths, y, CELL_HEAD, NAVY)
    for n, row in enumerate(table.rows):
        y = _draw_row(page, _break_cells(row, CELL, widths), widths, y, CELL, STRIPE if n % 2 == 0 else WHITE)
    page.draw_line((LEFT, y), (RIGHT, y), color=NAVY, width=0.8)
    return _write_paragraph(page, table.caption, CAPTION, y + 5)


def _draw_row(
    page: Any, cells: list[list[str]], widths: Sequence[float], y: float, style: Style, fill: Color
) -> float:
    height = _row_height(cells)
    page.draw_rect(pymupdf.Rect(LEFT, y, RIGHT, y + height), color=None, fill=fill)
    x = LEFT
    for lines, width in zip(cells, widths, strict=True):
        write(page, lines, style, x + CELL_PAD, y + CELL_PAD)
        x += width
    return y + height
