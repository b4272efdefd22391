"""Where printed lines stand, on a page as it is shown and on the page turned so that a line runs from left to right.

Layout and paragraphs compare lines in that turned frame. What is stored are rectangles of the page as it is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Box = tuple[float, float, float, float]
#: Degrees, counter-clockwise, by which a line is turned as the page is shown; 90 reads upwards.
Turn = Literal[0, 90, 180, 270]


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """The characters [start, end) of a text are printed in `bbox` of `page`; its words begin at `xs` along the line."""

    page: int
    bbox: Box
    start: int
    end: int
    xs: tuple[float, ...] = ()
    turn: Turn = 0

    def moved(self, by: int) -> "PrintedLine":
        return replace(self, start=self.start + by, end=self.end + by)

    def to_dict(self) -> dict[str, Any]:
        """As stored in `Chunk.lines`."""
        optional = {"xs": list(self.xs), "turn": self.turn}
        return {
            "page": self.page,
            "bbox": list(self.bbox),
            "start": self.start,
            "end": self.end,
            **{name: value for name, value in optional.items() if value},
        }


@dataclass(frozen=True, slots=True)
class Frame:
    """A page of this size in points, seen by lines of one turn."""

    turn: Turn
    shown_width: float
    shown_height: float

    @property
    def width(self) -> float:
        return self.shown_height if self.turn in (90, 270) else self.shown_width

    @property
    def height(self) -> float:
        return self.shown_width if self.turn in (90, 270) else self.shown_height

    def read_box(self, box: Box) -> Box:
        """A rectangle of the shown page, in this frame."""
        x0, y0, x1, y1 = box
        wide, high = self.shown_width, self.shown_height
        match self.turn:
            case 90:
                return (high - y1, x0, high - y0, x1)
            case 180:
                return (wide - x1, high - y1, wide - x0, high - y0)
            case 270:
                return (y0, wide - x1, y1, wide - x0)
        return box

    def shown_box(self, box: Box) -> Box:
        """A rectangle of this frame, on the shown page."""
        x0, y0, x1, y1 = box
        wide, high = self.shown_width, self.shown_height
        match self.turn:
            case 90:
                return _rounded_box((y0, high - x1, y1, high - x0))
            case 180:
                return _rounded_box((wide - x1, high - y1, wide - x0, high - y0))
            case 270:
                return _rounded_box((wide - y1, x0, wide - y0, x1))
        return box

    def word_starts(self, xs: Sequence[float]) -> tuple[float, ...]:
        """Where words begin along the line: from this frame to the shown page (x, or y for lines that run up or down),
        or back.
        """
        match self.turn:
            case 90:
                return tuple(round(self.shown_height - x, 1) for x in xs)
            case 180:
                return tuple(round(self.shown_width - x, 1) for x in xs)
        return tuple(xs)


def turn_of(direction: tuple[float, float]) -> Turn:
    """The turn of a line that runs into this direction, y growing downwards; slanted ones by the nearest."""
    dx, dy = direction
    if abs(dx) >= abs(dy):
        return 0 if dx >= 0 else 180
    return 90 if dy < 0 else 270


def _rounded_box(box: Box) -> Box:
    x0, y0, x1, y1 = box
    return (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))
