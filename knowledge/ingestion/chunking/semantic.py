"""Sentences become topics: where one speaks of something else than the one before it. Pure but for the model it is
given.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

#: Vectors of length 1, in the order of the texts.
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


def topic_shifts(texts: Sequence[str], embed: Embed, threshold: float) -> list[bool]:
    """For each text whether its cosine distance from the one before it is over the threshold; the first has none."""
    if not texts:
        return []
    vectors = embed(texts)
    return [False, *(distance(before, after) > threshold for before, after in pairwise(vectors))]


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Cosine distance of two vectors of length 1: 0 for the same direction, 1 for nothing in common, 2 at most."""
    return 1.0 - sum(a * b for a, b in zip(one, other, strict=True))
