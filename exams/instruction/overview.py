"""What an instructor sees of students who agreed: a line for each, the weak elements of all, one student whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from exams.conf import MASTERY_WEAK_BELOW
from exams.desk_page import due_for, due_of_students, mastery_rows
from exams.examiner.element_facts import ChosenStandard, element_texts
from exams.instruction.sharing import students_of
from exams.models import OPEN_STATUSES, Exam
from exams.progress.areas import areas_of, readiness_of_students
from exams.progress.history import history_of
from knowledge.models import Tenant


@dataclass(frozen=True)
class StudentLine:
    """`areas` are the numerals of the Areas by their readiness; nothing is filled in for who has not agreed."""

    student: Any
    last: Exam | None = None
    areas: tuple[tuple[str, str], ...] = ()
    due: int = 0


@dataclass(frozen=True)
class WeakElement:
    """An element that is weak in `weak` of the `asked` students who were asked it."""

    code: str
    text: str
    weak: int
    asked: int


def orals_shown(student_ids: Sequence[int], school: Tenant | None) -> QuerySet[Exam]:
    """The orals of these students at the school that are over, newest first."""
    over = Exam.objects.filter(student__in=student_ids, tenant=school).exclude(status__in=OPEN_STATUSES)
    return over.order_by("-created_at").defer("planner", "request", "study")


def student_lines(students: Sequence[Any], standard: ChosenStandard, now: datetime) -> list[StudentLine]:
    """One line each, in a fixed number of queries."""
    agreed = [student.pk for student in students if student.shares]
    orals = orals_shown(agreed, standard.tenant).filter(**vars(standard))
    last = {
        exam.student_id: exam for exam in orals.order_by("student_id", "-created_at").distinct("student_id")
    }
    ready = readiness_of_students(agreed, standard, now)
    due = due_of_students(agreed, standard, now)
    lines = []
    for student in students:
        found: dict[str, list[str]] = {"ready": [], "not ready": [], "not yet known": []}
        for area in ready.get(student.pk, ()):
            found[area.readiness].append(area.area)
        areas = tuple((words, ", ".join(numerals)) for words, numerals in found.items() if numerals)
        lines.append(StudentLine(student, last.get(student.pk), areas, due[student.pk]))
    return lines


def weak_elements_of_class(school: Tenant, standard: ChosenStandard) -> list[WeakElement]:
    """The elements that are weak over the students who agreed: those of most students first, then those of the greatest
    share of who was asked. Names nobody."""
    agreed = students_of(school).filter(shares=True).values("pk")
    rows = mastery_rows(agreed, standard).filter(attempts__gt=0)
    counted = (
        rows.order_by()
        .values("element")
        .annotate(asked=Count("pk"), weak=Count("pk", filter=Q(estimate__lt=MASTERY_WEAK_BELOW)))
    )
    reach = {fact.code for fact in standard.ever_asked}
    found = [row for row in counted.filter(weak__gt=0) if row["element"] in reach]
    found.sort(key=lambda row: (-row["weak"], row["asked"], row["element"]))
    texts = element_texts(row["element"] for row in found)
    return [
        WeakElement(row["element"], texts.get(row["element"], row["element"]), row["weak"], row["asked"])
        for row in found
    ]


def practice_of(
    student: Any, standard: ChosenStandard, now: datetime, *, shown: int | None
) -> dict[str, Any]:
    """What the instructors of the school see of a student, for their page and for the student's own look at it."""
    orals = orals_shown([student.pk], standard.tenant)
    history = history_of(orals.annotate(commented=Count("comments"))[:shown])
    return {
        "areas": areas_of(student, standard, now, when_over=True),
        "due": due_for(student, standard, now).count,
        "history": history,
        "older_orals": orals.count() - len(history),
    }
