"""Who listens to an exam. A message is only a hint: the frames are rows."""

import asyncio
from functools import partial
from uuid import UUID

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

_speakers: list[asyncio.AbstractEventLoop] = []


def group_of(exam_id: UUID) -> str:
    return f"exam.{exam_id}"


def speak_through(loop: asyncio.AbstractEventLoop) -> None:
    """Let this loop pass on what threads of this process have to tell: it has its connection, a thread would make one
    for each message, and a loop to go with it.
    """
    _speakers[:] = [loop]


def announce_frames(exam_id: UUID, seq: int) -> None:
    """Tell live connections that there is something new, up to `seq`, as soon as it is committed."""
    transaction.on_commit(partial(_tell, exam_id, seq))


def _tell(exam_id: UUID, seq: int) -> None:
    speaker = next((loop for loop in _speakers if loop.is_running()), None)
    if speaker is None:
        async_to_sync(_send)(exam_id, seq)
    else:
        asyncio.run_coroutine_threadsafe(_send(exam_id, seq), speaker)


async def _send(exam_id: UUID, seq: int) -> None:
    """A failure is logged and costs only a delay."""
    try:
        await get_channel_layer().group_send(group_of(exam_id), {"type": "exam.frames", "seq": seq})
    except (RedisError, OSError) as error:
        log.warning("announce_failed", exam=str(exam_id), error=str(error))
