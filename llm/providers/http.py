"""What the vendors' SDKs share over HTTP: who may be called, the deadline, the wait asked for, errors, and pictures.

The SDKs limit the time of each read; a server that sends one byte now and then would never meet it. The hooks here
limit the whole answer. Nothing here knows what a vendor's answer means.
"""

from __future__ import annotations

import time
import weakref
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx2

from llm import conf
from llm.errors import (
    BadRequest,
    ModelError,
    OutOfCredit,
    TimedOut,
    Unreachable,
    UnreadableReply,
    error_for_status,
)
from llm.guard import check_host

_DEADLINE = "heydpe.deadline"
MediaType = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]


class _TimedBody:
    """The body of an answer, read no longer than until the deadline."""

    def __init__(
        self, stream: Any, request: Any, deadline: float, too_late: Callable[..., Exception]
    ) -> None:
        self._stream, self._request, self._deadline, self._too_late = stream, request, deadline, too_late

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            if time.monotonic() > self._deadline:
                raise self._too_late("the answer took too long in all", request=self._request)
            yield part

    def close(self) -> None:
        self._stream.close()


def _check_request(request: Any) -> None:
    check_host(request.url.host)
    limit = request.extensions.get("timeout", {}).get("read")
    if limit is not None:
        request.extensions = {**request.extensions, _DEADLINE: time.monotonic() + limit}


def event_hooks(http: Any = httpx2) -> dict[str, list[Callable[..., Any]]]:
    """For an SDK's own HTTP client, which keeps its pool, proxies and keep-alive settings. `http` is the library that
    the SDK calls with: they differ in nothing but their classes."""
    timed_stream = type("TimedStream", (_TimedBody, http.SyncByteStream), {})

    def limit_response(response: Any) -> None:
        deadline = response.request.extensions.get(_DEADLINE)
        if deadline is not None and isinstance(response.stream, http.SyncByteStream):
            response.stream = timed_stream(response.stream, response.request, deadline, http.ReadTimeout)

    return {"request": [_check_request], "response": [limit_response]}


def close_with(sdk: object, client: Any) -> None:
    """Close the connections once the SDK's client is gone; the SDK leaves a client open that it was given."""
    weakref.finalize(sdk, client.close).atexit = False


def retry_after_seconds(headers: Mapping[str, str], now: float) -> float | None:
    """The wait that a vendor asks for: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date.

    `now` is seconds since the epoch. None where there is no figure, or none that can be read.
    """
    readings: tuple[tuple[str, Callable[[str], float]], ...] = (
        ("retry-after-ms", lambda value: float(value) / 1000),
        ("retry-after", float),
        ("retry-after", lambda value: parsedate_to_datetime(value).timestamp() - now),
    )
    for header, read in readings:
        with suppress(KeyError, TypeError, ValueError):
            return max(0.0, read(headers[header]))
    return None


def translate_sdk_error(vendor: str, sdk: Any, error: Exception) -> ModelError:
    """Our error for an exception of an SDK of the family that Anthropic and OpenAI share; `sdk` is its module."""
    if isinstance(error.__cause__, ModelError):
        return error.__cause__
    if isinstance(error, sdk.APITimeoutError):
        return TimedOut(f"{vendor} did not answer in time")
    if isinstance(error, sdk.APIConnectionError):
        return Unreachable(f"{vendor} cannot be reached: {error.__cause__ or error}")
    if isinstance(error, sdk.APIStatusError):
        told: Any = error
        text = (getattr(told, "api_message", None) or told.message)[: conf.VENDOR_MESSAGE_CHARACTERS]
        message = f"{vendor} {told.status_code}: {text}"
        if getattr(told, "code", None) == "insufficient_quota":
            return OutOfCredit(message)
        wait = retry_after_seconds(told.response.headers, time.time())
        return error_for_status(told.status_code, message, retry_after=wait)
    return UnreadableReply(f"{vendor} sent something unreadable: {type(error).__name__}")


def media_type(image: bytes) -> MediaType:
    """The type of the image. Raises BadRequest for a file that no vendor reads."""
    if image.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if image.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if image.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    raise BadRequest("a picture for a model must be a PNG, JPEG, GIF or WebP file")


def base64_text(image: bytes) -> str:
    return b64encode(image).decode("ascii")
