"""A websocket whose services are away is closed by 1012, which tells its client to connect again.

Without Redis a socket has no channel, without the database no user; both fail before or after it is accepted, in
Channels' own code or in ours. Whoever wraps the application here gets one answer for all of them, and a log line.
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

COME_BACK = 1012
AWAY = (RedisError, DatabaseError, OSError)


def or_reconnect(application: Application) -> Application:
    """The same application, whose clients are told to come back when something it needs is away."""

    async def served(scope: Message, receive: Receive, send: Send) -> None:
        passed: set[str] = set()

        async def received() -> Message:
            message = await receive()
            passed.add(message["type"])
            return message

        async def sent(message: Message) -> None:
            passed.add(message["type"])
            await send(message)

        try:
            await application(scope, received, sent)
        except AWAY as error:
            log.warning("socket_service_away", path=scope.get("path", ""), error=str(error))
            await _tell(passed, send)

    return served


async def _tell(passed: set[str], send: Send) -> None:
    """Nothing to a client that has gone. A close before the socket is accepted would reach a browser as 403."""
    if passed & {"websocket.close", "websocket.disconnect"}:
        return
    if "websocket.accept" not in passed:
        await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": COME_BACK})
