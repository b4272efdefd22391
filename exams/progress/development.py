"""A student's development: Areas as rows, the latest orals as columns, and a mark where an oral asked an Area."""

from dataclasses import dataclass
from typing import Any

from exams.conf import SHOWN_DEVELOPMENT
from exams.domain.grading import Grade
from exams.examiner.element_facts import element_facts, task_names
from exams.models import OPEN_STATUSES, Exam
from knowledge.models import Tenant


@dataclass(frozen=True)
class DevelopmentRow:
    """One Area; a mark for each oral says its result there and the number of elements asked, or is None."""

    numeral: str
    title: str
    marks: tuple[tuple[str, int] | None, ...]


@dataclass(frozen=True)
class Development:
    exams: tuple[Exam, ...]
    rows: tuple[DevelopmentRow, ...]


def development_of(
    student: Any, certificate: str, aircraft_class: str, *, tenant: Tenant | None
) -> Development:
    """The latest SHOWN_DEVELOPMENT orals that are over, oldest first, and the Areas that they asked."""
    over = Exam.objects.filter(
        student=student, tenant=tenant, certificate=certificate, aircraft_class=aircraft_class
    )
    over = over.exclude(status__in=OPEN_STATUSES).filter(result__isnull=False)
    exams = tuple(reversed(over.only("created_at", "result")[:SHOWN_DEVELOPMENT]))
    marks: list[dict[str, tuple[str, int]]] = []
    for exam in exams:
        areas = Grade.from_dict(exam.result or {}).areas
        asked = {area.area: (area.result, sum(len(task.elements) for task in area.tasks)) for area in areas}
        marks.append({area: mark for area, mark in asked.items() if mark[1]})
    titles = {name.area: name.area_title for name in task_names(certificate).values()}
    in_order = dict.fromkeys(fact.area for fact in element_facts(certificate, aircraft_class, tenant=tenant))
    rows = (
        DevelopmentRow(numeral, titles[numeral], tuple(found.get(numeral) for found in marks))
        for numeral in in_order
    )
    return Development(exams, tuple(row for row in rows if any(row.marks)))
