"""Rows of an exam become the frames that its student is sent."""

from collections.abc import Mapping

from django.urls import reverse

from exams.domain.grading import Grade, grade_task
from exams.domain.planner import PlannerState
from exams.domain.sampling import TaskScope
from exams.domain.scope import Scope
from exams.domain.verdicts import Decision
from exams.models import Answer, Assessment, Exam, Turn
from exams.protocol.catalog import (
    FrameBody,
    assessment_frame,
    finished_frame,
    progress_frame,
    question_frame,
    sources_frame,
)


def question(turn: Turn, planner: PlannerState, *, text: str = "") -> FrameBody:
    """The turn's question; with `text`, in these other words."""
    return question_frame(
        turn=turn.number,
        element=turn.element,
        form=turn.form,  # type: ignore[arg-type]  # written from a Form
        attempt=turn.attempt,
        kind=turn.kind,
        text=text or turn.text,
        budget=(planner.asked, planner.planned),
        givens=turn.givens,
        citations=turn.citations,
        images=turn.images,
        transition=turn.transition,
    )


def sources(turn: Turn) -> FrameBody:
    return sources_frame(turn.number, turn.citations)


def assessment(turn: Turn, answer: Answer, found: Assessment) -> FrameBody:
    return assessment_frame(
        turn=turn.number,
        element=turn.element,
        answer_id=answer.client_id,
        answer=answer.text,
        decision=Decision.from_dict(found.decision),
        feedback=found.feedback,
        citations=found.citations,
        near=found.near,
        degraded=found.degraded,
    )


def progress(scope: Scope, planner: PlannerState, mastery: Mapping[str, float]) -> FrameBody:
    areas: dict[str, list[FrameBody]] = {}
    for task in scope.tasks:
        areas.setdefault(task.area, []).append(_progress_of(task, planner))
    return progress_frame(
        areas=[{"area": area, "tasks": list(tasks)} for area, tasks in areas.items()],
        mastery=dict(mastery),
        skipped=[item.code for item in planner.left_out],
    )


def _progress_of(task: TaskScope, planner: PlannerState) -> FrameBody:
    """A Task with questions still to come is open, whatever has been said so far."""
    outcomes = [outcome for outcome in planner.outcomes if outcome.task == task.task]
    coming = any(item.task == task.task for item in planner.queue)
    current = planner.current is not None and planner.current.task == task.task
    result = "open" if coming or current or not outcomes else grade_task(task, outcomes).result
    return {"task": task.task, "asked": len(outcomes), "result": result}


def finished(exam: Exam, result: Grade) -> FrameBody:
    return finished_frame(result, report=reverse("exams:report", args=[exam.pk]))
