"""Measures of a ranking between 0 and 1, and intervals of a difference by bootstrap. Pure.

`ranked` are names, best first; `right` grades the right ones from 1 up, and every other name is wrong.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean, quantiles
from typing import Final

RESAMPLES: Final = 2000
"""Draws of a bootstrap; its bounds then move by less than 0.002 from seed to seed."""
SEED: Final = 20261122
SHARE: Final = 0.95
"""Share of the draws within the bounds."""

Right = Mapping[str, int]
Groups = Sequence[Sequence[float]]


def ndcg(ranked: Sequence[str], right: Right, k: int = 10) -> float:
    """Gains are the judged grades, divided by log2 of the place + 1 (Järvelin and Kekäläinen 2002, as trec_eval)."""

    def discounted_gain(grades: Sequence[int]) -> float:
        return sum(grade / log2(place + 2) for place, grade in enumerate(grades))

    ideal = sorted(right.values(), reverse=True)[:k]
    grades = [right.get(name, 0) for name in ranked[:k]]
    return discounted_gain(grades) / discounted_gain(ideal) if ideal else 0.0


def recall(ranked: Sequence[str], right: Right, k: int) -> float:
    return len(right.keys() & set(ranked[:k])) / len(right) if right else 0.0


def precision(ranked: Sequence[str], right: Right, k: int) -> float:
    return len(right.keys() & set(ranked[:k])) / k


def reciprocal_rank(ranked: Sequence[str], right: Right, k: int = 10) -> float:
    return next((1 / place for place, name in enumerate(ranked[:k], 1) if name in right), 0.0)


def hit(ranked: Sequence[str], right: Right, k: int = 5) -> float:
    return float(any(name in right for name in ranked[:k]))


def macro_f1(pairs: Sequence[tuple[str, str]]) -> float | None:
    """The mean F1 of the labels that occur, of (label, decision); four digits, None without pairs."""

    def f1(label: str) -> float:
        both = sum(pair == (label, label) for pair in pairs)
        return 2 * both / (sum(one == label for one, _ in pairs) + sum(one == label for _, one in pairs))

    return rounded_mean(f1(label) for label in {label for label, _ in pairs})


def rounded_mean(values: Iterable[float]) -> float | None:
    """Four digits; None without values."""
    found = list(values)
    return round(fmean(found), 4) if found else None


def median_and_p95(values: Sequence[float]) -> tuple[float | None, float | None]:
    """One digit; None without values."""
    if not values:
        return None, None
    cuts = quantiles(values, n=20, method="inclusive") if len(values) > 1 else [values[0]] * 19
    return round(cuts[9], 1), round(cuts[18], 1)


# --- bootstrap ---


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and its 95 % bounds from `groups` groups; None without data."""

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


def interval_of_differences(differences: Groups) -> Interval:
    """Of differences between two ways over the same questions.

    Values that belong together (the questions of one exam) are drawn together: they carry less information than as many
    values from different exams. The seed is fixed, so the same rows give the same bounds.
    """
    groups = [group for group in differences if group]
    if not groups:
        return Interval(None, None, None, 0)
    chance = random.Random(SEED)
    draws = [_pooled_mean(chance.choices(groups, k=len(groups))) for _ in range(RESAMPLES)]
    return _interval_from(_pooled_mean(groups), draws, len(groups))


def interval_between(ones: Groups, others: Groups) -> Interval:
    """Of the difference of two means over different questions: the ones' less the others'."""
    first, second = [group for group in ones if group], [group for group in others if group]
    if not first or not second:
        return Interval(None, None, None, len(first) + len(second))
    chance = random.Random(SEED)
    draws = [
        _pooled_mean(chance.choices(first, k=len(first)))
        - _pooled_mean(chance.choices(second, k=len(second)))
        for _ in range(RESAMPLES)
    ]
    return _interval_from(_pooled_mean(first) - _pooled_mean(second), draws, len(first) + len(second))


def _pooled_mean(groups: Groups) -> float:
    return fmean(value for group in groups for value in group)


def _interval_from(middle: float, draws: list[float], groups: int) -> Interval:
    draws.sort()
    out = round((1 - SHARE) / 2 * len(draws))
    return Interval(middle, draws[out], draws[-out - 1], groups)
