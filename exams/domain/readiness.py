"""Decides by Task and Area whether a student is ready, by the rules of an oral on the latest verdicts.

A Task is **ready** if its minimum is met and no doubt is open, **not ready** if its latest verdicts fail it or leave a
doubt open, and otherwise **not yet known**. An Area is not ready if one of its Tasks is not, and ready if all of them
are. There is no percentage and no forecast. This module knows verdicts, but no exam and no student.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from exams.conf import CARRIED_OVER_DAYS
from exams.domain.grading import Outcome, grade_task, lacking_kinds, task_status
from exams.domain.sampling import ElementFact, TaskScope, task_scope
from exams.domain.values import Verdict

Readiness = Literal["ready", "not ready", "not yet known"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A final verdict on an element in an oral; `fatal` means that it failed its Task by itself."""

    oral: Hashable
    code: str
    verdict: Verdict
    at: datetime
    fatal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReadiness:
    """`held_back` are the elements that have to be answered better, `to_ask` those whose answers would meet the least
    of the Task, and `lapsed` says that some answers lie too far back to count."""

    task: str
    area: str
    readiness: Readiness
    held_back: tuple[str, ...] = ()
    to_ask: tuple[str, ...] = ()
    lapsed: bool = False
    askable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaReadiness:
    area: str
    readiness: Readiness
    tasks: tuple[TaskReadiness, ...]


def readiness_by_area(
    reach: Sequence[ElementFact], evidence: Iterable[Evidence], now: datetime
) -> tuple[AreaReadiness, ...]:
    """The Areas of `reach`, in its order; `evidence` comes oldest first."""
    return readiness_in(scopes_in(reach), evidence, now)


Scopes = Sequence[tuple[TaskScope, Sequence[ElementFact]]]
"""What each Task asks, and its elements: the same for all students."""


def scopes_in(reach: Sequence[ElementFact]) -> Scopes:
    facts: dict[str, list[ElementFact]] = defaultdict(list)
    for fact in reach:
        facts[fact.task].append(fact)
    return [(task_scope(elements, (), ""), elements) for elements in facts.values()]


def readiness_in(scopes: Scopes, evidence: Iterable[Evidence], now: datetime) -> tuple[AreaReadiness, ...]:
    """As `readiness_by_area`, for one of many students."""
    task_of = {fact.code: fact.task for _, elements in scopes for fact in elements}
    found: dict[str, list[Evidence]] = defaultdict(list)
    for one in evidence:
        if one.code in task_of:
            found[task_of[one.code]].append(one)
    areas: dict[str, list[TaskReadiness]] = defaultdict(list)
    for scope, elements in scopes:
        readiness = _task_readiness(scope, elements, found[scope.task], now)
        areas[readiness.area].append(readiness)
    return tuple(
        AreaReadiness(area=area, readiness=_worst_of([one.readiness for one in tasks]), tasks=tuple(tasks))
        for area, tasks in areas.items()
    )


def _task_readiness(
    scope: TaskScope, facts: Sequence[ElementFact], evidence: Sequence[Evidence], now: datetime
) -> TaskReadiness:
    """Of each element the last verdict counts. An oral that by itself is satisfactory in the Task clears what was not
    before it. A satisfactory answer counts for CARRIED_OVER_DAYS, another until it is cleared or answered better."""
    kinds = {fact.code: fact.kind for fact in facts}
    orals: dict[Hashable, list[tuple[Outcome, datetime]]] = defaultdict(list)
    for order, one in enumerate(evidence):
        outcome = Outcome(
            code=one.code,
            task=scope.task,
            kind=kinds[one.code],
            verdict=one.verdict,
            order=order,
            fatal=one.fatal,
        )
        orals[one.oral].append((outcome, one.at))
    counted: list[tuple[Outcome, datetime]] = []
    for oral in orals.values():
        if grade_task(scope, [outcome for outcome, _ in oral]).result == "satisfactory":
            counted = [row for row in counted if not row[0].is_bad]
        counted += oral
    since = now - timedelta(days=CARRIED_OVER_DAYS)
    recent = [outcome for outcome, at in counted if at >= since or outcome.is_bad]
    graded = grade_task(scope, recent)
    readiness: Readiness = "not yet known"
    if graded.result == "satisfactory":
        readiness = "ready"
    elif graded.result == "unsatisfactory" or task_status(recent).doubt:
        readiness = "not ready"
    bad = tuple(one.code for one in graded.elements if one.is_bad)
    answered = {one.code for one in graded.elements}
    owed = lacking_kinds(scope, recent)
    return TaskReadiness(
        task=scope.task,
        area=scope.area,
        readiness=readiness,
        held_back=bad if readiness == "not ready" else (),
        to_ask=tuple(item.code for item in scope.planned if item.kind in owed and item.code not in answered),
        lapsed=len(recent) < len(counted),
        askable=not scope.lacks,
    )


def _worst_of(found: Sequence[Readiness]) -> Readiness:
    worst: tuple[Readiness, ...] = ("not ready", "not yet known", "ready")
    return next(one for one in worst if one in found)
