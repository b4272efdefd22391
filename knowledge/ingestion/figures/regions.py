"""Find the region of a drawn figure on its page: what is drawn beside a caption, without the text around it. Pure.

A mark is the box of one thing painted (a path, a shading, a picture, a stretch of text). The region starts at the marks
nearest to the caption, or at known pictures, and grows over what touches it until it would run into running text. Must
not know PDF. PyMuPDF's `Page.cluster_drawings` finds none of the FAA's drawn figures: it ignores pictures and captions.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knowledge import conf
from knowledge.ingestion.document_model import Box
from knowledge.ingestion.layout.boxes import (
    SLACK,
    area_of,
    hits_any,
    overlap_of,
    shared_area,
    short_side,
    union_of,
)

NEAR = 18.0  # points between two marks of one drawing: a line of text and its leading
LABEL_NEAR = 14.0  # points between a drawing and the letters that name its axes and parts
PAGE_SHARE = 0.85  # share of the page: a mark beyond it is the page's background or frame
INSIDE = 0.9  # share of a text that lies in a drawing's frame: it belongs to the drawing
CONTENT_SHARE = 0.5  # most of a drawing that running text may fill: beyond it, a frame around text
LEAST_SIDE = 36.0  # points, half an inch: less is a rule, a bullet or a stroke of the pen
LEAST_MARKS = 3  # paths that make a drawing; two are a rule or an underline
MARGIN = 3.0  # points of paper around what is drawn


@dataclass(frozen=True, slots=True)
class Marks:
    """What is painted on one page: paths and shadings, pictures, and stretches of text."""

    width: float
    height: float
    paths: tuple[Box, ...] = ()
    pictures: tuple[Box, ...] = ()
    texts: tuple[Box, ...] = ()

    def painted(self) -> list[Box]:
        """Paths and pictures, without the page's background."""
        limit = PAGE_SHARE * self.width * self.height
        return [box for box in (*self.paths, *self.pictures) if area_of(box) < limit]


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where to look for a figure: by its caption, or around pictures that are known. `texts` are the paragraphs that
    are no part of it."""

    caption: Box | None
    pictures: Box | None
    texts: tuple[Box, ...]


def region_of(marks: Marks, anchor: Anchor) -> Box | None:
    """The box of the figure on its page, with a margin where there is room for one; None where nothing is drawn."""
    painted = marks.painted()
    frames = [
        box
        for box in painted
        if short_side(box) >= LEAST_SIDE
        and sum(shared_area(box, text) for text in anchor.texts) <= CONTENT_SHARE * area_of(box)
    ]
    walls = [
        text
        for text in anchor.texts
        if not any(shared_area(frame, text) >= INSIDE * area_of(text) for frame in frames)
    ]
    for start in _find_starts(painted, anchor, walls):
        blocked = [*walls, anchor.caption] if anchor.caption else walls
        region = _grow_region(start, painted, blocked, NEAR)
        is_drawing = (
            anchor.pictures is not None
            or sum(_is_inside(path, region) for path in marks.paths) >= LEAST_MARKS
            or any(_is_inside(picture, region) for picture in marks.pictures)
        )
        if is_drawing and short_side(region) >= LEAST_SIDE:
            region = _grow_region(region, marks.texts, blocked, LABEL_NEAR)
            wide = (region[0] - MARGIN, region[1] - MARGIN, region[2] + MARGIN, region[3] + MARGIN)
            x0, y0, x1, y1 = region if hits_any(wide, blocked) else wide
            return (max(0.0, x0), max(0.0, y0), min(marks.width, x1), min(marks.height, y1))
    return None


def covered_share(marks: Marks) -> float:
    """The share of the page that the box around all paths and pictures takes."""
    page, painted = marks.width * marks.height, marks.painted()
    if any(area_of(picture) >= PAGE_SHARE * page for picture in marks.pictures):
        return 1.0
    return area_of(union_of(painted)) / page if painted else 0.0


def _find_starts(painted: Sequence[Box], anchor: Anchor, walls: Sequence[Box]) -> Iterator[Box]:
    """Where a region may start: the marks nearest above the caption, then those below."""
    caption = anchor.caption
    if anchor.pictures is not None:
        yield anchor.pictures
    elif caption is not None:
        beside = [box for box in painted if overlap_of(box, caption)[0] > 0]
        above = [box for box in beside if 0 <= caption[1] - box[3] + SLACK <= conf.FIGURE_CAPTION_DISTANCE]
        below = [box for box in beside if 0 <= box[1] - caption[3] + SLACK <= conf.FIGURE_LABEL_DISTANCE]
        above.sort(key=lambda box: -box[3])
        below.sort(key=lambda box: box[1])
        for box in (*above[:LEAST_MARKS], *below[:LEAST_MARKS]):
            if not hits_any(union_of([box, caption]), walls):
                yield box


def _grow_region(region: Box, marks: Iterable[Box], walls: Sequence[Box], near: float) -> Box:
    """The region with all marks that touch it, and those that touch these, as long as no wall is hit."""
    left = list(marks)
    grew = True
    while grew:
        grew, apart = False, []
        for mark in left:
            wider = (
                min(region[0], mark[0]),
                min(region[1], mark[1]),
                max(region[2], mark[2]),
                max(region[3], mark[3]),
            )
            if wider == region:
                continue
            if -min(overlap_of(region, mark)) <= near and not hits_any(wider, walls):
                region, grew = wider, True
            else:
                apart.append(mark)
        left = apart
    return region


def _is_inside(inner: Box, outer: Box) -> bool:
    return (
        inner[0] >= outer[0] - SLACK
        and inner[1] >= outer[1] - SLACK
        and inner[2] <= outer[2] + SLACK
        and inner[3] <= outer[3] + SLACK
    )
