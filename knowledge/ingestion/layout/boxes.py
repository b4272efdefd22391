"""Geometry of boxes: (left, top, right, bottom) in points, y growing downwards. Pure."""

from collections.abc import Iterable, Sequence

from knowledge.ingestion.document_model import Box

SLACK = 2.0  # points by which the boxes of printed things overlap although their ink does not


def union_of(boxes: Sequence[Box]) -> Box:
    """The smallest box around all of them. Raises ValueError if there are none."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def overlap_of(one: Box, other: Box) -> tuple[float, float]:
    """How far two boxes overlap across and down; negative where there is a gap between them."""
    return min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])


def shared_area(one: Box, other: Box) -> float:
    across, down = overlap_of(one, other)
    return across * down if across > 0 and down > 0 else 0.0


def area_of(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def short_side(box: Box) -> float:
    return min(box[2] - box[0], box[3] - box[1])


def distance_between(one: Box, other: Box) -> float:
    """Points between the nearest edges of two boxes; 0 where they touch."""
    across, down = (max(0.0, -overlap) for overlap in overlap_of(one, other))
    return float((across**2 + down**2) ** 0.5)


def middle_of(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def holds_point(box: Box, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def hits_any(box: Box, others: Iterable[Box]) -> bool:
    """The box overlaps one of the others by more than print's slack."""
    left, top, right, bottom = box
    return any(
        min(right, other[2]) - max(left, other[0]) > SLACK
        and min(bottom, other[3]) - max(top, other[1]) > SLACK
        for other in others
    )
