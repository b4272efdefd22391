"""Readiness could not exceed 46 of 100, and "lifetime" meant the last 20 attempts."""

from datetime import UTC, datetime

import pytest

from exams.domain.mastery import Attempt, estimates_from
from exams.domain.readiness import Evidence, readiness_by_area
from tests.doubles.orals import facts_for

NOW = datetime(2026, 11, 28, tzinfo=UTC)


@pytest.mark.parametrize("elements", [1, 3, 7, 58, 292])
@pytest.mark.parametrize("times", [1, 2, 5])
def test_lesson_16_full_mastery_equals_1(elements: int, times: int) -> None:
    codes = [f"E{number}" for number in range(elements)]
    attempts = [Attempt(element=code, verdict="satisfactory") for code in codes] * times
    found = estimates_from(attempts)
    assert [found[code].value for code in codes] == [1.0] * elements


@pytest.mark.parametrize("areas", [("I",), ("I", "III", "XI")])
def test_lesson_16_student_who_answers_everything_well_is_ready_everywhere(areas: tuple[str, ...]) -> None:
    facts = facts_for(*(f"PA.{area}.{task}" for area in areas for task in "AB"))
    evidence = [Evidence(oral=1, code=fact.code, verdict="satisfactory", at=NOW) for fact in facts]
    found = readiness_by_area(facts, evidence, NOW)
    assert [(area.area, area.readiness) for area in found] == [(area, "ready") for area in areas]


def test_lesson_16_old_answers_still_count() -> None:
    early = [Attempt(element="A", verdict="unsatisfactory")]
    later = [Attempt(element=f"E{number}", verdict="satisfactory") for number in range(200)]
    found = estimates_from([*early, *later])
    assert found["A"].weak
    assert len(found) == 201
