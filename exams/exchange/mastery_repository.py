"""Reads and writes the rows of `Mastery`: a student's estimate for each element over all exams that count."""

from typing import Any

from django.db.models import QuerySet

from exams.domain.mastery import Attempt, Estimate, after_attempt, estimates_from, weak_elements
from exams.domain.values import Verdict
from exams.models import OPEN_STATUSES, Assessment, Exam, Mastery
from knowledge.models import Tenant


def record_verdict(exam: Exam, element: str, verdict: Verdict) -> dict[str, float]:
    """Updates one element's estimate and returns what changed. Runs in the caller's transaction."""
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
    columns = _columns_for(estimate)
    Mastery.objects.bulk_create(
        [Mastery(**key, **columns)],
        update_conflicts=True,
        unique_fields=["student", "tenant", "certificate", "element"],
        update_fields=[*columns, "updated_at"],
    )
    return {element: round(estimate.value, 4)}


def rebuild_mastery(student_id: int, tenant: Tenant | None, certificate: str) -> None:
    """Computes all estimates again from the assessments that are left; a checkride counts when it is over."""
    finals = (
        Assessment.objects.filter(
            final=True,
            turn__exam__student_id=student_id,
            turn__exam__tenant=tenant,
            turn__exam__certificate=certificate,
        )
        .exclude(turn__exam__manner="checkride", turn__exam__status__in=OPEN_STATUSES)
        .order_by("id")
    )
    attempts = (Attempt(element=row.element, verdict=row.verdict) for row in finals)  # type: ignore[arg-type]
    key: dict[str, Any] = {"student_id": student_id, "tenant": tenant, "certificate": certificate}
    Mastery.objects.filter(**key).delete()
    Mastery.objects.bulk_create(
        Mastery(**key, element=code, **_columns_for(estimate))
        for code, estimate in estimates_from(attempts).items()
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


def _columns_for(estimate: Estimate) -> dict[str, Any]:
    return {
        "estimate": estimate.value,
        "attempts": estimate.attempts,
        "last_verdict": estimate.last_verdict or "",
        "by_mention": estimate.by_mention,
    }
