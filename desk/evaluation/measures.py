"""A ranking and what was judged become figures between 0 and 1. Pure.

`ranked` are names, best first; `right` says how right each is, from 1 up. Names that are not in `right` are wrong.
"""

import random
from collections.abc import Mapping, Sequence
from math import log2
from statistics import mean

RESAMPLES = 2000  # of a bootstrap; its bounds then move by less than 0.001 from seed to seed
SEED = 20260102

Right = Mapping[str, int]


def ndcg(ranked: Sequence[str], right: Right, k: int = 10) -> float:
    """Gains are the judged grades, divided by log2 of the place + 1 (Järvelin and Kekäläinen 2002, as trec_eval)."""
    gains = [right.get(name, 0) for name in ranked[:k]]
    ideal = sorted(right.values(), reverse=True)[:k]
    return _discounted(gains) / _discounted(ideal) if ideal else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))


def recall(ranked: Sequence[str], right: Right, k: int) -> float:
    return len(right.keys() & set(ranked[:k])) / len(right) if right else 0.0


def precision(ranked: Sequence[str], right: Right, k: int) -> float:
    return len(right.keys() & set(ranked[:k])) / k


def reciprocal_rank(ranked: Sequence[str], right: Right, k: int = 10) -> float:
    return next((1 / place for place, name in enumerate(ranked[:k], 1) if name in right), 0.0)


def hit(ranked: Sequence[str], right: Right, k: int = 5) -> float:
    return float(any(name in right for name in ranked[:k]))


def paired_bootstrap(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """The mean difference of two ways over the same questions, with the bounds of its 95 % interval."""
    differences = [one - other for one, other in zip(ours, theirs, strict=True)]
    if not differences:
        return 0.0, 0.0, 0.0
    chance = random.Random(SEED)
    means = sorted(mean(chance.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    return mean(differences), means[round(0.025 * RESAMPLES)], means[round(0.975 * RESAMPLES) - 1]
