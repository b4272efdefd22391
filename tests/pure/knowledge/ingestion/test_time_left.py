"""The time left: from measured rates, like a clock, in words."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from knowledge.ingestion.jobs.eta import (
    DEFAULT_RATES,
    Countdown,
    duration_in_words,
    expected_seconds,
    rates_from,
    seconds_left,
    work_of,
)
from knowledge.ingestion.pipeline import LIBRARY_STEPS, STEPS

NAMES = list(STEPS)
WORK = work_of(100, 45_000)


def step(
    name: str, state: str = "done", done: int = 0, total: int = 0, seconds: float = 0.0
) -> dict[str, Any]:
    return {"name": name, "state": state, "done": done, "total": total, "seconds": seconds}


def test_every_step_has_a_rate_and_takes_time() -> None:
    assert {*STEPS, *LIBRARY_STEPS} == set(DEFAULT_RATES)
    work = replace(WORK, recognised=3)
    assert all(expected_seconds(name, work, DEFAULT_RATES) > 0 for name in DEFAULT_RATES)


def test_steps_take_longer_for_longer_documents_but_publishing_does_not() -> None:
    short, long = (work_of(pages, 0, recognised=pages) for pages in (10, 20))
    for name in DEFAULT_RATES:
        grows = expected_seconds(name, long, DEFAULT_RATES) > expected_seconds(name, short, DEFAULT_RATES)
        assert grows == (name != "publish"), name


def test_before_it_begins_it_is_all_of_it() -> None:
    whole = sum(expected_seconds(name, WORK, DEFAULT_RATES) for name in NAMES)
    assert seconds_left(NAMES, [], 0.0, WORK, DEFAULT_RATES) == pytest.approx(whole)


def test_a_file_without_pages_has_no_figures_and_takes_its_time_by_tokens() -> None:
    text = work_of(0, 45_000)
    assert expected_seconds("figures", text, DEFAULT_RATES) == 0
    assert expected_seconds("embed", text, DEFAULT_RATES) == expected_seconds("embed", WORK, DEFAULT_RATES)
    assert expected_seconds("read", text, DEFAULT_RATES) > 0


def test_a_slow_machine_is_slow_in_the_steps_to_come() -> None:
    quick = [step("read", seconds=1.0), step("recognise"), step("structure", seconds=0.5)]
    slow = [step("read", seconds=9.0), step("recognise"), step("structure", seconds=4.5)]
    slowly = seconds_left(NAMES, slow, 0, WORK, DEFAULT_RATES)
    quickly = seconds_left(NAMES, quick, 0, WORK, DEFAULT_RATES)
    assert slowly is not None
    assert quickly is not None
    assert slowly > 2 * quickly


def test_a_step_that_was_never_measured_goes_by_its_own_speed_since_this_start() -> None:
    begun = [step("extract", state="running", done=0, total=100)]
    assert seconds_left(["extract"], begun, 5.0, WORK, {}) is None
    begun = [step("extract", state="running", done=60, total=100) | {"before": 50}]
    assert seconds_left(["extract"], begun, 5.0, WORK, {}) == pytest.approx(20.0)


def test_at_the_end_of_a_step_what_it_took_counts_alone() -> None:
    begun = [*(step(name) for name in NAMES[:7]), step("embed", "running", done=90, total=100)]
    left = seconds_left(NAMES, begun, 90.0, WORK, {**DEFAULT_RATES, "publish": 0.0})
    assert left == pytest.approx(10, rel=0.15)


def test_what_was_measured_outweighs_the_default() -> None:
    found = rates_from({"read": (2000.0, 200.0)}, DEFAULT_RATES)
    assert found["read"] == pytest.approx(0.1, rel=0.02)
    assert found["figures"] == DEFAULT_RATES["figures"]


def test_a_clock_that_is_bent_does_not_jump() -> None:
    """A reckoning that swings between half and double is shown as a figure that hardly rises, and gets to nothing."""
    countdown, shown = Countdown(), []
    for second in range(101):
        real = 100.0 - second
        shown.append(countdown.bend_to(real * (2.0 if second % 2 else 0.5), float(second)))
    rises = [after - before for before, after in pairwise(shown)]
    assert max(rises) < 10
    assert shown[-1] < 5


def test_a_wrong_reckoning_is_left_behind() -> None:
    countdown = Countdown()
    countdown.bend_to(10.0, 0.0)
    for second in range(1, 61):
        left = countdown.bend_to(300.0 - second, float(second))
    assert left == pytest.approx(240, rel=0.1)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "a few seconds"),
        (9, "a few seconds"),
        (12, "about 10 seconds"),
        (54, "about 50 seconds"),
        (70, "about a minute"),
        (125, "about 2 minutes"),
        (3000, "about 50 minutes"),
        (3500, "about an hour"),
        (7300, "about 2 hours"),
    ],
)
def test_in_words(seconds: float, words: str) -> None:
    assert duration_in_words(seconds) == words
