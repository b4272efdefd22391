"""A mean difference has bounds, the same each time, wider where fewer were asked or where answers hang together."""

import pytest

from desk.evaluation.measures import Interval, interval_between, interval_of_differences


def width(found: Interval) -> float:
    assert found.upper is not None
    assert found.lower is not None
    return found.upper - found.lower


def test_the_same_rows_give_the_same_bounds() -> None:
    rows = [[0.1, -0.2], [0.3], [0.0, 0.4, 0.1]]
    assert interval_of_differences(rows) == interval_of_differences(rows)


def test_a_difference_that_is_always_there_is_above_zero() -> None:
    found = interval_of_differences([[0.2], [0.3], [0.25]] * 5)
    assert found.mean == pytest.approx(0.25)
    assert found.is_above_zero
    assert interval_of_differences([[-0.2], [-0.3]] * 5).is_below_zero


@pytest.mark.parametrize("rows", [[[0.5], [-0.5]] * 10, [[0.0]] * 9, [], [[]]])
def test_one_that_may_be_none_is_not(rows: list[list[float]]) -> None:
    assert not interval_of_differences(rows).is_above_zero
    assert not interval_of_differences(rows).is_below_zero


def test_nothing_has_no_mean() -> None:
    assert interval_of_differences([]) == Interval(None, None, None, 0)
    assert interval_between([[1.0]], []).mean is None


def test_more_groups_are_surer() -> None:
    assert width(interval_of_differences([[1.0], [0.0]] * 50)) < width(
        interval_of_differences([[1.0], [0.0]] * 5)
    )


def test_questions_of_one_exam_say_less_than_as_many_of_different_ones() -> None:
    apart = [[1.0], [0.0]] * 20
    together = [[1.0] * 10, [0.0] * 10] * 2
    assert width(interval_of_differences(together)) > width(interval_of_differences(apart))


def test_two_arms_with_different_questions() -> None:
    found = interval_between([[1.0], [1.0], [0.0]] * 10, [[0.0], [0.0], [1.0]] * 10)
    assert found.mean == pytest.approx(1 / 3)
    assert found.is_above_zero


def test_two_equal_ways_differ_by_nothing() -> None:
    assert interval_of_differences([[0.0], [0.0]]) == Interval(0, 0, 0, 2)
