"""Marks on a page become the region of a figure: what is drawn by a caption, and nothing of the text around it. Pure.

A mark is the rectangle of one thing painted (a path, a shading, a picture, a stretch of text), in points.
The region starts at the marks nearest to the caption, or at a picture that is known, and grows over what
touches it until it would run into running text. Knows nothing of PDF.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knowledge.ingestion.document_model import Box

NEAR = 18.0  # points between two marks of one drawing: a line of text and its leading
LABEL_NEAR = 14.0  # points between a drawing and the letters that name its axes and parts
SLACK = 2.0  # points by which boxes of print overlap although their ink does not
PAGE_SHARE = 0.85  # share of the page: a mark beyond it is the page's own ground or frame
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


@dataclass(frozen=True, slots=True)
class Asked:
    """A figure to be found: by its caption, or from the pictures it has (`seed`), or both. `texts` are the
    paragraphs that are none of it."""

    caption: Box | None
    seed: Box | None
    texts: tuple[Box, ...]
    below: float  # points from the figure down to its caption
    above: float  # points from a caption down to its figure


def region_of(marks: Marks, asked: Asked) -> Box | None:
    """The rectangle of the figure on its page; None where nothing is drawn."""
    painted = [box for box in (*marks.paths, *marks.pictures) if not _is_ground(box, marks)]
    texts = _obstacles(painted, asked.texts)
    walls = [*texts, *([asked.caption] if asked.caption else [])]
    for start in _starts(painted, asked, walls):
        region = _grown(start, painted, walls, NEAR)
        if _is_drawing(region, marks, asked.seed is not None):
            region = _grown(region, marks.texts, walls, LABEL_NEAR)
            return _on_page(region, marks, walls)
    return None


def _starts(painted: Sequence[Box], asked: Asked, walls: Sequence[Box]) -> Iterator[Box]:
    if asked.seed is not None:
        yield asked.seed
        return
    if asked.caption is None:
        return
    for side in (_above(painted, asked.caption, asked.below), _below(painted, asked.caption, asked.above)):
        yield from (box for box in side if not _hits(_union(box, asked.caption), walls[:-1]))


def _above(painted: Iterable[Box], caption: Box, reach: float) -> list[Box]:
    """What stands over a caption, the nearest first."""
    found = [box for box in painted if 0 <= caption[1] - box[3] + SLACK <= reach and _share_x(box, caption)]
    return sorted(found, key=lambda box: -box[3])[:LEAST_MARKS]


def _below(painted: Iterable[Box], caption: Box, reach: float) -> list[Box]:
    found = [box for box in painted if 0 <= box[1] - caption[3] + SLACK <= reach and _share_x(box, caption)]
    return sorted(found, key=lambda box: box[1])[:LEAST_MARKS]


def _grown(region: Box, marks: Iterable[Box], walls: Sequence[Box], near: float) -> Box:
    """The region with all marks that touch it, and those that touch these, as long as no wall is hit."""
    left = list(marks)
    grew = True
    while grew:
        grew, apart = False, []
        for mark in left:
            wider = _union(region, mark)
            if wider == region:
                continue
            if _gap(region, mark) <= near and not _hits(wider, walls):
                region, grew = wider, True
            else:
                apart.append(mark)
        left = apart
    return region


def _obstacles(painted: Sequence[Box], texts: Sequence[Box]) -> list[Box]:
    """The texts that stand in no frame of a drawing."""
    frames = [box for box in painted if min(_width(box), _height(box)) >= LEAST_SIDE]
    drawn = [
        frame for frame in frames if sum(_shared(frame, t) for t in texts) <= CONTENT_SHARE * area(frame)
    ]
    return [text for text in texts if not any(_shared(frame, text) >= INSIDE * area(text) for frame in drawn)]


def _is_drawing(region: Box, marks: Marks, is_known: bool) -> bool:
    if min(_width(region), _height(region)) < LEAST_SIDE:
        return False
    inside = sum(_inside(path, region) for path in marks.paths)
    return is_known or inside >= LEAST_MARKS or any(_inside(picture, region) for picture in marks.pictures)


def _is_ground(box: Box, marks: Marks) -> bool:
    return area(box) >= PAGE_SHARE * marks.width * marks.height


def _on_page(region: Box, marks: Marks, walls: Sequence[Box]) -> Box:
    """With a margin where there is room for one."""
    x0, y0, x1, y1 = region
    wide = (x0 - MARGIN, y0 - MARGIN, x1 + MARGIN, y1 + MARGIN)
    x0, y0, x1, y1 = region if _hits(wide, walls) else wide
    return (max(0.0, x0), max(0.0, y0), min(marks.width, x1), min(marks.height, y1))


def covered_share(marks: Marks) -> float:
    """The share of the page that the box around all paths and pictures takes."""
    painted = [box for box in (*marks.paths, *marks.pictures) if not _is_ground(box, marks)]
    grounds = [box for box in marks.pictures if _is_ground(box, marks)]
    if grounds:
        return 1.0
    return area(union_of(painted)) / (marks.width * marks.height) if painted else 0.0


# --- rectangles ------------------------------------------------------------


def union_of(boxes: Sequence[Box]) -> Box:
    """The smallest rectangle around all of them. ValueError for none."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def area(box: Box) -> float:
    return max(0.0, _width(box)) * max(0.0, _height(box))


def distance(one: Box, other: Box) -> float:
    """Points between the nearest edges of two rectangles; 0 where they touch."""
    across = max(one[0] - other[2], other[0] - one[2], 0.0)
    down = max(one[1] - other[3], other[1] - one[3], 0.0)
    return float((across**2 + down**2) ** 0.5)


def _union(one: Box, other: Box) -> Box:
    return (min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]))


def _gap(one: Box, other: Box) -> float:
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3], 0.0)


def _hits(box: Box, walls: Iterable[Box]) -> bool:
    return any(
        min(box[2], wall[2]) - max(box[0], wall[0]) > SLACK
        and min(box[3], wall[3]) - max(box[1], wall[1]) > SLACK
        for wall in walls
    )


def _shared(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0


def _inside(inner: Box, outer: Box) -> bool:
    return (
        inner[0] >= outer[0] - SLACK
        and inner[1] >= outer[1] - SLACK
        and inner[2] <= outer[2] + SLACK
        and inner[3] <= outer[3] + SLACK
    )


def _share_x(one: Box, other: Box) -> bool:
    return min(one[2], other[2]) > max(one[0], other[0])


def _width(box: Box) -> float:
    return box[2] - box[0]


def _height(box: Box) -> float:
    return box[3] - box[1]
