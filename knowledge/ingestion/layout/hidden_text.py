"""The text of a PDF's page becomes what a reader of the page sees of it; the rest is counted and left out.

Left out is text that is transparent or drawn in no way, smaller than anybody reads, off the page, as light as its
ground, or painted over. What only pixels can tell is looked at in pixels: the page is drawn once where such text
stands. Text drawn in no way over a picture in which something is to be seen is what a scanner's program recognised
there, and stays. Runs in the parsing process.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from knowledge.ingestion.document_model import Box
from knowledge.ingestion.layout.drawing_ops import Painted
from knowledge.mupdf import mupdf

_FILLED, _STROKED, _CLIPPED = 16, 32, 64  # MuPDF's flags of a character: how it is drawn
_DRAWN = (_FILLED, _STROKED, _FILLED | _STROKED)
_TEXT = ("fill-text", "stroke-text", "ignore-text", "clip-text", "clip-stroke-text")
_PAINT = ("fill-path", "fill-shade", "fill-image", "fill-imgmask")
_LEAST_SIZE = 1.5  # points: print of 4 is read with a glass
_LEAST_ALPHA = 26  # of 255: fainter is not read on paper
_LIGHT = 200  # of 255: what is darker than this in one of its colours is seen on white paper
_CONTRAST = 24  # of 255, between the lightest and the darkest pixel of a stretch of text
_LEAST_GROUND = 5.0  # points a side: what may hide a word, or be the ground that it stands on
_GROUNDS = 300  # on one page; with more of them all of its text is looked at
_PIXELS = 4_000_000  # of a page that is drawn to look at it
_SCALE = 1.0  # pixels a point
_LEAST_SCALE = 0.4  # below it no letter can be told
_OVER_SCAN = 0.5  # of the page that a picture covers: a scan, with its text before or behind it

Span = dict[str, Any]


@dataclass(slots=True)
class LeftOut:
    """What of a page's text nobody sees: how many words, and where they stand."""

    words: int = 0
    boxes: list[Box] = field(default_factory=list)

    def holds(self, x: float, y: float) -> bool:
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in self.boxes)


def leave_out_hidden(
    page: Any, blocks: Sequence[dict[str, Any]], grounds: "Grounds", strays: bool
) -> LeftOut:
    """Take from the lines of a page's blocks the spans that nobody sees; what was taken. `strays`: some of the text
    stands outside the page."""
    doubtful: list[Span] = []
    hidden: list[Span] = []
    for line in _lines(blocks):
        covered = grounds.reach(line["bbox"])
        for span in line["spans"]:
            if (_is_plain(span) and not covered) or not span["text"].strip():
                continue
            if span["size"] < _LEAST_SIZE:
                hidden.append(span)
            elif _is_undrawn(span):
                (doubtful if grounds.has_picture_at(_middle(span)) else hidden).append(span)
            elif grounds.hides(span):
                hidden.append(span)
            elif span["char_flags"] & _CLIPPED or _is_light(span) or grounds.may_hide(span):
                doubtful.append(span)
    hidden += _unseen(page, doubtful)
    _take(blocks, hidden)
    words = sum(len(span["text"].split()) for span in hidden)
    off = _words_off(page, grounds.bounds) if strays else 0
    return LeftOut(words + off, [tuple(span["bbox"]) for span in hidden])


def bounds_of(page: Any) -> Box:
    """The page in the places of its text, which are those before it is turned."""
    x0, y0, x1, y1 = page.rect if not page.rotation else (page.rect * page.derotation_matrix).normalize()
    return (x0, y0, x1, y1)


def _lines(blocks: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        yield from block.get("lines", ())


def _is_plain(span: Span) -> bool:
    """Drawn in a dark colour and large enough: nothing but a ground can hide it."""
    if span["size"] < _LEAST_SIZE or span["alpha"] < _LEAST_ALPHA:
        return False
    return span["char_flags"] & (_FILLED | _STROKED | _CLIPPED) in _DRAWN and not _is_light(span)


def _take(blocks: Iterable[dict[str, Any]], hidden: Sequence[Span]) -> None:
    taken = {id(span) for span in hidden}
    if not taken:
        return
    for block in blocks:
        for line in block.get("lines", ()):
            kept = [span for span in line["spans"] if id(span) not in taken]
            if len(kept) < len(line["spans"]):
                line["spans"] = kept
                line["bbox"] = (
                    _around([span["bbox"] for span in kept if span["text"].strip()]) or line["bbox"]
                )


def _around(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def _is_undrawn(span: Span) -> bool:
    drawn = span["char_flags"] & (_FILLED | _STROKED)
    return not span["char_flags"] & _CLIPPED and (not drawn or span["alpha"] < _LEAST_ALPHA)


def _is_light(span: Span) -> bool:
    colour = span["color"]
    return bool(min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= _LIGHT)


def _middle(span: Span) -> tuple[float, float]:
    x0, y0, x1, y1 = span["bbox"]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _holds(box: Box, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


@dataclass(slots=True)
class Grounds:
    """What a page paints that may hide text: all that is not next to nothing. `sees_through`: a picture of the page
    lets through what is behind it."""

    page: Any
    painted: list[tuple[str, Box]]
    bounds: Box
    sees_through: bool
    order: list[tuple[str, Box]] = field(default_factory=list)

    @classmethod
    def of(cls, page: Any, bounds: Box, painted: Painted, sees_through: bool) -> "Grounds":
        return cls(page, [one for one in painted if _is_ground(*one)], bounds, sees_through)

    def reach(self, box: Box) -> bool:
        """One of them stands where this box does, so that it may be the ground of what is in it."""
        if not self.painted:
            return False
        if len(self.painted) > _GROUNDS:
            return True
        x0, y0, x1, y1 = box
        return any(own[0] <= x1 and own[2] >= x0 and own[1] <= y1 and own[3] >= y0 for _, own in self.painted)

    def has_picture_at(self, point: tuple[float, float]) -> bool:
        return any("im" in kind and _holds(box, point) for kind, box in self.painted)

    def hides(self, span: Span) -> bool:
        """A picture that nothing is seen through was laid over the text, and is not a scan of it."""
        if self.sees_through or not self.painted or len(self.painted) > _GROUNDS:
            return False
        middle = _middle(span)
        over = [box for kind, box in self.painted if kind == "fill-image" and _holds(box, middle)]
        if not over or any(_area(box) > _OVER_SCAN * _area(self.bounds) for box in over):
            return False
        self.order = self.order or self.page.get_bboxlog()
        written = [at for at, (kind, box) in enumerate(self.order) if kind in _TEXT and _holds(box, middle)]
        return bool(written) and any(
            kind == "fill-image" and _is_ground(kind, box) and _holds(box, middle)
            for kind, box in self.order[written[-1] :]
        )

    def may_hide(self, span: Span) -> bool:
        """Something was painted where the text stands, as its ground or over it."""
        if len(self.painted) > _GROUNDS:
            return True
        middle = _middle(span)
        return any(_holds(box, middle) for _, box in self.painted)


def _is_ground(kind: str, box: Box) -> bool:
    return kind in _PAINT and box[2] - box[0] >= _LEAST_GROUND and box[3] - box[1] >= _LEAST_GROUND


def _words_off(page: Any, bounds: Box) -> int:
    """The words of text that stands outside the page."""
    x0, y0, x1, y1 = bounds
    every = page.get_textpage(clip=mupdf.INFINITE_RECT(), flags=mupdf.TEXT_PRESERVE_WHITESPACE)
    return sum(
        right < x0 or bottom < y0 or left > x1 or top > y1
        for left, top, right, bottom, *_ in every.extractWORDS()
    )


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


# --- looking ------------------------------------------------------------


def _unseen(page: Any, doubtful: Sequence[Span]) -> list[Span]:
    """Those of the spans in whose place the page shows one colour alone."""
    if not doubtful:
        return []
    turned = page.rotation_matrix if page.rotation else None
    boxes = [_shown(span["bbox"], turned) for span in doubtful]
    shown = tuple(page.rect)
    places = _around([part for part in (_common(box, shown) for box in boxes) if part])
    if places is None:
        return []
    pixels = _drawn(page, mupdf.Rect(places))
    if pixels is None:
        return []
    return [span for span, box in zip(doubtful, boxes, strict=True) if not pixels.shows_something(box)]


def _shown(box: Box, turned: Any) -> Box:
    """A place of the page's text, on the page as it is shown."""
    if turned is None:
        return box
    x0, y0, x1, y1 = mupdf.Rect(box) * turned
    return (x0, y0, x1, y1)


def _common(one: Box, other: Box) -> Box | None:
    x0, y0 = max(one[0], other[0]), max(one[1], other[1])
    x1, y1 = min(one[2], other[2]), min(one[3], other[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _drawn(page: Any, clip: Any) -> "_Pixels | None":
    """A part of a page in pixels, or None where it is too large for letters to be told, or cannot be drawn."""
    scale = min(_SCALE, (_PIXELS / max(clip.width * clip.height, 1.0)) ** 0.5)
    if scale < _LEAST_SCALE:
        return None
    try:
        drawn = page.get_pixmap(matrix=mupdf.Matrix(scale, scale), clip=clip, alpha=False)
    except Exception:  # a picture that cannot be opened: its page is read as if all of it were seen
        return None
    return _Pixels(drawn.samples, drawn.width, drawn.height, drawn.x, drawn.y, scale)


@dataclass(frozen=True, slots=True)
class _Pixels:
    """Red, green and blue of a part of a page."""

    samples: bytes
    width: int
    height: int
    left: int
    top: int
    scale: float

    def shows_something(self, box: Box) -> bool:
        """Whether any colour differs enough between two places of the box."""
        x0, x1 = self._within(box[0], box[2], self.left, self.width)
        y0, y1 = self._within(box[1], box[3], self.top, self.height)
        rows = [self.samples[3 * (y * self.width + x0) : 3 * (y * self.width + x1)] for y in range(y0, y1)]
        middle = len(rows) // 2
        return _contrast(rows[middle : middle + 1]) or _contrast(rows)  # most letters cross the middle

    def _within(self, low: float, high: float, start: int, length: int) -> tuple[int, int]:
        first = min(max(round(low * self.scale) - start, 0), length)
        return first, min(max(round(high * self.scale) - start, first), length)


def _contrast(rows: Sequence[bytes]) -> bool:
    every = b"".join(rows)
    return any(max(one) - min(one) >= _CONTRAST for one in (every[0::3], every[1::3], every[2::3]) if one)
