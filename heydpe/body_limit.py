"""A body that is too long is refused before it is read: by its Content-Length, or as soon as its chunks are too many.

Django reads a whole body into a temporary file before any view sees who sent it. Everybody may send what a form holds;
the two addresses that take documents read more, from a signed-in operator alone, who is looked up first.
"""

import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

from knowledge.access.people import schools_of
from knowledge.access.signed_in import user_of_session, user_of_token
from knowledge.models.tenancy import Role

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

UPLOADS: Final = frozenset(("/operations/upload/", "/api/v1/documents/"))


class BodyTooLong(Exception):
    """More came than may."""


def limit_bodies(application: Application) -> Any:
    async def served(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        length, limit = _content_length(scope), settings.BODY_LIMIT_BYTES
        if scope["path"] in UPLOADS and (length is None or length > limit) and await _is_operator(scope):
            limit = settings.UPLOAD_BODY_LIMIT_BYTES
        if length is not None and length > limit:
            await _refuse(scope, send, limit)
            return
        try:
            await application(scope, _counted(receive, limit), send)
        except BodyTooLong:
            await _refuse(scope, send, limit)

    return served


def _counted(receive: Receive, limit: int) -> Receive:
    """Django asks for the whole body before it begins to answer, so a refusal is never the second answer."""
    read = 0

    async def received() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise BodyTooLong
        return message

    return received


def _content_length(scope: Message) -> int | None:
    """None where it is not said, or not a number: then the chunks are counted."""
    told = dict(scope["headers"]).get(b"content-length", b"")
    return int(told) if told.isdigit() and len(told) < 20 else None


async def _is_operator(scope: Message) -> bool:
    found: bool = await sync_to_async(_has_operators_credentials, thread_sensitive=False)(scope)
    return found


def _has_operators_credentials(scope: Message) -> bool:
    headers = {name: value.decode("latin1") for name, value in scope["headers"]}
    scheme, _, key = headers.get(b"authorization", "").partition(" ")
    try:
        if scheme.lower() == "token":
            user = user_of_token(key)
        else:
            cookie = SimpleCookie(headers.get(b"cookie", "")).get(settings.SESSION_COOKIE_NAME)
            user = user_of_session(cookie.value) if cookie else None
        return user is not None and bool(schools_of(user, Role.OPERATOR))
    except CookieError:
        return False
    finally:
        close_old_connections()


async def _refuse(scope: Message, send: Send, limit: int) -> None:
    """The connection is closed: what is still under way on it is not read to find the next request."""
    words = f"This request is larger than the {limit // 1024**2} MB that are taken here. Nothing was read."
    if scope["path"].startswith("/api/"):
        kind, body = b"application/json", json.dumps({"code": "too_long", "message": words, "fields": {}})
    else:
        kind, body = b"text/plain; charset=utf-8", words
    content = body.encode()
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(content)), (b"connection", b"close")]
    headers += [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    status = int(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
