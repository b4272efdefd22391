"""Where an ACS element is asked: at the table or in the airplane. Pure: knows codes and kinds only.

The ACS leaves this division to the evaluator, so it is ours (docs/adr/0013): `tasks.csv` and `skills.csv` of each
certificate, read by `certificate_data`.
"""

from collections.abc import Mapping
from typing import Literal, cast, get_args

from .certificate_data import DATA

Where = Literal["table", "airplane"]
TaskSet = Literal["core", "usual", "airplane"]
"""core: every ground portion covers it. usual: a conversation shows it as well as a flight. airplane: it is judged by
flying, so knowledge and risk are discussed only when the student picks the Area."""

SKILL = "skill"

_SET_BY_TASK = cast("Mapping[str, TaskSet]", DATA.sets)
TASK_SETS: Mapping[TaskSet, tuple[str, ...]] = {
    name: tuple(task for task, asked in _SET_BY_TASK.items() if asked == name) for name in get_args(TaskSet)
}

SCENARIO_SKILLS = frozenset(skill for skill, needs in DATA.skills.items() if needs == "scenario")
"""Skills shown on paper with the evaluator's scenario: the applicant gets the facts, and decides or computes."""
LIBRARY_SKILLS = frozenset(skill for skill, needs in DATA.skills.items() if needs == "library")
"""Skills shown at the table, but only with charts, the aircraft's papers, or its handbook available."""
TABLE_SKILLS = SCENARIO_SKILLS | LIBRARY_SKILLS

SUBELEMENTS_NEEDED: Mapping[str, int] = DATA.subelements
"""How many sub-elements satisfy their parent where one does not (FAA-S-ACS-6C pp. 11, 15, 75; notes of its Tasks)."""
TASKS_FOR_INSTRUMENT_RATED = frozenset(
    task for task, rating in DATA.only_for.items() if rating == "instrument"
)
"""Tasks that only an applicant with an instrument rating is asked about (multiengine classes)."""


def task_code_of(element_code: str) -> str:
    """The Task of an element: "PA.I.A.K1a" → "PA.I.A"."""
    return ".".join(element_code.split(".")[:3])


def area_of(code: str) -> str:
    """The roman numeral of the Area of an element or a Task: "PA.IX.C.K2" → "IX"."""
    return code.split(".")[1]


def task_set(task_code: str) -> TaskSet:
    """The set of a Task.

    In a standard that nobody has divided yet, the first Area is preparation on the ground and so core. The rest
    counts as flown: asking too little is safer than asking what only a flight can show.
    """
    return _SET_BY_TASK.get(task_code) or ("core" if area_of(task_code) == "I" else "airplane")


def where_asked(code: str, kind: str) -> Where:
    """Where an element is asked. `kind` is "knowledge", "risk" or "skill"."""
    if kind == SKILL:
        return "table" if code in TABLE_SKILLS else "airplane"
    return "airplane" if task_set(task_code_of(code)) == "airplane" else "table"
