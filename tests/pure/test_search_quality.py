"""Scores become strong, weak or none; a poor result is tried again."""

import pytest

from knowledge.retrieval.fallback import is_too_poor
from knowledge.retrieval.quality import quality_of


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
