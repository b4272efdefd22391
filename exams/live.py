"""Who listens to an exam. A message is only a hint: the frames are rows."""

from functools import partial
from uuid import UUID

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


def group_of(exam_id: UUID) -> str:
    return f"exam.{exam_id}"


def announce_frames(exam_id: UUID) -> None:
    """Tell live connections that there is something new, as soon as it is committed."""
    transaction.on_commit(partial(_tell, exam_id))


def _tell(exam_id: UUID) -> None:
    """A failure is logged and costs only a delay."""
    layer = get_channel_layer()
    try:
        async_to_sync(layer.group_send)(group_of(exam_id), {"type": "exam.frames"})
    except (RedisError, OSError) as error:
        log.warning("announce_failed", exam=str(exam_id), error=str(error))
