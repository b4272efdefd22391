"""Differences become their mean and the interval in which it would lie if others had been asked. Pure.

Values that belong together (the questions of one exam) are drawn together: they say less than as many of different
exams.
The lot is drawn with a seed, so that the same rows give the same bounds.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

RESAMPLES: Final = 2000
"""Draws; the bounds then move by less than 0.002 from seed to seed."""
SEED: Final = 20261122
SHARE: Final = 0.95
"""Of the draws that lie within the bounds."""

Groups = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and its bounds; `groups` were drawn from. None of the three where there was nothing."""

    mean: float | None
    lower: float | None
    upper: float | None
    groups: int

    @property
    def is_above_zero(self) -> bool:
        return self.lower is not None and self.lower > 0

    @property
    def is_below_zero(self) -> bool:
        return self.upper is not None and self.upper < 0


def paired(differences: Groups) -> Interval:
    """Of differences between two ways with the same questions, by groups."""
    groups = [list(group) for group in differences if group]
    if not groups:
        return Interval(None, None, None, 0)
    chance = random.Random(SEED)
    draws = [_mean(chance.choices(groups, k=len(groups))) for _ in range(RESAMPLES)]
    return _interval(_mean(groups), draws, len(groups))


def between(ones: Groups, others: Groups) -> Interval:
    """Of the difference of two means over different questions: the ones' less the others'."""
    first, second = [list(group) for group in ones if group], [list(group) for group in others if group]
    if not first or not second:
        return Interval(None, None, None, len(first) + len(second))
    chance = random.Random(SEED)
    draws = [
        _mean(chance.choices(first, k=len(first))) - _mean(chance.choices(second, k=len(second)))
        for _ in range(RESAMPLES)
    ]
    return _interval(_mean(first) - _mean(second), draws, len(first) + len(second))


def _mean(groups: Groups) -> float:
    return mean(value for group in groups for value in group)


def _interval(middle: float, draws: list[float], groups: int) -> Interval:
    draws.sort()
    out = round((1 - SHARE) / 2 * len(draws))
    return Interval(middle, draws[out], draws[-out - 1], groups)
