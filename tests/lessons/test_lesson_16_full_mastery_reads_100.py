"""Readiness could not exceed 46 of 100, and "lifetime" meant the last 20 attempts."""

import pytest

from exams.domain.mastery import Attempt, estimates_from, shown_percent


@pytest.mark.parametrize("elements", [1, 3, 7, 58, 292])
@pytest.mark.parametrize("times", [1, 2, 5])
def test_lesson_16_full_mastery_reads_100(elements: int, times: int) -> None:
    codes = [f"E{number}" for number in range(elements)]
    attempts = [Attempt(element=code, verdict="satisfactory") for code in codes] * times
    found = estimates_from(attempts)
    assert [shown_percent(found[code].value) for code in codes] == [100] * elements


def test_lesson_16_what_lies_far_back_still_counts() -> None:
    early = [Attempt(element="A", verdict="unsatisfactory")]
    later = [Attempt(element=f"E{number}", verdict="satisfactory") for number in range(200)]
    found = estimates_from([*early, *later])
    assert found["A"].weak
    assert len(found) == 201
