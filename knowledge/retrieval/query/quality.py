"""Scores become a judgement of a search: strong, weak, or nothing at all. Pure.

Thresholds belong to one embedding model: its similarities have a scale of their own. They belong to the kind of
question, too: no passage answers all of a story, so that its scores lie lower than those of one plain question.
`python -m benchmarks.thresholds` measures both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge import conf
from knowledge.retrieval.values import Quality


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Below `floor` a passage is not given; `poor` is the best score below which filters that were only inferred are
    dropped."""

    weak: float = conf.QUALITY_WEAK
    strong: float = conf.QUALITY_STRONG
    floor: float = conf.SCORE_FLOOR
    poor: float = conf.FALLBACK_TOP


@dataclass(frozen=True, slots=True)
class OfModel:
    """For questions that ask one thing, and for those that say several."""

    one: Thresholds = Thresholds()
    several: Thresholds = Thresholds()


DEFAULT = OfModel()
BY_MODEL: Mapping[str, OfModel] = {
    "all-MiniLM-L6-v2": OfModel(
        several=Thresholds(
            weak=conf.SEVERAL_WEAK,
            strong=conf.SEVERAL_STRONG,
            floor=conf.SEVERAL_FLOOR,
            poor=conf.SEVERAL_POOR,
        )
    )
}
_BETTER: Mapping[Quality, int] = {"none": 0, "weak": 1, "strong": 2}


def thresholds_for(model: str, *, asks_one: bool = True) -> Thresholds:
    """Those measured for the model; for one that was not measured those of the seeds."""
    measured = BY_MODEL.get(model, DEFAULT)
    return measured.one if asks_one else measured.several


def quality_of(scores: Sequence[float], model: str = "", *, asks_one: bool = True) -> Quality:
    """`scores` best first. Between the thresholds, a second passage above the lower makes it strong."""
    limits = thresholds_for(model, asks_one=asks_one)
    if not scores:
        return "none"
    if scores[0] >= limits.strong:
        return "strong"
    agreeing = sum(score >= limits.weak for score in scores[:2])
    return "strong" if agreeing == 2 else "weak"


def is_better(one: Quality, other: Quality) -> bool:
    return _BETTER[one] > _BETTER[other]


def is_too_poor(scores: Sequence[float], least: float = conf.FALLBACK_TOP) -> bool:
    """Whether a search is made again without the filters that were only inferred: there are too few `scores` (best
    first), or the best is below `least`.

    A section that was asked for by its number and found is enough, even alone.
    """
    if scores and scores[0] >= conf.EXACT_SCORE:
        return False
    return len(scores) < conf.FALLBACK_RESULTS or scores[0] < least
