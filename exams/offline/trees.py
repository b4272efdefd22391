"""Numbers about an answer become the probabilities of what it did with an expectation: boosted trees, looked up.

The trees were fitted to graded answers by `training/fit.py` (gradient boosting: Friedman, 2001; histogram trees: Ke et
al., 2017) and are data. Every tree of every class is walked at once. Pure.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from exams.values import Met

METS: Final[tuple[Met, ...]] = ("met", "half", "missing", "contradicted")
"""The classes, in the order of the file's columns."""

Numbers = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Trees:
    """Nodes of all trees in one row: a node that is its own `left` is a leaf and holds a `value`.

    `roots` are the first nodes of all trees; `start` is what each class scores before any tree; `made_from` tells the
    graded answers that they were fitted to.
    """

    names: tuple[str, ...]
    feature: Numbers
    threshold: Numbers
    left: Numbers
    right: Numbers
    missing_left: Numbers
    value: Numbers
    roots: Numbers
    start: Numbers
    depth: int
    made_from: str

    @classmethod
    def load(cls, file: Path) -> Trees:
        """Raises ValueError for a file that holds no trees."""
        try:
            with np.load(file, allow_pickle=False) as held:
                parts = {name: held[name] for name in held.files}
            return cls(names=tuple(map(str, parts.pop("names"))), depth=int(parts.pop("depth")), **parts)
        except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"{file.name} holds no trees ({error}): restore it from the repository"
            ) from error

    def probabilities(self, signs: Mapping[str, float]) -> dict[Met, float]:
        """The probability of each class. A sign that is not given counts as not known."""
        row = np.array([signs.get(name, np.nan) for name in self.names])
        leaves = self._leaves(row)
        scores = self.start + self.value[leaves].sum(axis=0)
        powers = np.exp(scores - scores.max())
        return dict(zip(METS, (powers / powers.sum()).tolist(), strict=True))

    def _leaves(self, row: Numbers) -> Numbers:
        at = self.roots
        for _ in range(self.depth):
            given = row[self.feature[at]]
            goes_left = np.where(np.isnan(given), self.missing_left[at], given <= self.threshold[at])
            at = np.where(goes_left, self.left[at], self.right[at])
        return at
