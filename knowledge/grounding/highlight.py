"""Finds the rectangles to highlight on a page for a quote.

A chunk keeps, for each printed line, the characters of its text that stand there, the line's rectangle, and where each
of its words begins, if the file says so. Where a line holds a part of the quote, the highlight runs from the beginning
of its first word to the beginning of the word after it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowledge.grounding.citations import find_quote
from knowledge.grounding.page_rotation import Box, Frame, PrintedLine

WORD_GAP = 0.25  # of a line's height: the space before the word that follows the highlight


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in points on a page; the origin is the upper left corner, pages count from 1."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def bbox(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)


def rectangles_for_quote(
    chunk_text: str, lines: Sequence[PrintedLine | Mapping[str, Any]], quote: str
) -> tuple[Rect, ...]:
    """Where a quote stands; white space may differ. Empty for an empty quote and for one that is not in the text."""
    span = find_quote(chunk_text, quote)
    return rectangles_for_span(chunk_text, lines, *span) if span else ()


def rectangles_for_span(
    chunk_text: str, lines: Sequence[PrintedLine | Mapping[str, Any]], start: int, end: int
) -> tuple[Rect, ...]:
    """Where the characters [start, end) of a chunk stand."""
    found: list[Rect] = []
    for line in map(_line_from, lines):
        left, right = max(start, line.start), min(end, line.end)
        if chunk_text[left:right].strip():
            box, _ = narrow_line(chunk_text, line, left, right)
            found.append(Rect(line.page, *box))
    return tuple(found)


def narrow_line(text: str, line: PrintedLine, start: int, end: int) -> tuple[Box, tuple[float, ...]]:
    """The rectangle of the characters [start, end) within a line of `text`, and where their words begin."""
    if (start, end) == (line.start, line.end):
        return line.bbox, tuple(line.xs)
    frame = Frame(line.turn, 0.0, 0.0)
    x0, y0, x1, y1 = frame.read_box(line.bbox)
    words = list(re.finditer(r"\S+", text[line.start : line.end]))
    if len(words) != len(line.xs):
        letter = (x1 - x0) / max(1, line.end - line.start)
        left, right = x0 + letter * (start - line.start), x0 + letter * (end - line.start)
        return frame.shown_box((left, y0, right, y1)), ()
    starts = frame.word_starts(line.xs)
    first = sum(word.end() + line.start <= start for word in words)
    after = sum(word.start() + line.start < end for word in words)
    left = x0 if first == 0 else starts[min(first, len(starts) - 1)]
    right = x1 if after >= len(words) else starts[after] - WORD_GAP * min(y1 - y0, 10.0)
    return frame.shown_box((left, y0, max(right, left), y1)), tuple(line.xs[first:after])


def _line_from(line: PrintedLine | Mapping[str, Any]) -> PrintedLine:
    if not isinstance(line, Mapping):
        return line
    x0, y0, x1, y1 = line["bbox"]
    return PrintedLine(
        line["page"],
        (x0, y0, x1, y1),
        line["start"],
        line["end"],
        tuple(line.get("xs") or ()),
        line.get("turn", 0),
    )
