"""Rows become values and values become rows: the exam's tables as the session reads and writes them.

Every writer here runs inside the caller's transaction and holds the exam's row lock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, Max, Subquery
from django.utils import timezone

from exams.domain.grading import Grade
from exams.domain.planner import PlannerState
from exams.domain.scope import Scope
from exams.domain.values import Exchange
from exams.models import OPEN_STATUSES, Answer, Assessment, Exam, ExamStatus, Frame, Turn
from exams.protocol.catalog import FrameBody, without_answer


@dataclass(frozen=True)
class Snapshot:
    """An exam as it was read, to be worked on outside a transaction; `version` tells whether it is still so."""

    id: UUID
    version: int
    scope: Scope
    planner: PlannerState
    tenant_id: int | None
    student_id: int
    difficulty: str


SELDOM_NEEDED: Final = ("request", "scope", "result", "study")
"""Columns of an exam that are large, and that only its beginning and its end ask for: read when they are."""


def locked(exam_id: UUID) -> Exam:
    """Raises Exam.DoesNotExist."""
    return Exam.objects.select_for_update().defer(*SELDOM_NEEDED).get(pk=exam_id)


def locked_as(snapshot: Snapshot) -> Exam | None:
    """The exam if it is still as it was read; None if it has gone on, is over, or was deleted."""
    unchanged = Exam.objects.filter(pk=snapshot.id, version=snapshot.version, status__in=OPEN_STATUSES)
    return unchanged.select_for_update().defer(*SELDOM_NEEDED).first()


def snapshot_of(exam: Exam) -> Snapshot:
    return Snapshot(
        id=exam.pk,
        version=exam.version,
        scope=Scope.from_dict(exam.scope),
        planner=PlannerState.from_dict(exam.planner),
        tenant_id=exam.tenant_id,
        student_id=exam.student_id,
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


def frames_after(exam_id: UUID, seq: int) -> list[FrameBody]:
    """What was sent after `seq`, as a student may see it."""
    payloads = Frame.objects.filter(exam_id=exam_id, seq__gt=seq).order_by("seq")
    return [without_answer(payload) for payload in payloads.values_list("payload", flat=True)]


def save_progress(exam: Exam, planner: PlannerState) -> None:
    exam.planner = planner.to_dict()
    exam.version += 1
    exam.last_activity = timezone.now()
    exam.save(update_fields=["planner", "version", "last_activity", "seq", "status", "pause_reason"])


def close(exam: Exam, status: ExamStatus, grade: Grade, study: dict[str, Any]) -> None:
    exam.status, exam.pause_reason = status, ""
    exam.result = grade.to_dict()
    exam.study = study
    exam.finished_at = timezone.now()
    exam.save(update_fields=["status", "pause_reason", "result", "study", "finished_at"])


def pending_turn(exam_id: UUID) -> Turn | None:
    """The turn that wants an answer: the last one."""
    return Turn.objects.filter(exam_id=exam_id).order_by("-number").first()


def last_number(exam_id: UUID) -> int:
    """The number of the turn that wants an answer; 0 if nothing was asked yet."""
    return Turn.objects.filter(exam_id=exam_id).aggregate(last=Max("number"))["last"] or 0


@dataclass(frozen=True)
class Said:
    """What the examiner said in a turn, the Task that it was about, and the item it came from."""

    text: str
    task: str
    item: str = ""


def said_in(exam_id: UUID) -> tuple[Said, ...]:
    """All that the examiner said, in order."""
    turns = Turn.objects.filter(exam_id=exam_id).order_by("number")
    return tuple(Said(*row) for row in turns.values_list("text", "task", "item"))


def items_met(student_id: int) -> dict[str, int]:
    """The items that a student was asked, in all exams; a larger number is later."""
    turns = Turn.objects.filter(exam__student_id=student_id, form="opening").exclude(item="")
    return dict(turns.order_by().values_list("item").annotate(last=Max("pk")))


@dataclass(frozen=True)
class Waiting:
    """What stands when an answer comes: the turn that is out, whether an answer to it is still being assessed, and the
    answer that has come with this id before, with the number of its turn.
    """

    turn_id: int
    turn: int
    busy: bool
    seen_id: int | None
    seen_turn: int | None


def waiting_for(exam_id: UUID, client_id: str) -> Waiting | None:
    """None if nothing has been asked yet. The caller holds the exam's row, so that nothing of it can change."""
    answers = Answer.objects.filter(exam_id=exam_id)
    seen = answers.filter(client_id=client_id)
    found = (
        Turn.objects.filter(exam_id=exam_id)
        .order_by("-number")
        .values_list(
            "pk",
            "number",
            Exists(answers.filter(assessments__isnull=True)),
            Subquery(seen.values("pk")),
            Subquery(seen.values("turn__number")),
        )
        .first()
    )
    return Waiting(*found) if found else None


def unsettled_answer(exam_id: UUID) -> Answer | None:
    """An answer that was taken and not yet assessed, if there is one. `ungraded` settles an answer, too: the student
    is asked again."""
    return Answer.objects.filter(exam_id=exam_id, assessments__isnull=True).order_by("id").first()


@dataclass(frozen=True)
class Ladder:
    """What was asked and said about an element before a turn's answer, in order, and how often nothing was said."""

    exchanges: tuple[Exchange, ...] = ()
    non_answers: int = 0


def ladder_before(turn: Turn) -> Ladder:
    """Of the same element in the same exam; what was ungraded or only asked again is no part of it."""
    assessments = list(
        Assessment.objects.filter(turn__exam_id=turn.exam_id, element=turn.element)
        .select_related("answer", "turn")
        .order_by("id")
    )
    silent = [one for one in assessments if one.decision.get("next_step") == "repeat"]
    exchanges = [
        Exchange(asked=one.turn.text, said=one.answer.text)
        for one in assessments
        if one.verdict != "ungraded" and one not in silent
    ]
    return Ladder(
        tuple(exchanges), sum(one.turn_id == turn.pk and one.verdict != "ungraded" for one in silent)
    )
