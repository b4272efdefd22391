"""Values of an exam that older rows hold are read as they were written, and written the same way again."""

import json
from pathlib import Path
from typing import Any

import pytest

from exams.domain.grading import Grade
from exams.domain.planner import PlannerState
from exams.domain.scope import Scope
from exams.domain.values import Expectation, Point, StoredValue, StoredValueError
from exams.domain.verdicts import Decision

STORED: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "stored_exam_values.json").read_text("utf-8")
)
"""Written by the application in November 2026."""
KINDS: dict[str, type[StoredValue]] = {
    "scope": Scope,
    "planner": PlannerState,
    "grade": Grade,
    "expectation": Expectation,
    "point": Point,
    "decision": Decision,
}
DROPPED = {("scope", "short"), ("planner", "version")}  # a planner is written as the version of today
DROPPED_ANYWHERE = {"probed", "omitted"}
"""Fields that older rows have and that nothing reads any more."""


def test_every_kind_of_stored_value_is_here() -> None:
    assert set(STORED) == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_a_stored_row_is_read_and_written_the_same_way(name: str) -> None:
    value = KINDS[name].from_dict(STORED[name])
    kept = {field: said for field, said in STORED[name].items() if (name, field) not in DROPPED}
    assert kept_in(value.to_dict(), kept) == without_dropped(kept)


def without_dropped(stored: Any) -> Any:
    if isinstance(stored, dict):
        return {name: without_dropped(said) for name, said in stored.items() if name not in DROPPED_ANYWHERE}
    return [without_dropped(one) for one in stored] if isinstance(stored, list) else stored


def kept_in(written: Any, stored: Any) -> Any:
    """Of what is written, the part that was stored: fields that are newer are left out."""
    if isinstance(stored, dict):
        return {
            name: kept_in(written[name], said)
            for name, said in stored.items()
            if name not in DROPPED_ANYWHERE
        }
    if isinstance(stored, list):
        return [kept_in(one, said) for one, said in zip(written, stored, strict=True)]
    return written


@pytest.mark.parametrize("name", KINDS)
def test_a_field_of_another_version_is_ignored(name: str) -> None:
    assert KINDS[name].from_dict({**STORED[name], "added_later": 1}) == KINDS[name].from_dict(STORED[name])


def test_what_is_missing_is_named_with_its_place() -> None:
    broken = {**STORED["decision"], "points": [{"expectation": "a"}]}
    with pytest.raises(StoredValueError, match=r"Decision, points\.0\.key"):
        Decision.from_dict(broken)
