"""Scores become strong, weak or none; a poor result is tried again."""

import pytest

from knowledge import conf
from knowledge.retrieval.scoring import (
    BY_MODEL,
    DEFAULT,
    is_better_quality,
    is_too_poor,
    quality_of,
    thresholds_for,
)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ([], "none"),
        ([0.31], "weak"),
        ([0.49, 0.48], "weak"),
        ([0.55], "weak"),
        ([0.55, 0.49], "weak"),
        ([0.55, 0.5], "strong"),
        ([0.6], "strong"),
        ([0.95, 0.1], "strong"),
    ],
)
def test_quality(scores: list[float], verdict: str) -> None:
    assert quality_of(scores) == verdict


@pytest.mark.parametrize(
    ("scores", "poor"), [([], True), ([0.8], True), ([0.9], False), ([0.39, 0.3], True), ([0.4, 0.1], False)]
)
def test_what_is_tried_again(scores: list[float], poor: bool) -> None:
    assert is_too_poor(scores) is poor


def test_a_story_has_bars_of_its_own() -> None:
    model = "all-MiniLM-L6-v2"
    scores = [conf.SEVERAL_STRONG, conf.SEVERAL_WEAK]
    assert quality_of(scores, model) == "weak"
    assert quality_of(scores, model, asks_one=False) == "strong"


@pytest.mark.parametrize("limits", [one for of in BY_MODEL.values() for one in (of.one, of.several)])
def test_bars_stand_in_their_order(limits: object) -> None:
    floor, poor, weak, strong = (getattr(limits, name) for name in ("floor", "poor", "weak", "strong"))
    assert 0 < floor < poor < weak < strong < conf.EXACT_SCORE


def test_a_model_that_was_not_measured_has_the_seeds_bars() -> None:
    assert thresholds_for("another", asks_one=False) == DEFAULT.several
    assert (DEFAULT.one.weak, DEFAULT.one.strong) == (0.5, 0.6)


def test_the_order_of_verdicts() -> None:
    assert is_better_quality("strong", "weak")
    assert is_better_quality("weak", "none")
    assert not is_better_quality("weak", "weak")
