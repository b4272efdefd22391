"""When an element is asked again after its verdicts."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.conf import DUE_DAYS_MOST
from exams.domain.spacing import Memory, after_review, is_due
from exams.domain.values import Verdict

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
TOLD: dict[str, Verdict] = {"s": "satisfactory", "p": "partial", "u": "unsatisfactory"}


def days_between(told: str) -> list[int]:
    """The days to each next review when every review comes on the day it is due."""
    memory, at, days = None, NOON, []
    for one in told:
        memory = after_review(memory, TOLD[one], at)
        assert memory is not None
        days.append((memory.due - at).days)
        at = memory.due
    return days


@pytest.mark.parametrize(
    ("told", "days"),
    [
        ("sssss", [2, 11, 46, 60, 60]),
        ("usss", [1, 2, 6, 17]),
        ("sssps", [2, 11, 46, 3, 8]),
        ("uuu", [1, 1, 1]),
    ],
)
def test_what_is_known_comes_back_later_and_what_is_not_at_once(told: str, days: list[int]) -> None:
    assert days_between(told) == days


def test_half_an_answer_comes_back_as_soon_as_none() -> None:
    assert days_between("ssp") == days_between("ssu")


def test_an_ungraded_answer_is_no_review() -> None:
    memory = after_review(None, "satisfactory", NOON)
    assert after_review(memory, "ungraded", NOON + timedelta(days=1)) == memory
    assert after_review(None, "ungraded", NOON) is None


def test_a_clock_that_was_set_back_counts_no_day_and_goes_on_from_there() -> None:
    ahead = after_review(None, "satisfactory", NOON + timedelta(days=400))
    back = after_review(ahead, "satisfactory", NOON)
    at_once = after_review(after_review(None, "satisfactory", NOON), "satisfactory", NOON)
    assert back == at_once
    assert back is not None
    assert back.due > NOON


def test_a_time_zone_changes_nothing() -> None:
    west = timezone(timedelta(hours=-8))
    memory = after_review(None, "satisfactory", NOON)
    later = NOON + timedelta(days=3)
    assert after_review(None, "satisfactory", NOON.astimezone(west)) == memory
    assert after_review(memory, "partial", later.astimezone(west)) == after_review(memory, "partial", later)


@pytest.mark.parametrize(
    ("ahead", "due"),
    [
        (timedelta(days=-30), True),
        (timedelta(0), True),
        (timedelta(hours=7), True),
        (timedelta(hours=9), False),
        (timedelta(days=DUE_DAYS_MOST), False),
        (timedelta(days=400), True),  # set by a clock that ran ahead
    ],
)
def test_due_from_the_morning_on(ahead: timedelta, due: bool) -> None:
    assert is_due(NOON + ahead, NOON) is due


@given(st.lists(st.tuples(st.sampled_from("spu"), st.integers(-500, 500)), min_size=1, max_size=12))
def test_any_reviews_at_any_time_give_a_day_within_reach(reviews: list[tuple[str, int]]) -> None:
    memory: Memory | None = None
    for one, day in reviews:
        at = NOON + timedelta(days=day)
        memory = after_review(memory, TOLD[one], at)
        assert memory is not None
        assert memory.reviewed_at == at
        assert timedelta(days=1) <= memory.due - at <= timedelta(days=DUE_DAYS_MOST)
        assert memory.stability > 0
        assert 1 <= memory.difficulty <= 10
