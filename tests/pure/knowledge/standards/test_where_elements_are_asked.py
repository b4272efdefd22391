"""The division between table and airplane, as EXAM.md writes it."""

import pytest

from knowledge.standards.ask_location import (
    LIBRARY_SKILLS,
    SCENARIO_SKILLS,
    TASK_SETS,
    task_set,
    where_asked,
)

SEA_AND_MULTI = {
    "PA.I.I",
    "PA.II.E",
    "PA.XII.B",
    "PA.IX.E",
    "PA.IX.F",
    "PA.IX.G",
    "PA.X.A",
    "PA.X.B",
    "PA.X.C",
    "PA.X.D",
}


def test_single_engine_land_has_28_tasks_at_the_table() -> None:
    at_the_table = {task for name in ("core", "usual") for task in TASK_SETS[name]} - SEA_AND_MULTI
    assert len([task for task in at_the_table if task.startswith("PA.")]) == 28


def test_no_task_is_in_two_sets() -> None:
    tasks = [task for group in TASK_SETS.values() for task in group]
    assert len(tasks) == len(set(tasks)) == 61 + 60


@pytest.mark.parametrize(
    ("code", "kind", "where"),
    [
        ("PA.I.E.K1", "knowledge", "table"),
        ("PA.I.C.K2a", "knowledge", "table"),
        ("PA.IX.A.R1", "risk", "table"),
        ("PA.XI.A.R7", "risk", "table"),
        ("PA.I.E.S1", "skill", "table"),
        ("PA.I.D.S2", "skill", "table"),
        ("PA.I.G.S1", "skill", "airplane"),
        ("PA.I.G.S2", "skill", "airplane"),
        ("PA.II.A.S1", "skill", "airplane"),
        ("PA.IV.A.K1", "knowledge", "airplane"),
        ("PA.VIII.E.R3", "risk", "airplane"),
        ("CA.I.C.K2a", "knowledge", "table"),
        ("CA.VII.E.R1", "risk", "table"),
        ("CA.VIII.A.K2c", "knowledge", "table"),
        ("CA.VIII.A.S1", "skill", "table"),
        ("CA.VIII.A.S2", "skill", "airplane"),
        ("CA.IV.M.K1", "knowledge", "airplane"),
        ("CA.V.C.R1", "risk", "airplane"),
    ],
)
def test_where_an_element_is_asked(code: str, kind: str, where: str) -> None:
    assert where_asked(code, kind) == where


def test_only_skills_that_need_something_to_look_at_need_the_library() -> None:
    assert "PA.I.D.S2" in LIBRARY_SKILLS
    assert not LIBRARY_SKILLS & SCENARIO_SKILLS


@pytest.mark.parametrize(
    ("task", "name"), [("IR.I.A", "core"), ("IR.V.A", "airplane"), ("PA.IV.G", "airplane")]
)
def test_an_undivided_standard_asks_only_its_first_area(task: str, name: str) -> None:
    assert task_set(task) == name
