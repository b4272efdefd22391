"""Estimates from scored attempts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.domain.mastery import Attempt, after_attempt, estimates_from, weak_elements
from exams.domain.values import Verdict

TOLD: dict[str, Verdict] = {"s": "satisfactory", "p": "partial", "u": "unsatisfactory", "x": "ungraded"}


def estimate(told: str) -> float:
    return estimates_from(Attempt(element="E", verdict=TOLD[one]) for one in told)["E"].value


@pytest.mark.parametrize(
    ("told", "value"), [("s", 1.0), ("p", 0.5), ("u", 0.0), ("us", 0.667), ("uss", 0.857), ("su", 0.333)]
)
def test_newer_attempts_weigh_more(told: str, value: float) -> None:
    assert estimate(told) == pytest.approx(value, abs=0.001)


def test_two_satisfactory_answers_in_a_row_end_a_weakness_and_one_does_not() -> None:
    for told, weak in (("us", True), ("uss", False), ("p", True), ("s", False)):
        found = estimates_from(Attempt(element="E", verdict=TOLD[one]) for one in told)
        assert found["E"].weak is weak


def test_an_ungraded_attempt_changes_nothing() -> None:
    assert estimate("sx") == estimate("s")
    assert estimates_from([Attempt(element="E", verdict="ungraded")]) == {}


def test_weakest_first() -> None:
    told = [("A", "p"), ("B", "u"), ("C", "s")]
    found = estimates_from(Attempt(element=code, verdict=TOLD[one]) for code, one in told)
    assert weak_elements(found.values()) == ("B", "A")


@given(st.text(alphabet="spu", min_size=1, max_size=12))
def test_an_estimate_stays_in_its_bounds_and_step_by_step_equals_all_at_once(told: str) -> None:
    stepwise = None
    for one in told:
        stepwise = after_attempt(stepwise, "E", TOLD[one])
    assert stepwise is not None
    assert 0 <= stepwise.value <= 1
    assert stepwise.value == pytest.approx(estimate(told))
    weights = [0.5**age for age in reversed(range(len(told)))]
    credit = {"s": 1.0, "p": 0.5, "u": 0.0}
    mean = sum(weight * credit[one] for weight, one in zip(weights, told, strict=True)) / sum(weights)
    assert stepwise.value == pytest.approx(mean)
