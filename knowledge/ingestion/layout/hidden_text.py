"""Remove text that no reader of a PDF page can see, and count it. Runs in the parsing process.

Hidden text is transparent or not drawn, too small to read, off the page, as light as its background, or painted over.
Where only pixels can tell, the page is rendered once. Undrawn text over a picture that shows something was recognized
by a scanner, and stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from knowledge.ingestion.document_model import Box
from knowledge.ingestion.layout.boxes import (
    area_of,
    holds_point,
    middle_of,
    overlap_of,
    shared_area,
    short_side,
    union_of,
)
from knowledge.mupdf import mupdf

_FILLED, _STROKED, _CLIPPED = 16, 32, 64  # MuPDF's flags of a character: how it is drawn
_TEXT = ("fill-text", "stroke-text", "ignore-text", "clip-text", "clip-stroke-text")
_PAINT = ("fill-path", "fill-shade", "fill-image", "fill-imgmask")
_MIN_FONT_SIZE = 1.5  # points: print of 4 is read with a glass
_MIN_ALPHA = 26  # of 255: fainter is not read on paper
_LIGHT = 200  # of 255: text whose every color is lighter may vanish on white paper
_MIN_CONTRAST = 24  # of 255, between the lightest and the darkest pixel of a stretch of text
_MIN_BACKGROUND_SIDE = 5.0  # points: what is smaller hides no word and is no background
_MAX_BACKGROUNDS = 300  # on one page; with more of them all of its text is rendered and looked at
_MAX_PIXELS = 4_000_000  # of the rendered part of a page
_SCALE = 1.0  # pixels a point
_MIN_SCALE = 0.4  # below it letters look like paper
_SCAN_SHARE = 0.5  # of the page that a picture covers: a scan, with its text before or behind it

Span = dict[str, Any]
DrawingOps = list[tuple[str, Box]]
"""The kind and the box of everything that a page paints, in order: what PyMuPDF's `get_bboxlog` lists."""


@dataclass(slots=True)
class HiddenText:
    """How many words of a page are hidden, and where they are."""

    words: int = 0
    boxes: list[Box] = field(default_factory=list)

    def holds(self, x: float, y: float) -> bool:
        return any(holds_point(box, (x, y)) for box in self.boxes)


class Backgrounds:
    """The larger things that a page paints: they may be the background of text, or hide it.

    `has_masks`: one of the page's pictures lets through what is behind it.
    """

    def __init__(self, page: Any, ops: DrawingOps, has_masks: bool) -> None:
        self.page, self.has_masks, self._every_op = page, has_masks, ops
        self.ops = [(kind, box) for kind, box in ops if _is_background(kind, box)]
        self.are_too_many = len(self.ops) > _MAX_BACKGROUNDS

    def touch_box(self, box: Box) -> bool:
        left, top, right, bottom = box
        return self.are_too_many or any(
            own[0] <= right and own[2] >= left and own[1] <= bottom and own[3] >= top for _, own in self.ops
        )

    def hold_point(self, point: tuple[float, float]) -> bool:
        return self.are_too_many or any(holds_point(box, point) for _, box in self.ops)

    def have_picture_at(self, point: tuple[float, float]) -> bool:
        return any("im" in kind and holds_point(box, point) for kind, box in self.ops)

    def cover_text_at(self, point: tuple[float, float]) -> bool:
        """An opaque picture was painted over the text there, and is not a scan of it."""
        if self.has_masks or self.are_too_many:
            return False
        over = [area_of(box) for kind, box in self.ops if kind == "fill-image" and holds_point(box, point)]
        if not over or max(over) > _SCAN_SHARE * area_of(text_bounds(self.page)):
            return False
        here = [(kind, box) for kind, box in self._every_op if holds_point(box, point)]
        written = [at for at, (kind, _) in enumerate(here) if kind in _TEXT]
        return bool(written) and any(
            kind == "fill-image" and _is_background(kind, box) for kind, box in here[written[-1] :]
        )


def remove_hidden_text(
    page: Any, blocks: Sequence[dict[str, Any]], backgrounds: Backgrounds, has_strays: bool
) -> HiddenText:
    """Take the spans that no reader sees out of the page's blocks, and return what was taken. `has_strays`: some of the
    text stands outside the page."""
    doubtful: list[Span] = []
    hidden: list[Span] = []
    lines = [line for block in blocks for line in block.get("lines", ())]
    for line in lines:
        may_be_covered = backgrounds.touch_box(line["bbox"])
        for span in line["spans"]:
            if span["text"].strip():
                verdict = _is_hidden(span, backgrounds, may_be_covered)
                if verdict is not False:
                    (hidden if verdict else doubtful).append(span)
    hidden += _find_invisible(page, doubtful)
    dropped = {id(span) for span in hidden}
    for line in lines if dropped else ():
        kept = [span for span in line["spans"] if id(span) not in dropped]
        if len(kept) < len(line["spans"]):
            line["spans"] = kept
            boxes = [span["bbox"] for span in kept if span["text"].strip()]
            line["bbox"] = union_of(boxes) if boxes else line["bbox"]
    words = sum(len(span["text"].split()) for span in hidden)
    if has_strays:
        bounds = text_bounds(page)
        every = page.get_textpage(clip=mupdf.INFINITE_RECT(), flags=mupdf.TEXT_PRESERVE_WHITESPACE)
        words += sum(min(overlap_of(word[:4], bounds)) < 0 for word in every.extractWORDS())
    return HiddenText(words, [tuple(span["bbox"]) for span in hidden])


def shown_box(box: Any, rotation_matrix: Any) -> Box:
    """A box of the page before it is rotated, on the page as it is shown; `rotation_matrix` is None where it is not."""
    x0, y0, x1, y1 = mupdf.Rect(box) * rotation_matrix if rotation_matrix else box
    return (x0, y0, x1, y1)


def text_bounds(page: Any) -> Box:
    """The page's box in the coordinates of its text, which are those before it is rotated."""
    x0, y0, x1, y1 = page.rect if not page.rotation else (page.rect * page.derotation_matrix).normalize()
    return (x0, y0, x1, y1)


def _is_background(kind: str, box: Box) -> bool:
    return kind in _PAINT and short_side(box) >= _MIN_BACKGROUND_SIDE


def _is_hidden(span: Span, backgrounds: Backgrounds, may_be_covered: bool) -> bool | None:
    """None where only the pixels can tell. `may_be_covered`: the page paints something where its line stands."""
    if span["size"] < _MIN_FONT_SIZE:
        return True
    is_clipped = bool(span["char_flags"] & _CLIPPED)
    is_drawn = span["char_flags"] & (_FILLED | _STROKED) and span["alpha"] >= _MIN_ALPHA
    middle = middle_of(span["bbox"])
    if not is_clipped and not is_drawn:
        return None if backgrounds.have_picture_at(middle) else True
    if may_be_covered and backgrounds.cover_text_at(middle):
        return True
    color = span["color"]
    is_light = min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _LIGHT
    is_doubtful = is_clipped or is_light or (may_be_covered and backgrounds.hold_point(middle))
    return None if is_doubtful else False


def _find_invisible(page: Any, spans: Sequence[Span]) -> list[Span]:
    """Those of the spans where the rendered page shows one color alone; none where it cannot be rendered."""
    turned = page.rotation_matrix if page.rotation else None
    boxes = [shown_box(span["bbox"], turned) for span in spans]
    x0, y0, x1, y1 = page.rect
    on_page = [box for box in boxes if shared_area(box, (x0, y0, x1, y1))]
    if not on_page:
        return []
    left, top, right, bottom = union_of(on_page)
    clip = mupdf.Rect(max(left, x0), max(top, y0), min(right, x1), min(bottom, y1))
    scale = min(_SCALE, (_MAX_PIXELS / max(clip.width * clip.height, 1.0)) ** 0.5)
    if scale < _MIN_SCALE:
        return []
    try:
        rendered = page.get_pixmap(matrix=mupdf.Matrix(scale, scale), clip=clip, alpha=False)
    except Exception:  # a picture that cannot be opened: the page is read as if all of its text were seen
        return []
    samples, width, height = rendered.samples, rendered.width, rendered.height
    found = []
    for span, box in zip(spans, boxes, strict=True):
        x0 = min(max(round(box[0] * scale) - rendered.x, 0), width)
        x1 = min(max(round(box[2] * scale) - rendered.x, x0), width)
        y0 = min(max(round(box[1] * scale) - rendered.y, 0), height)
        y1 = min(max(round(box[3] * scale) - rendered.y, y0), height)
        rows = [samples[3 * (y * width + x0) : 3 * (y * width + x1)] for y in range(y0, y1)]
        middle = len(rows) // 2
        for some in (rows[middle : middle + 1], rows):  # most letters cross the middle
            pixels = b"".join(some)
            colors = (pixels[0::3], pixels[1::3], pixels[2::3])
            if any(max(color) - min(color) >= _MIN_CONTRAST for color in colors if color):
                break
        else:
            found.append(span)
    return found
