"""Tell what a library lets an examiner ask, by Task and element, and which documents are missing for the rest. Pure.

A Task is completable when its minimum can be met: one knowledge and one risk element, sub-elements as the standard
counts them. An element with sub-elements can be asked when one of those can.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from exams.domain.exam_request import elements_in_reach, is_supported, standard_order
from exams.domain.sampling import ElementFact, task_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementCoverage:
    """`missing` names the document that would help; empty for an element that can be asked or waits for a reviewer."""

    code: str
    kind: str
    askable: bool
    items: int
    missing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCoverage:
    """`why` says what keeps the Task from being completed; empty where nothing does."""

    task: str
    completable: bool
    why: str
    elements: tuple[ElementCoverage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    tasks: tuple[TaskCoverage, ...]

    @property
    def elements(self) -> tuple[ElementCoverage, ...]:
        return tuple(element for task in self.tasks for element in task.elements)

    @property
    def completable(self) -> int:
        return sum(task.completable for task in self.tasks)

    @property
    def askable(self) -> int:
        return sum(element.askable for element in self.elements)

    @property
    def missing(self) -> list[tuple[str, int]]:
        """Documents by how many elements wait for them, most first."""
        counted = Counter(element.missing for element in self.elements if element.missing)
        return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))

    def to_dict(self) -> dict[str, Any]:
        """CONTRACT's shape of `manage.py coverage --json`."""
        risks = [element for element in self.elements if element.kind == "risk"]
        return {
            "tasks": [asdict(task) for task in self.tasks],
            "completable": self.completable,
            "elements": {
                "table": len(self.elements),
                "askable": self.askable,
                "risk": len(risks),
                "risk_askable": sum(element.askable for element in risks),
            },
            "missing": [{"document": document, "elements": count} for document, count in self.missing],
        }


def coverage_of(facts: Sequence[ElementFact], aircraft_class: str = "ASEL") -> Coverage:
    """The board of one certificate and class from its elements as they can be asked."""
    reach = elements_in_reach(facts, aircraft_class)
    by_task: defaultdict[str, list[ElementFact]] = defaultdict(list)
    for fact in sorted(reach, key=lambda fact: standard_order(fact.code)):
        by_task[fact.task].append(fact)
    tasks = []
    for task, of_task in by_task.items():
        elements = []
        for fact in of_task:
            askable = is_supported(fact, of_task)
            missing = "" if askable else fact.missing_reference
            elements.append(
                ElementCoverage(
                    code=fact.code, kind=fact.kind, askable=askable, items=fact.items, missing=missing
                )
            )
        lacks = task_scope(of_task, (), seed="").lacks
        documents = sorted({one.missing for one in elements if one.kind in lacks and one.missing})
        why = ""
        if lacks:
            waits = (
                f"waits for {', '.join(documents)}"
                if documents
                else f"waits for a reviewer or has no items for {aircraft_class} yet"
            )
            why = f"no {' and no '.join(lacks)} element can be asked; {waits}"
        tasks.append(TaskCoverage(task=task, completable=not lacks, why=why, elements=tuple(elements)))
    return Coverage(tasks=tuple(tasks))
