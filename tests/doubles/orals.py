"""Standards to plan orals from, and students who answer as told: all an exam needs but its questions."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from exams.domain.planner import EventName, PlannerState, Step, advance_oral, start_oral
from exams.domain.sampling import ElementFact
from exams.domain.scope import Scope
from exams.domain.values import ElementKind, Manner
from knowledge.standards.ask_location import area_of, task_code_of, where_asked

GOLD = Path(__file__).parents[2].parent / "shared" / "data" / "acs" / "gold_private_6C_from_pdf.json"
needs_gold = pytest.mark.skipif(not GOLD.exists(), reason=f"{GOLD.name} is not there (../shared/data)")
CLASSES = ("ASEL", "AMEL", "ASES", "AMES")
AREAS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")

_KINDS: Mapping[str, ElementKind] = {"K": "knowledge", "R": "risk", "S": "skill"}


def fact(code: str, **changes: Any) -> ElementFact:
    """An element read from its code alone: Task, Area, kind, parent, and where it is asked."""
    kind = _KINDS[code.split(".")[3][0]]
    parent = re.sub("[a-z]$", "", code)
    values: dict[str, Any] = {
        "code": code,
        "task": task_code_of(code),
        "area": area_of(code),
        "kind": kind,
        "parent": parent if parent != code else "",
        "where": where_asked(code, kind),
    }
    return ElementFact(**(values | changes))


def facts_for(*tasks: str, elements: Iterable[str] = ("K1", "K2", "R1", "R2")) -> tuple[ElementFact, ...]:
    return tuple(fact(f"{task}.{element}") for task in tasks for element in elements)


@cache
def gold_facts() -> tuple[ElementFact, ...]:
    """Every element of the FAA's private pilot standard, all of them supported."""
    gold = json.loads(GOLD.read_text(encoding="utf-8"))
    classes = {task["task_id"]: _classes_in(task["task"]) for task in gold["tasks"]}
    return tuple(
        fact(item["code"], classes=classes[item["task_id"]], archived=item["archived"])
        for item in gold["elements"]
    )


def _classes_in(title: str) -> tuple[str, ...]:
    brackets = " ".join(re.findall(r"\(([^()]*)\)", title))
    return tuple(re.findall(r"\bA[SM]E[LS]\b", brackets))


Answering = Callable[[PlannerState], EventName]


def take(scope: Scope, answering: Answering, manner: Manner = "coach") -> PlannerState:
    """The oral's last state when the student answers so, each state stored and read again on the way."""
    step = advance_oral(start_oral(scope, manner), "begin")
    while step.action.kind != "finish":
        step = advance_oral(stored(step).state, answering(step.state))
    return step.state


def stored(step: Step) -> Step:
    again = PlannerState.from_dict(json.loads(json.dumps(step.state.to_dict())))
    assert again == step.state
    return Step(state=again, action=step.action)


def always(verdict: EventName) -> Answering:
    """A student whose every answer gets this verdict, who goes on when asked."""
    return lambda state: "consent_go_on" if state.state == "consenting" else verdict


def by_element(verdicts: Mapping[str, EventName], otherwise: EventName = "satisfactory") -> Answering:
    def answer(state: PlannerState) -> EventName:
        if state.state == "consenting":
            return "consent_go_on"
        return verdicts.get(state.current.code if state.current else "", otherwise)

    return answer


def take_quickly(scope: Scope, answering: Answering, manner: Manner = "coach") -> PlannerState:
    """The same as `take`, without storing each state: for tests that take thousands of orals."""
    step = advance_oral(start_oral(scope, manner), "begin")
    while step.action.kind != "finish":
        step = advance_oral(step.state, answering(step.state))
    return step.state
