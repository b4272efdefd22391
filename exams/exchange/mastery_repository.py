"""What a student has shown, element by element, over all exams that count: the rows of `Mastery`."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from exams.domain.mastery import Attempt as MasteryAttempt
from exams.domain.mastery import Estimate, after_attempt, estimates_from, weak_elements
from exams.domain.values import Verdict
from exams.models import Assessment, Exam, Mastery
from knowledge.models import Tenant


def record_verdict(exam: Exam, element: str, verdict: Verdict) -> dict[str, float]:
    """Bring one element's estimate up to date; returns what changed. Runs in the exchange's transaction."""
    key: dict[str, Any] = {
        "student_id": exam.student_id,
        "tenant_id": exam.tenant_id,
        "certificate": exam.certificate,
        "element": element,
    }
    row = Mastery.objects.select_for_update().filter(**key).first()
    estimate = after_attempt(_estimate(row) if row else None, element, verdict)
    if estimate is None:
        return {}
    columns = _columns(estimate)
    Mastery.objects.bulk_create(
        [Mastery(**key, **columns)],
        update_conflicts=True,
        unique_fields=["student", "tenant", "certificate", "element"],
        update_fields=[*columns, "updated_at"],
    )
    return {element: round(estimate.value, 4)}


def rebuild_mastery(student_id: int, tenant: Tenant | None, certificate: str) -> None:
    """Read it all again from the assessments that are left, oldest first."""
    finals = Assessment.objects.filter(
        final=True,
        turn__exam__student_id=student_id,
        turn__exam__tenant=tenant,
        turn__exam__certificate=certificate,
    ).order_by("id")
    attempts = (MasteryAttempt(element=row.element, verdict=row.verdict) for row in finals)  # type: ignore[arg-type]
    estimates = estimates_from(attempts)
    rows = Mastery.objects.filter(student_id=student_id, tenant=tenant, certificate=certificate)
    rows.delete()
    Mastery.objects.bulk_create(
        Mastery(
            student_id=student_id, tenant=tenant, certificate=certificate, element=code, **_columns(estimate)
        )
        for code, estimate in estimates.items()
    )


def weak_codes(rows: QuerySet[Mastery]) -> tuple[str, ...]:
    """Weak elements, weakest first."""
    return weak_elements(_estimates(rows))


def _estimates(rows: Iterable[Mastery]) -> list[Estimate]:
    return [_estimate(row) for row in rows]


def _estimate(row: Mastery) -> Estimate:
    return Estimate(
        element=row.element,
        value=row.estimate,
        attempts=row.attempts,
        last_verdict=row.last_verdict or None,  # type: ignore[arg-type]
        by_mention=row.by_mention,
    )


def _columns(estimate: Estimate) -> dict[str, object]:
    return {
        "estimate": estimate.value,
        "attempts": estimate.attempts,
        "last_verdict": estimate.last_verdict or "",
        "by_mention": estimate.by_mention,
    }
