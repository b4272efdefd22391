"""The frames of an exam: built from its rows, numbered and stored, and announced to live connections.

An announcement over the channel layer only says that there are new frames; connections read them from the rows.
"""

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final
from uuid import UUID

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from exams.domain.grading import grade_task, task_status
from exams.domain.planner import PlannerState
from exams.domain.sampling import TaskScope
from exams.domain.scope import Scope
from exams.models import Exam, Frame, Turn
from exams.protocol.codec import question_frame, without_answer
from exams.protocol.frames import FrameBody, Progress

log = structlog.get_logger(__name__)

_OF_THE_TURN: Final = ("element", "form", "attempt", "kind", "givens", "citations", "images")
_announcers: list[asyncio.AbstractEventLoop] = []


def turn_frame(turn: Turn, planner: PlannerState, *, text: str = "", repeated: bool = False) -> FrameBody:
    """The turn's question; with `text`, in these other words. One that is `repeated` has no transition."""
    scored = turn.form != "qualification"
    return question_frame(
        turn=turn.number,
        text=text or turn.text,
        budget={"asked": planner.asked, "planned": planner.planned} if scored else {"asked": 0, "planned": 0},
        transition="" if repeated else turn.transition,
        **{name: getattr(turn, name) for name in _OF_THE_TURN},
    )


def progress_frame(scope: Scope, planner: PlannerState, mastery: Mapping[str, float]) -> FrameBody:
    def progress_of(task: TaskScope) -> FrameBody:
        """A Task with questions still to come is open, whatever has been said so far. In a checkride every Task is,
        except one that has failed, which is said at once."""
        outcomes = [outcome for outcome in planner.outcomes if outcome.task == task.task]
        coming = (*planner.queue, *([planner.current] if planner.current else ()))
        is_open = not outcomes or any(item.task == task.task for item in coming)
        if planner.manner == "checkride":
            is_open = not task_status(outcomes).failed
        result = "open" if is_open else grade_task(task, outcomes).result
        return {"task": task.task, "asked": len(outcomes), "result": result}

    areas: dict[str, list[FrameBody]] = {}
    for task in scope.tasks:
        areas.setdefault(task.area, []).append(progress_of(task))
    because = planner.current.because if planner.current else ""
    return Progress(
        areas=[{"area": area, "tasks": list(tasks)} for area, tasks in areas.items()],
        mastery=dict(mastery),
        step=because if because in ("drill_down", "bridging") else "assessment",
        skipped=[item.code for item in planner.left_out],
    ).to_dict()


def append_frames(exam: Exam, bodies: Iterable[FrameBody]) -> None:
    """Numbers and stores frames; the caller holds the exam's row and saves it."""
    rows = []
    for body in bodies:
        exam.seq += 1
        payload = {"type": body["type"], "seq": exam.seq, **{k: v for k, v in body.items() if k != "type"}}
        rows.append(Frame(exam=exam, seq=exam.seq, type=body["type"], payload=payload))
    Frame.objects.bulk_create(rows)


def frames_after(exam_id: UUID, seq: int) -> list[FrameBody]:
    """The frames after `seq`, as a student may see them."""
    payloads = Frame.objects.filter(exam_id=exam_id, seq__gt=seq).order_by("seq")
    return [without_answer(payload) for payload in payloads.values_list("payload", flat=True)]


# --- live connections ----------------------------------------------------------------------------------------


def channel_group_of(exam_id: UUID) -> str:
    return f"exam.{exam_id}"


def announce_through(loop: asyncio.AbstractEventLoop) -> None:
    """Lets this loop send the announcements of this process's threads.

    It has its connection to Redis; a thread would make one for each message, and a loop to go with it.
    """
    _announcers[:] = [loop]


def announce_frames(exam_id: UUID, seq: int) -> None:
    """Tells live connections that there is something new, up to `seq`, as soon as it is committed."""
    transaction.on_commit(partial(_announce_now, exam_id, seq))


def _announce_now(exam_id: UUID, seq: int) -> None:
    """A failure is logged and costs only a delay."""

    async def send() -> None:
        try:
            await get_channel_layer().group_send(
                channel_group_of(exam_id), {"type": "exam.frames", "seq": seq}
            )
        except (RedisError, OSError) as error:
            log.warning("announce_failed", exam=str(exam_id), error=str(error))

    loop = next((loop for loop in _announcers if loop.is_running()), None)
    if loop is None:
        async_to_sync(send)()
    else:
        asyncio.run_coroutine_threadsafe(send(), loop)
