"""Refuse a request body that is too long before reading it: by its Content-Length, or once its chunks exceed the limit.

Django reads a whole body into a temporary file before any view sees who sent it. Everybody may send what a form holds;
only a signed-in operator may send more, to the two addresses that take documents.
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
    """More bytes came than the limit allows."""


def limit_bodies(application: Application) -> Any:
    async def serve(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        # None without a Content-Length that is a number: then the chunks are counted.
        told = dict(scope["headers"]).get(b"content-length", b"")
        length = int(told) if told.isdigit() and len(told) < 20 else None
        limit = settings.BODY_LIMIT_BYTES
        may_be_upload = scope["path"] in UPLOADS and (length is None or length > limit)
        if may_be_upload and await sync_to_async(is_from_operator, thread_sensitive=False)(scope):
            limit = settings.UPLOAD_BODY_LIMIT_BYTES
        read = 0

        async def receive_counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                raise BodyTooLong
            return message

        try:
            if length is not None and length > limit:
                raise BodyTooLong
            # Django asks for the whole body before it begins to answer, so a refusal is never the second answer.
            await application(scope, receive_counted, send)
        except BodyTooLong:
            await _refuse(scope, send, limit)

    return serve


def is_from_operator(scope: Message) -> bool:
    """Whether the request carries the token or the session of an operator."""
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
    """Close the connection, so that nobody reads the rest of the body to find the next request."""
    text = f"This request is larger than the {limit // 1024**2} MB that are accepted here. Nothing was read."
    if scope["path"].startswith("/api/"):
        kind, body = b"application/json", json.dumps({"code": "too_long", "message": text, "fields": {}})
    else:
        kind, body = b"text/plain; charset=utf-8", text
    content = body.encode()
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(content)), (b"connection", b"close")]
    headers += [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    status = int(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
