"""Scores become a judgement of a search: strong, weak, or nothing at all. Pure.

Thresholds belong to one embedding model: its similarities have a scale of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge import conf

from .values import Quality


@dataclass(frozen=True, slots=True)
class Thresholds:
    weak: float = conf.QUALITY_WEAK
    strong: float = conf.QUALITY_STRONG


DEFAULT = Thresholds()
BY_MODEL: Mapping[str, Thresholds] = {"all-MiniLM-L6-v2": Thresholds()}


def quality_of(scores: Sequence[float], model: str = "") -> Quality:
    """`scores` best first. Between the thresholds, a second passage above the lower makes it strong."""
    limits = BY_MODEL.get(model, DEFAULT)
    if not scores:
        return "none"
    if scores[0] >= limits.strong:
        return "strong"
    agreeing = sum(score >= limits.weak for score in scores[:2])
    return "strong" if agreeing == 2 else "weak"
