"""Parse the handbook's small dialect of Markdown into headings, paragraphs, tables and figures.

Pure. It knows nothing of pages or fonts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FIGURE = re.compile(r"!\[(?P<file>[\w.]+)\]\((?P<caption>.+)\)$")


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str


@dataclass(frozen=True, slots=True)
class Figure:
    file: str
    caption: str


Block = Heading | Paragraph | Table | Figure


def blocks_of(markdown: str) -> tuple[Block, ...]:
    return tuple(_block_from(piece) for piece in _split_pieces(markdown))


def _split_pieces(markdown: str) -> Iterator[str]:
    for piece in re.split(r"\n\s*\n", markdown):
        if piece.strip():
            yield piece.strip()


def _block_from(piece: str) -> Block:
    if piece.startswith("#"):
        marks, _, text = piece.partition(" ")
        return Heading(len(marks), text)
    if piece.startswith("|"):
        return _table_from(piece.splitlines())
    if figure := FIGURE.match(piece):
        return Figure(figure["file"], figure["caption"])
    return Paragraph(" ".join(piece.split()))


def _table_from(lines: list[str]) -> Table:
    rows = [_cells_of(line) for line in lines if line.startswith("|")]
    caption = " ".join(line for line in lines if not line.startswith("|"))
    return Table(header=rows[0], rows=tuple(rows[2:]), caption=caption)


def _cells_of(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
