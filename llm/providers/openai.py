"""Chat and embedding models at OpenAI, through the Responses and Embeddings APIs of its SDK.

The shape goes out as a strict JSON schema (`text.format`); the text comes back unchecked. Vectors come back in the
order of the texts, all of them or none. Every exception of the SDK is translated to `llm.errors`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import openai
from openai.types import CreateEmbeddingResponse
from openai.types.responses import (
    EasyInputMessageParam,
    Response,
    ResponseInputImageParam,
    ResponseInputTextParam,
)

from llm import conf
from llm.errors import (
    BadKey,
    BadRequest,
    EmptyText,
    ModelError,
    RateLimited,
    Refused,
    ServerFailed,
    Truncated,
    UnreadableReply,
)
from llm.interfaces import ChatReply, ChatRequest, Message
from llm.metering import Use, record_calls, record_use
from llm.processes import PerProcess
from llm.providers.http import base64_text, close_with, event_hooks, media_type, translate_sdk_error
from llm.providers.retries import RetryPolicy, call_with_retries
from llm.schemas import strict_schema
from llm.vectors import Vector, weighted_mean

BASE_URL: Final = "https://api.openai.com/v1"

_FAILURES: Final[dict[str, type[ModelError]]] = {
    "server_error": ServerFailed,
    "rate_limit_exceeded": RateLimited,
    "bio_policy": Refused,
    "misalignment_policy_violation": Refused,
    "image_content_policy_violation": Refused,
}


class OpenAIChatModel:
    """One model at OpenAI. Nothing asked is stored there (`store` is off)."""

    provider = "openai"
    external = True

    def __init__(
        self,
        *,
        api_key: str,
        model: str = conf.OPENAI_MODEL,
        base_url: str = BASE_URL,
        retry: RetryPolicy | None = None,
    ) -> None:
        self.model = model
        self._retry = retry or RetryPolicy()
        self._client = PerProcess(lambda: _make_client(api_key, base_url))

    def complete(self, request: ChatRequest) -> ChatReply:
        """Raises ModelError: Refused, Truncated and what the vendor or the network does."""
        messages = [_message_param(message) for message in request.messages]
        schema = strict_schema(request.schema)
        return call_with_retries(
            lambda seconds: _read_reply(self._create(request, messages, schema, seconds)),
            seconds=request.timeout,
            policy=self._retry,
        )

    def _create(
        self,
        request: ChatRequest,
        messages: list[EasyInputMessageParam],
        schema: dict[str, object],
        seconds: float,
    ) -> Response:
        try:
            return self._client.get().responses.create(
                model=self.model,
                instructions=request.system,
                input=[*messages],
                text={
                    "format": {
                        "type": "json_schema",
                        "name": request.schema.__name__,
                        "schema": schema,
                        "strict": True,
                    }
                },
                max_output_tokens=request.max_tokens,
                store=False,
                timeout=seconds,
            )
        except (openai.OpenAIError, ValueError) as error:
            raise translate_sdk_error("OpenAI", openai, error) from error


class OpenAIEmbeddingModel:
    """One embedding model at OpenAI.

    `count` counts tokens by another model's vocabulary, so a margin is added. A text over the model's limit is embedded
    in pieces and averaged by their tokens; nothing is truncated.
    """

    provider = "openai"
    window = conf.OPENAI_EMBEDDING_TOKENS
    external = True

    def __init__(
        self,
        *,
        api_key: str,
        count: Callable[[str], int],
        model: str = conf.OPENAI_EMBEDDING_MODEL,
        dimensions: int = conf.OPENAI_EMBEDDING_DIMENSIONS,
        base_url: str = BASE_URL,
        retry: RetryPolicy | None = None,
    ) -> None:
        self.name, self.dimensions = model, dimensions
        self._count = count
        self._retry = retry or RetryPolicy()
        self._client = PerProcess(lambda: _make_client(api_key, base_url))

    def count_tokens(self, text: str) -> int:
        return math.ceil(self._count(text) * conf.TOKEN_MARGIN)

    def embed_query(self, text: str) -> list[float]:
        """In time for somebody who waits. Raises TimedOut after OPENAI_QUERY_TIMEOUT_S."""
        return self._vectors_for([text], conf.OPENAI_QUERY_TIMEOUT_S)[0]

    def embed_queries(self, texts: Sequence[str]) -> list[list[float]]:
        """The same for several, in one request."""
        return self._vectors_for(texts, conf.OPENAI_QUERY_TIMEOUT_S)

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, in their order. Raises EmptyText, or ModelError where one vector is
        missing."""
        return self._vectors_for(texts, conf.OPENAI_EMBEDDING_TIMEOUT_S)

    def _vectors_for(self, texts: Sequence[str], seconds: float) -> list[list[float]]:
        """`seconds` are for each batch."""
        parts = [pieces_within(text, self.window, self.count_tokens) for text in texts]
        if not all(parts):
            raise EmptyText("an empty text has no vector")
        flat = [part for pieces in parts for part in pieces]
        vectors = iter([vector for batch in self._batches_of(flat) for vector in self._embed(batch, seconds)])
        return [
            weighted_mean([next(vectors) for _ in pieces], [piece.tokens for piece in pieces])
            for pieces in parts
        ]

    def _batches_of(self, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
        batch: list[Piece] = []
        for piece in pieces:
            tokens = sum(other.tokens for other in batch) + piece.tokens
            full = len(batch) == conf.OPENAI_EMBEDDING_BATCH or tokens > conf.OPENAI_EMBEDDING_REQUEST_TOKENS
            if batch and full:
                yield batch
                batch = []
            batch.append(piece)
        if batch:
            yield batch

    def _embed(self, batch: Sequence[Piece], seconds: float) -> list[Vector]:
        texts = [piece.text for piece in batch]
        tries = itertools.count()

        def embed_once(left: float) -> list[Vector]:
            record_calls(requests=1, retries=min(next(tries), 1))
            reply = self._create(texts, left)
            told = getattr(getattr(reply, "usage", None), "prompt_tokens", None)
            counted = sum(piece.tokens for piece in batch)
            billed = told if isinstance(told, int) and told >= 0 else counted
            record_calls(tokens=billed)
            record_use(Use(provider="openai", model=self.name, purpose="embedding", input_tokens=billed))
            return _read_vectors(reply, len(texts), self.dimensions)

        return call_with_retries(embed_once, seconds=seconds, policy=self._retry)

    def _create(self, texts: list[str], seconds: float) -> CreateEmbeddingResponse:
        try:
            return self._client.get().embeddings.create(
                model=self.name, input=texts, dimensions=self.dimensions, timeout=seconds
            )
        except (openai.OpenAIError, ValueError) as error:
            raise translate_sdk_error("OpenAI", openai, error) from error


def _make_client(api_key: str, base_url: str) -> openai.OpenAI:
    if not api_key:
        raise BadKey("there is no key for OpenAI: set OPENAI_API_KEY")
    client = openai.DefaultHttpxClient(event_hooks=event_hooks())
    sdk = openai.OpenAI(api_key=api_key, base_url=base_url, max_retries=0, http_client=client)
    close_with(sdk, client)
    return sdk


def _message_param(message: Message) -> EasyInputMessageParam:
    if message.role == "assistant":
        return {"role": "assistant", "content": message.text}
    pictures: list[ResponseInputImageParam] = [
        {
            "type": "input_image",
            "image_url": f"data:{media_type(image)};base64,{base64_text(image)}",
            "detail": "auto",
        }
        for image in message.images
    ]
    text: ResponseInputTextParam = {"type": "input_text", "text": message.text}
    return {"role": "user", "content": [*pictures, text]}


def _read_reply(reply: Response) -> ChatReply:
    """The text of an answer that is finished and is no refusal."""
    try:
        if (failure := reply.error) is not None:
            message = f"OpenAI {failure.code}: {failure.message[: conf.VENDOR_MESSAGE_CHARACTERS]}"
            raise _FAILURES.get(failure.code, BadRequest)(message)
        reason = reply.incomplete_details.reason if reply.incomplete_details else None
        if reason == "content_filter" or any(
            part.type == "refusal" for item in reply.output if item.type == "message" for part in item.content
        ):
            raise Refused(f"{reply.model} declined to answer")
        if reply.status == "incomplete":
            raise Truncated(f"the answer of {reply.model} was cut off ({reason})")
        text, usage = reply.output_text, reply.usage
        used = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
    except (AttributeError, TypeError) as error:
        raise UnreadableReply("the answer is not in the form of the Responses API") from error
    return ChatReply(
        text=text,
        provider=OpenAIChatModel.provider,
        model=reply.model,
        input_tokens=used[0],
        output_tokens=used[1],
        stop="complete" if reply.status == "completed" else "other",
    )


def _read_vectors(reply: CreateEmbeddingResponse, wanted: int, dimensions: int) -> list[Vector]:
    """The vectors in the order of the texts. Raises UnreadableReply unless there is exactly one for
    each."""
    try:
        by_index = {item.index: [*item.embedding] for item in reply.data}
        whole = len(reply.data) == wanted and sorted(by_index) == list(range(wanted))
    except (AttributeError, TypeError) as error:
        raise UnreadableReply("the answer is not in the form of the Embeddings API") from error
    if not whole:
        raise UnreadableReply(f"{wanted} texts were sent for embedding, {len(by_index)} vectors came back")
    if any(len(vector) != dimensions for vector in by_index.values()):
        raise UnreadableReply(f"a vector came back that does not have {dimensions} dimensions")
    return [by_index[index] for index in range(wanted)]


# --- Pieces of a text that is too long -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text and its tokens."""

    text: str
    tokens: int


def pieces_within(text: str, limit: int, count: Callable[[str], int]) -> list[Piece]:
    """The text, halved at the space nearest its middle until each piece has at most `limit` tokens; empty if it is."""
    text = text.strip()
    tokens = count(text) if text else 0
    if tokens <= limit or len(text) < 2:
        return [Piece(text, tokens)] if text else []
    middle = len(text) // 2
    spaces = (text.rfind(" ", 1, middle), text.find(" ", middle, len(text) - 1))
    middle = min((at for at in spaces if at > 0), key=lambda at: abs(at - len(text) // 2), default=middle)
    return pieces_within(text[:middle], limit, count) + pieces_within(text[middle:], limit, count)
