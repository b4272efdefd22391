"""Where a student stands, by Area: ready, not ready, or not yet known, with the elements that hold it back."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from exams.conf import CARRIED_OVER_DAYS
from exams.domain.readiness import (
    AreaReadiness,
    Evidence,
    TaskReadiness,
    readiness_by_area,
    readiness_in,
    scopes_in,
)
from exams.examiner.element_facts import ChosenStandard, TaskName, element_texts, task_names
from exams.exchange.completion import StudyPassage, passage_of
from exams.exchange.mastery_repository import counted_finals, finals_when_over
from exams.models import Assessment


@dataclass(frozen=True)
class HeldBack:
    """An element whose latest verdict keeps its Task from being ready, and the passage to open."""

    code: str
    text: str
    verdict: str
    answered_at: datetime
    passage: StudyPassage | None


@dataclass(frozen=True)
class TaskRow:
    """`ask` holds the codes of the elements that would meet the least of the Task, for a drill."""

    code: str
    title: str
    readiness: str
    why: str
    held_back: tuple[HeldBack, ...]
    ask: str

    @property
    def held_codes(self) -> str:
        return " ".join(element.code for element in self.held_back)


@dataclass(frozen=True)
class AreaRow:
    numeral: str
    title: str
    readiness: str
    summary: str
    tasks: tuple[TaskRow, ...]


def areas_of(
    student: Any, standard: ChosenStandard, now: datetime, *, when_over: bool = False
) -> list[AreaRow]:
    """The Areas of the ground portion; empty while the student has no verdict in this certificate.

    A checkride that is under way counts when it is over; with `when_over` every oral does.
    """
    tenant, certificate = standard.tenant, standard.certificate
    finals = counted_finals(student.pk, tenant, certificate)
    if when_over:
        finals = finals_when_over([student.pk], tenant, certificate)
    found = _evidence_by_student(finals)[student.pk]
    if not found:
        return []
    evidence = [one for one, _ in found]
    keys = {one.code: key for one, key in found if one.verdict != "ungraded"}
    areas = readiness_by_area(standard.at_the_table, evidence, now)
    names = task_names(certificate)
    held = _held_back([keys[code] for area in areas for task in area.tasks for code in task.held_back])
    return [
        AreaRow(
            numeral=area.area,
            title=next((names[task.task].area_title for task in area.tasks if task.task in names), ""),
            readiness=area.readiness,
            summary=_summary(area.tasks),
            tasks=tuple(_task_row(task, names, held) for task in area.tasks),
        )
        for area in areas
    ]


def readiness_of_students(
    students: Collection[int], standard: ChosenStandard, now: datetime
) -> dict[int, tuple[AreaReadiness, ...]]:
    """By student, the Areas by the orals that are over, in one query; a student without a verdict is left out."""
    scopes = scopes_in(standard.at_the_table)
    found = _evidence_by_student(finals_when_over(students, standard.tenant, standard.certificate))
    return {student: readiness_in(scopes, [one for one, _ in rows], now) for student, rows in found.items()}


def _evidence_by_student(finals: QuerySet[Assessment]) -> defaultdict[int, list[tuple[Evidence, int]]]:
    """Each verdict, with its key."""
    found: defaultdict[int, list[tuple[Evidence, int]]] = defaultdict(list)
    columns = ("turn__exam_id", "element", "verdict", "answer__received_at", "decision__fails_task")
    rows: Any = finals.values_list("turn__exam__student_id", "pk", *columns)
    for student, key, oral, code, verdict, at, fatal in rows:
        one = Evidence(oral=oral, code=code, verdict=verdict, at=at, fatal=bool(fatal))
        found[student].append((one, key))
    return found


def _held_back(keys: Sequence[int]) -> dict[str, HeldBack]:
    finals = Assessment.objects.filter(pk__in=keys).select_related("answer")
    finals = finals.only("element", "verdict", "points", "citations", "answer__received_at")
    found = {final.element: final for final in finals}
    texts = element_texts(found)
    return {
        code: HeldBack(
            code=code,
            text=texts.get(code, code),
            verdict=final.verdict,
            answered_at=final.answer.received_at,
            passage=passage_of(final),
        )
        for code, final in found.items()
    }


def _summary(tasks: Sequence[TaskReadiness]) -> str:
    """ "2 of 8 Tasks ready, 1 not ready, 5 not yet known"."""
    counts = Counter(task.readiness for task in tasks)
    rest = [f"{counts[one]} {one}" for one in ("not ready", "not yet known") if counts[one]]
    return ", ".join([f"{counts['ready']} of {len(tasks)} Task{'s' * (len(tasks) != 1)} ready", *rest])


def _task_row(task: TaskReadiness, names: Mapping[str, TaskName], held: Mapping[str, HeldBack]) -> TaskRow:
    why = ""
    if task.readiness == "not yet known":
        why = "Not everything that it takes has been asked yet."
        if not task.askable:
            why = "The library cannot ask everything that it takes."
        elif task.lapsed:
            why = f"What was answered more than {CARRIED_OVER_DAYS} days ago no longer counts."
    return TaskRow(
        code=task.task,
        title=names[task.task].title if task.task in names else "",
        readiness=task.readiness,
        why=why,
        held_back=tuple(held[code] for code in task.held_back if code in held),
        ask=" ".join(task.to_ask),
    )
