"""Rows become values and values become rows: the exam's tables as the session reads and writes them.

Every writer here runs inside the caller's transaction and holds the exam's row lock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone

from .grading import Grade
from .models import OPEN_STATUSES, Answer, Assessment, Exam, ExamStatus, Frame, Turn
from .planner import PlannerState
from .scope import Scope

FrameBody = dict[str, Any]


@dataclass(frozen=True)
class Snapshot:
    """An exam as it was read, to be worked on outside a transaction; `version` tells whether it is still so."""

    id: UUID
    version: int
    scope: Scope
    planner: PlannerState
    tenant_id: int | None
    difficulty: str


def locked(exam_id: UUID) -> Exam:
    """Raises Exam.DoesNotExist."""
    return Exam.objects.select_for_update().get(pk=exam_id)


def locked_as(snapshot: Snapshot) -> Exam | None:
    """The exam if it is still as it was read; None if it has gone on, is over, or was deleted."""
    unchanged = Exam.objects.filter(pk=snapshot.id, version=snapshot.version, status__in=OPEN_STATUSES)
    return unchanged.select_for_update().first()


def snapshot_of(exam: Exam) -> Snapshot:
    return Snapshot(
        id=exam.pk,
        version=exam.version,
        scope=Scope.from_dict(exam.scope),
        planner=PlannerState.from_dict(exam.planner),
        tenant_id=exam.tenant_id,
        difficulty=exam.difficulty,
    )


def append_frames(exam: Exam, bodies: Iterable[FrameBody]) -> None:
    """Number and store frames; the caller saves the exam."""
    rows = []
    for body in bodies:
        exam.seq += 1
        payload = {"type": body["type"], "seq": exam.seq, **{k: v for k, v in body.items() if k != "type"}}
        rows.append(Frame(exam=exam, seq=exam.seq, type=body["type"], payload=payload))
    Frame.objects.bulk_create(rows)


def save_progress(exam: Exam, planner: PlannerState) -> None:
    exam.planner = planner.to_dict()
    exam.version += 1
    exam.last_activity = timezone.now()
    exam.save()


def close(exam: Exam, status: ExamStatus, grade: Grade, study: dict[str, Any]) -> None:
    exam.status = status
    exam.result = grade.to_dict()
    exam.study = study
    exam.finished_at = timezone.now()


def pending_turn(exam_id: UUID) -> Turn | None:
    """The turn that wants an answer: the last one."""
    return Turn.objects.filter(exam_id=exam_id).order_by("-number").first()


def unsettled_answer(exam_id: UUID) -> Answer | None:
    """An answer that was taken and not yet assessed, if there is one. `ungraded` settles an answer, too: the student
    is asked again."""
    return Answer.objects.filter(exam_id=exam_id, assessments__isnull=True).order_by("id").first()


def earlier_assessments(turn: Turn) -> list[Assessment]:
    """What was found in the answers to the same element before this turn, oldest first; ungraded ones left out."""
    return list(
        Assessment.objects.filter(turn__exam_id=turn.exam_id, element=turn.element)
        .exclude(verdict="ungraded")
        .order_by("id")
    )
