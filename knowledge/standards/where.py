"""An ACS code becomes the place where it is asked: at the table or in the airplane.

The ACS leaves this division to the evaluator, so it is ours, and it stands here as tables, one reason a row.
Pure: it knows codes and kinds, no exam, no library and no student.
"""

from collections.abc import Mapping
from typing import Literal

Where = Literal["table", "airplane"]
TaskSet = Literal["core", "usual", "airplane"]

SKILL = "skill"


def _tasks(area: str, letters: str) -> tuple[str, ...]:
    return tuple(f"PA.{area}.{letter}" for letter in letters.split())


def _skills(task: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{task}.S{number}" for number in numbers)


TASK_SETS: Mapping[TaskSet, tuple[str, ...]] = {
    # What every ground portion covers: preparation, and the two Tasks whose knowledge and risk are never seen
    # in flight because they have no skills (spin awareness, night). PA.I.I is the same for seaplane classes.
    "core": (*_tasks("I", "A B C D E F G H I"), *_tasks("VII", "D"), *_tasks("XI", "A")),
    # Decisions and procedures that a conversation shows as well as a flight, or that no flight shows safely.
    "usual": (
        *_tasks("II", "A B D E F"),
        *_tasks("III", "A B"),
        *_tasks("VI", "A B C D"),
        *_tasks("VII", "A B C"),
        *_tasks("IX", "A B C D E F G"),
        *_tasks("X", "A B C D"),
        *_tasks("XII", "A B"),
    ),
    # Flown, and judged by flying: knowledge and risk are talked about only when the student picks the Area.
    "airplane": (
        *_tasks("II", "C"),
        *_tasks("IV", "A B C D E F G H I J K L M N"),
        *_tasks("V", "A B"),
        *_tasks("VIII", "A B C D E F"),
    ),
}

# Skills done on paper with the evaluator's scenario: the facts are given, the applicant decides or computes.
SCENARIO_SKILLS = frozenset(
    (
        *_skills("PA.I.A", 1),
        *_skills("PA.I.B", 2, 3),
        *_skills("PA.I.C", 2, 3),
        *_skills("PA.I.D", 4),
        *_skills("PA.I.E", 1),
        *_skills("PA.I.F", 1),
        *_skills("PA.I.H", 1, 2),
        *_skills("PA.I.I", 1, 2, 3, 4, 5, 6),
    )
)
# Skills done at the table, but only with something to look at: charts, the aircraft's papers or its handbook.
LIBRARY_SKILLS = frozenset(
    (
        *_skills("PA.I.B", 1),
        *_skills("PA.I.C", 1),
        *_skills("PA.I.D", 1, 2, 3, 5),
        *_skills("PA.I.E", 2, 3),
        *_skills("PA.I.F", 2),
    )
)
TABLE_SKILLS = SCENARIO_SKILLS | LIBRARY_SKILLS

_SET_BY_TASK: Mapping[str, TaskSet] = {task: name for name, tasks in TASK_SETS.items() for task in tasks}


def task_code_of(element_code: str) -> str:
    """The Task of an element: "PA.I.A.K1a" → "PA.I.A"."""
    return ".".join(element_code.split(".")[:3])


def area_of(code: str) -> str:
    """The roman numeral of an element's or a Task's Area: "PA.IX.C.K2" → "IX"."""
    return code.split(".")[1]


def task_set(task_code: str) -> TaskSet:
    """Which set a Task belongs to.

    A Task of a standard that nobody has divided yet: its first Area is preparation on the ground and so core;
    the rest counts as flown, because asking too little is safer than asking what only a flight can show.
    """
    if task_code in _SET_BY_TASK:
        return _SET_BY_TASK[task_code]
    return "core" if area_of(task_code) == "I" else "airplane"


def where_asked(code: str, kind: str) -> Where:
    """Where an element is asked. `kind` is "knowledge", "risk" or "skill"; see also `oral_if_chosen`."""
    if kind == SKILL:
        return "table" if code in TABLE_SKILLS else "airplane"
    return "airplane" if task_set(task_code_of(code)) == "airplane" else "table"


def oral_if_chosen(code: str, kind: str) -> bool:
    """Whether an element of a flown Task may be asked when the student picks its Area; no skill may."""
    return kind != SKILL and where_asked(code, kind) == "airplane"


def needs_library(code: str) -> bool:
    """Whether it can only be asked if the library holds charts, aircraft papers or a handbook of it."""
    return code in LIBRARY_SKILLS
