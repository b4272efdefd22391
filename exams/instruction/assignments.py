"""Orals that instructors assign: checked when they are assigned, begun by their student, done with their result."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from exams.conf import ASSIGNED_SHOWN, QUESTIONS_MOST
from exams.domain.exam_request import (
    MOST_CODES,
    ExamOrder,
    OrderRefused,
    order_from,
    reference_for,
    weak_in_reach,
)
from exams.domain.scope import Scope
from exams.examiner.element_facts import ChosenStandard, task_names
from exams.exchange import session
from exams.instruction.sharing import schools_as
from exams.models import Assignment, Exam
from exams.progress.history import scope_in_words
from knowledge.models import Tenant
from knowledge.models.tenancy import Role


class NotAssigned(LookupError):
    """There is no such assignment any more."""

    def __init__(self) -> None:
        super().__init__("This oral is no longer assigned: it was withdrawn, or dismissed before.")


def assign_oral(
    author: Any, student: Any, school: Tenant, fields: Mapping[str, Any], *, note: str = "", due: Any = None
) -> tuple[Assignment, Scope]:
    """Assign the oral that these fields of an order name; a code may be that of a whole Task. The scope says what the
    student would be asked from today's library, and what cannot be asked. Raises OrderRefused."""
    order = _order_with_tasks(fields, school)
    scope = session.plan_scope(student, school, order, seed="preview")
    words = scope_in_words(scope, order.mode, task_names(order.certificate))
    row = Assignment.objects.create(
        author=author,
        student=student,
        tenant=school,
        order=order.model_dump(mode="json", by_alias=True),
        covered=words[:1000],
        questions=scope.questions,
        note=note,
        due=due,
    )
    return row, scope


def _order_with_tasks(fields: Mapping[str, Any], school: Tenant) -> ExamOrder:
    """The order with the elements of each Task in place of the Task's code; a drill asks all that it names. Raises
    OrderRefused."""
    order = order_from(fields)
    standard = ChosenStandard(order.certificate, order.aircraft_class, school)
    reach, tasks, codes = standard.ever_asked, {fact.task for fact in standard.facts}, []
    for code in order.codes:
        if code not in tasks:
            codes.append(code)
            continue
        within = [fact for fact in reach if fact.task == code]
        if not any(fact.askable for fact in within):
            lacks = ", ".join(sorted({reference_for(fact) for fact in within}))
            why = f"the library lacks {lacks}" if lacks else f"no oral for {order.aircraft_class} asks it"
            raise OrderRefused.of("codes", f"Task {code} cannot be asked: {why}.")
        codes += [fact.code for fact in within if fact.askable]
    if len(codes) > MOST_CODES:
        raise OrderRefused.of(
            "codes", f"These are {len(codes)} elements; {MOST_CODES} is the most. Name fewer Tasks."
        )
    if codes:
        order = order.model_copy(update={"codes": codes})
        asked = len(weak_in_reach(reach, order, ()))
        if order.questions is None and asked:
            order = order.model_copy(update={"questions": min(asked, QUESTIONS_MOST)})
    return order


def assigned_to(student: Any) -> Sequence[Assignment]:
    """What the student has not dismissed, at the schools where they are a student: those that wait, then the latest
    that were begun."""
    rows = Assignment.objects.filter(
        student=student, tenant__in=schools_as(student, Role.STUDENT), dismissed_at=None
    )
    rows = rows.select_related("author", "tenant", "exam").defer(
        "exam__planner", "exam__scope", "exam__scene"
    )
    in_order = rows.annotate(begun=Q(exam__isnull=False)).order_by("begun", "-created_at", "-pk")
    return list(in_order[:ASSIGNED_SHOWN])


def _find_assignment(student: Any, key: int, *, lock: bool = False) -> Assignment:
    """Raises NotAssigned."""
    rows = Assignment.objects.select_for_update(of=("self",)) if lock else Assignment.objects
    schools = schools_as(student, Role.STUDENT)
    row = rows.filter(Q(pk=key), student=student, tenant__in=schools, dismissed_at=None).first()
    if row is None:
        raise NotAssigned
    return row


@transaction.atomic
def begin_assigned(student: Any, key: int) -> Exam:
    """The oral of an assignment: a new one, or the one that was begun before. Raises NotAssigned, OrderRefused and
    TooManyOpen."""
    row = _find_assignment(student, key, lock=True)
    if row.exam is None:
        row.exam = session.create_exam(student, row.tenant, order_from(row.order))
        row.save(update_fields=["exam"])
    return row.exam


def dismiss_assigned(student: Any, key: int) -> None:
    """Its instructor sees that it was dismissed. Raises NotAssigned."""
    row = _find_assignment(student, key)
    row.dismissed_at = timezone.now()
    row.save(update_fields=["dismissed_at"])


def assigned_by_school(student: Any, school: Tenant) -> Sequence[Assignment]:
    """The latest that instructors of the school assigned to the student."""
    rows = Assignment.objects.filter(student=student, tenant=school).select_related("author", "exam")
    return list(rows.defer("exam__planner", "exam__scope", "exam__scene")[:ASSIGNED_SHOWN])


def withdraw_assigned(author: Any, student: Any, school: Tenant, key: int) -> None:
    """Whoever assigned it takes it back; an oral that was begun goes on. Raises NotAssigned."""
    rows = Assignment.objects.filter(Q(pk=key), student=student, tenant=school, author=author)
    if not rows.delete()[0]:
        raise NotAssigned
