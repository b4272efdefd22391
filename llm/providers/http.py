"""The HTTP side that the vendors' SDKs share: who may be called, how long in all, how long to wait.

The SDKs take a time limit for each read; a server that sends one byte now and then would never meet it. The
hooks here turn it into a limit for the whole answer. Nothing here knows what a vendor's answer means.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from llm.guard import check_host

_DEADLINE = "heydpe.deadline"


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
    """Closes the connections once the SDK's client is gone: it leaves open a client that was handed to it."""
    weakref.finalize(sdk, client.close).atexit = False


def retry_after_seconds(headers: Mapping[str, str], now: float) -> float | None:
    """The wait that a vendor asks for: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date.

    `now` is seconds since the epoch. None where there is no figure, or none that can be read.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None:
        return max(0.0, seconds)
    return None if value is None else _seconds_until(value, now)


def _number(value: str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _seconds_until(date: str, now: float) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - now)
    except (TypeError, ValueError):
        return None
