"""A ranking and judgements become figures; a table of cases worked out by hand."""

import pytest

from desk.evaluation.measures import hit, ndcg, precision, recall, reciprocal_rank

RIGHT = {"a": 2, "b": 1}


@pytest.mark.parametrize(
    ("ranked", "gain"),
    [
        (["a", "b"], 1.0),
        (["b", "a"], (1 + 2 / 1.584963) / (2 + 1 / 1.584963)),
        (["x", "a"], (2 / 1.584963) / (2 + 1 / 1.584963)),
        (["x", "y"], 0.0),
        ([], 0.0),
    ],
)
def test_ndcg(ranked: list[str], gain: float) -> None:
    assert ndcg(ranked, RIGHT) == pytest.approx(gain, abs=1e-5)


def test_what_stands_beyond_k_does_not_count() -> None:
    ranked = ["x", "y", "a"]
    assert ndcg(ranked, RIGHT, 2) == 0
    assert recall(ranked, RIGHT, 2) == 0
    assert reciprocal_rank(ranked, RIGHT, 2) == 0
    assert hit(ranked, RIGHT, 2) == 0


def test_the_plain_measures() -> None:
    ranked = ["x", "a", "b", "y", "z"]
    assert recall(ranked, RIGHT, 2) == 0.5
    assert precision(ranked, RIGHT, 5) == pytest.approx(0.4)
    assert reciprocal_rank(ranked, RIGHT) == 0.5
    assert hit(ranked, RIGHT) == 1
