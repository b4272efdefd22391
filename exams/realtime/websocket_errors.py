"""Closes a websocket with 1012, "connect again", when Redis or the database is unavailable.

Both may fail before or after the socket is accepted, in Channels' code or in ours; wrapping the whole application
gives one answer for all of them, and a log line.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from django.db import DatabaseError
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

RECONNECT = 1012


def or_reconnect(application: Application) -> Application:
    """The same application; its clients are told to connect again when a service is unavailable."""

    async def serve(scope: Message, receive: Receive, send: Send) -> None:
        passed: set[str] = set()

        async def receive_noted() -> Message:
            message = await receive()
            passed.add(message["type"])
            return message

        async def send_noted(message: Message) -> None:
            passed.add(message["type"])
            await send(message)

        try:
            await application(scope, receive_noted, send_noted)
        except (RedisError, DatabaseError, OSError) as error:
            log.warning("socket_service_away", path=scope.get("path", ""), error=str(error))
            if passed & {"websocket.close", "websocket.disconnect"}:
                return
            if "websocket.accept" not in passed:  # a close before that would reach a browser as 403
                await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": RECONNECT})

    return serve
