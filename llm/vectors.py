"""Normalize and average vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = list[float]


def normalize_vector(vector: NDArray[Any]) -> NDArray[Any]:
    """The same direction with length 1; a vector of zeros stays one."""
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


def weighted_mean(vectors: Sequence[Sequence[float]], weights: Sequence[float]) -> Vector:
    """The mean direction. One vector alone keeps its direction, whatever its weight."""
    mean = np.average(np.asarray(vectors, dtype=np.float64), axis=0, weights=weights)
    return [float(number) for number in normalize_vector(mean)]
