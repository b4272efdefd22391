"""All that is stored of somebody's exams, as plain values that can be compared."""

from typing import Any

from django.db import models

from exams.models import Answer, Assessment, Dispute, Exam, Frame, Mastery, Rating, Turn

# Being connected to, and being worked on, is not part of the record.
PASSING = {"epoch", "lease_until", "fence", "attempts", "last_activity", "updated_at"}
Records = dict[str, list[dict[str, Any]]]


def records_of(student: Any) -> Records:
    """By table, in the order of keys."""
    rows: dict[str, models.QuerySet[Any]] = {
        "exams": Exam.objects.filter(student=student),
        "turns": Turn.objects.filter(exam__student=student),
        "answers": Answer.objects.filter(exam__student=student),
        "assessments": Assessment.objects.filter(turn__exam__student=student),
        "frames": Frame.objects.filter(exam__student=student),
        "disputes": Dispute.objects.filter(exam__student=student),
        "ratings": Rating.objects.filter(turn__exam__student=student),
        "mastery": Mastery.objects.filter(student=student),
    }
    return {
        name: [_lasting(name, row) for row in found.order_by("pk").values()] for name, found in rows.items()
    }


def _lasting(name: str, row: dict[str, Any]) -> dict[str, Any]:
    passing = PASSING - ({"attempts"} if name == "mastery" else set())
    return {key: value for key, value in row.items() if key not in passing}
