"""A reranker at Cohere, through the Rerank API (v2) of its SDK.

Scores come back in the order of the texts, one for each, or not at all. Every exception of the SDK is translated to
`llm.errors`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

import cohere
import httpx
from cohere.core.api_error import ApiError
from cohere.core.parse_error import ParsingError

from llm import conf
from llm.errors import (
    BadKey,
    ModelError,
    TimedOut,
    Unreachable,
    UnreadableReply,
    error_for_status,
)
from llm.metering import record_calls
from llm.processes import PerProcess
from llm.providers.http import close_with, event_hooks, retry_after_seconds
from llm.providers.retries import RetryPolicy, call_with_retries

BASE_URL: Final = "https://api.cohere.com"


class CohereReranker:
    """One rerank model at Cohere. Scores lie between 0 and 1."""

    external = True

    def __init__(
        self,
        *,
        api_key: str,
        model: str = conf.COHERE_MODEL,
        base_url: str = BASE_URL,
        seconds: float = conf.RERANK_TIMEOUT_S,
        retry: RetryPolicy | None = None,
    ) -> None:
        self.name = model
        self._seconds = seconds
        self._retry = retry or RetryPolicy()
        self._client = PerProcess(lambda: _make_client(api_key, base_url))

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One request; `seconds` for it with all its retries. Raises ModelError."""
        if not texts:
            return []
        return call_with_retries(
            lambda left: self._rerank(query, texts, left), seconds=self._seconds, policy=self._retry
        )

    def _rerank(self, query: str, texts: Sequence[str], seconds: float) -> list[float]:
        """The scores in the order of the texts. Raises UnreadableReply unless each text has exactly one score that is a
        number; the SDK does not check that."""
        record_calls(requests=1)
        try:
            reply = self._client.get().v2.rerank(
                model=self.name,
                query=query,
                documents=[*texts],
                top_n=len(texts),
                request_options={"timeout": seconds, "max_retries": 0},
            )
        except (ApiError, ParsingError, httpx.HTTPError, ModelError, ValueError) as error:
            raise _translate_error(error) from error
        try:
            found: list[tuple[Any, Any]] = [(item.index, item.relevance_score) for item in reply.results]
        except (AttributeError, TypeError) as error:
            raise UnreadableReply("the answer is not in the form of the Rerank API") from error
        places, wanted = {place for place, _ in found if type(place) is int}, range(len(texts))
        if len(found) != len(texts) or places != set(wanted):
            raise UnreadableReply(
                f"{len(texts)} texts were sent to be ranked; the answer does not name each of them once"
            )
        if not all(type(score) in (int, float) and isfinite(score) for _, score in found):
            raise UnreadableReply("a text came back with a score that is no number")
        by_place = dict(found)
        return [float(by_place[place]) for place in wanted]


def _make_client(api_key: str, base_url: str) -> cohere.ClientV2:
    if not api_key:
        raise BadKey("there is no key for Cohere: set COHERE_API_KEY")
    client = httpx.Client(event_hooks=event_hooks(httpx))
    sdk = cohere.ClientV2(
        api_key=api_key, base_url=base_url, httpx_client=client, log_warning_experimental_features=False
    )
    close_with(sdk, client)
    return sdk


def _translate_error(error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    if isinstance(error, httpx.TimeoutException):
        return TimedOut("Cohere did not answer in time")
    if isinstance(error, httpx.HTTPError):
        return Unreachable(f"Cohere cannot be reached: {error}")
    status = getattr(error, "status_code", None)
    if isinstance(error, ApiError) and status and not 200 <= status < 300:
        wait = retry_after_seconds(error.headers or {}, time.time())
        text = f"Cohere {status}: {str(error.body)[: conf.VENDOR_MESSAGE_CHARACTERS]}"
        return error_for_status(status, text, retry_after=wait)
    return UnreadableReply(f"Cohere sent something unreadable: {type(error).__name__}")
