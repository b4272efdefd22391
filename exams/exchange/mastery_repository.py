"""Reads and writes the rows of `Mastery`: for each element, a student's estimate over all exams that count, and the day
it is due again.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from exams.domain.mastery import (
    Attempt,
    Estimate,
    after_attempt,
    estimate_by_mention,
    estimates_from,
    weak_elements,
)
from exams.domain.spacing import Memory, after_review
from exams.domain.values import Verdict
from exams.models import OPEN_STATUSES, Assessment, Exam, Mastery, Turn
from knowledge.models import Tenant


def record_verdict(exam: Exam, turn: Turn, verdict: Verdict, answered_at: datetime) -> dict[str, float]:
    """Updates the row of a turn's element and returns what changed. Runs in the caller's transaction.

    What a satisfactory answer showed of other elements is credited to them.
    """
    element = turn.element
    key: dict[str, Any] = {
        "student_id": exam.student_id,
        "tenant_id": exam.tenant_id,
        "certificate": exam.certificate,
        "element": element,
    }
    row = Mastery.objects.select_for_update().filter(**key).first()
    estimate = after_attempt(_estimate_in(row) if row else None, element, verdict)
    if estimate is None:
        return {}
    memory = after_review(_memory_in(row) if row else None, verdict, answered_at)
    columns = _columns_for(estimate, memory)
    Mastery.objects.bulk_create(
        [Mastery(**key, **columns)],
        update_conflicts=True,
        unique_fields=["student", "tenant", "certificate", "element"],
        update_fields=[*columns, "updated_at"],
    )
    if verdict == "satisfactory":
        record_mentions(exam, (code for code in turn.rubric.get("elements", ()) if code != element))
    return {element: round(estimate.value, 4)}


def record_mentions(exam: Exam, codes: Iterable[str]) -> None:
    """Gives a marked credit for elements that a satisfactory answer showed and that were never asked. Runs in the
    caller's transaction."""
    key = {"student_id": exam.student_id, "tenant_id": exam.tenant_id, "certificate": exam.certificate}
    shown = (estimate_by_mention(code) for code in dict.fromkeys(codes))
    rows = [Mastery(**key, element=one.element, **_columns_for(one, None)) for one in shown]
    if rows:
        Mastery.objects.bulk_create(rows, ignore_conflicts=True)


def counted_finals(student_id: int, tenant: Tenant | None, certificate: str) -> QuerySet[Assessment]:
    """The final verdicts that count, in the order in which the answers came; a checkride's count when it is over."""
    open_checkride = {"turn__exam__manner": "checkride", "turn__exam__status__in": OPEN_STATUSES}
    return _finals_of([student_id], tenant, certificate).exclude(**open_checkride)


def finals_when_over(
    students: Collection[int], tenant: Tenant | None, certificate: str
) -> QuerySet[Assessment]:
    """The same for several students, of orals that are over: what an instructor may see."""
    return _finals_of(students, tenant, certificate).exclude(turn__exam__status__in=OPEN_STATUSES)


def _finals_of(students: Collection[int], tenant: Tenant | None, certificate: str) -> QuerySet[Assessment]:
    return Assessment.objects.filter(
        final=True,
        turn__exam__student__in=students,
        turn__exam__tenant=tenant,
        turn__exam__certificate=certificate,
    ).order_by("answer_id")


def rebuild_mastery(student_id: int, tenant: Tenant | None, certificate: str) -> None:
    """Computes all rows again from the assessments that are left."""
    finals = counted_finals(student_id, tenant, certificate)
    attempts: list[Attempt] = []
    memories: dict[str, Memory | None] = {}
    rows: Iterable[tuple[str, Any, datetime, list[str] | None]] = finals.values_list(
        "element", "verdict", "answer__received_at", "turn__rubric__elements"
    )
    for code, verdict, at, about in rows:
        attempts.append(Attempt(element=code, verdict=verdict, mentioned=tuple(about or ())))
        memories[code] = after_review(memories.get(code), verdict, at)
    key: dict[str, Any] = {"student_id": student_id, "tenant": tenant, "certificate": certificate}
    estimates = dict(estimates_from(attempts))
    over = Exam.objects.filter(**key).exclude(manner="checkride", status__in=OPEN_STATUSES)
    for credited in over.exclude(qualification={}).values_list("qualification__credited", flat=True):
        for code in credited:
            estimates.setdefault(code, estimate_by_mention(code))
    Mastery.objects.filter(**key).delete()
    Mastery.objects.bulk_create(
        Mastery(**key, element=code, **_columns_for(estimate, memories.get(code)))
        for code, estimate in estimates.items()
    )


def weak_codes(rows: QuerySet[Mastery]) -> tuple[str, ...]:
    """Weak elements, weakest first."""
    return weak_elements(_estimate_in(row) for row in rows)


def _estimate_in(row: Mastery) -> Estimate:
    return Estimate(
        element=row.element,
        value=row.estimate,
        attempts=row.attempts,
        last_verdict=row.last_verdict or None,  # type: ignore[arg-type]
        by_mention=row.by_mention,
    )


def _memory_in(row: Mastery) -> Memory | None:
    if row.stability is None or row.difficulty is None or row.reviewed_at is None or row.due is None:
        return None
    return Memory(
        stability=row.stability, difficulty=row.difficulty, reviewed_at=row.reviewed_at, due=row.due
    )


def _columns_for(estimate: Estimate, memory: Memory | None) -> dict[str, Any]:
    return {
        "estimate": estimate.value,
        "attempts": estimate.attempts,
        "last_verdict": estimate.last_verdict or "",
        "by_mention": estimate.by_mention,
        **(asdict(memory) if memory else dict.fromkeys(("stability", "difficulty", "reviewed_at", "due"))),
    }
