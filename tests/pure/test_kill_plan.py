"""A soak that failed can be run again: its kills follow from a seed."""

from collections import Counter

from tests.soak.kill_plan import LONGEST, TARGETS, kill_plan


def test_the_same_seed_is_the_same_plan() -> None:
    assert kill_plan(3, 100) == kill_plan(3, 100) != kill_plan(4, 100)


def test_every_target_is_killed_and_at_any_time() -> None:
    plan = kill_plan(1, 100)
    assert Counter(kill.target for kill in plan) == dict.fromkeys(TARGETS, 25)
    assert all(0 <= kill.after <= LONGEST for kill in plan)
    assert len({kill.after for kill in plan}) > 90
