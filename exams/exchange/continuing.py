"""Continues an oral that ended before it was complete.

Its satisfactory Areas count for 60 days, like those of a discontinued test (14 CFR 61.43(f)).
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from exams.conf import CARRIED_OVER_DAYS
from exams.domain.exam_request import ExamOrder, OrderRefused
from exams.domain.grading import Grade
from exams.models import Exam


@dataclass(frozen=True)
class Rest:
    """What is left of an oral, the Tasks of its whole ground portion, and what the room says about it."""

    tasks: frozenset[str]
    all_tasks: tuple[str, ...]
    notice: str


def resolve_order(student: Any, order: ExamOrder) -> ExamOrder:
    """An order that continues an oral takes certificate, class, and mode from it. Raises OrderRefused."""
    if order.continues is None:
        return order
    before = _oral_before(student, order)
    asked = order.model_fields_set
    for field, was in (("certificate", before.certificate), ("aircraft_class", before.aircraft_class)):
        if field in asked and getattr(order, field) != was:
            name = "class" if field == "aircraft_class" else field
            raise OrderRefused.of(name, f"That oral was for {was}. Leave this out, or start a new oral.")
    taken = {
        "certificate": before.certificate,
        "aircraft_class": before.aircraft_class,
        "mode": before.mode,
        "areas": [],
        "codes": [],
    }
    return order.model_copy(update=taken)


def rest_of(student: Any, order: ExamOrder) -> Rest | None:
    """What the oral that the order continues has left; None for a new oral. Raises OrderRefused."""
    if order.continues is None:
        return None
    before = _oral_before(student, order)
    scope, grade = before.read_scope(), Grade.from_dict(before.result or {})
    passed = [area.area for area in grade.areas if area.result == "satisfactory"]
    left = frozenset(task.task for task in scope.tasks if task.area not in passed)
    if not left:
        raise OrderRefused.of("continues", "Nothing of that oral is left: all its Areas were satisfactory.")
    named = f"Satisfactory then: {', '.join(passed)}." if passed else "No Area was satisfactory then."
    notice = f"This goes on with your oral of {before.created_at:%B %-d}. {named}"
    return Rest(left, scope.all_tasks, notice)


def carried_over_until(exam: Exam) -> Any:
    """The moment up to which the satisfactory Areas of an ended oral count; None if there is nothing to go on with."""
    if exam.is_open or exam.finished_at is None or exam.result is None or exam.read_scope().drill:
        return None
    grade = Grade.from_dict(exam.result)
    until = exam.finished_at + timedelta(days=CARRIED_OVER_DAYS)
    return until if grade.result != "pass" and until > timezone.now() else None


def _oral_before(student: Any, order: ExamOrder) -> Exam:
    def refused(why: str) -> OrderRefused:
        return OrderRefused.of("continues", why)

    before = Exam.objects.filter(pk=str(order.continues), student=student).first()
    if before is None:
        raise refused("There is no such oral of yours.")
    if before.is_open:
        raise refused("That oral is still open: open its room to go on with it.")
    if before.result is None or before.read_scope().drill:
        raise refused("A drill has no Areas to carry over. Start a new one.")
    if carried_over_until(before) is None and Grade.from_dict(before.result).result != "pass":
        raise refused(
            f"That oral ended more than {CARRIED_OVER_DAYS} days ago, so its Areas no longer count (14 CFR 61.43(f))."
            " Start a new one."
        )
    return before
