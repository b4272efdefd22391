"""The interfaces of chat models, embedding models and rerankers, and the values that they take and give.

Nothing here knows a vendor, a network, a key, Django or the domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol

from pydantic import BaseModel
from typing_extensions import TypeVar

from llm import conf

Speaker = Literal["user", "assistant"]
Stop = Literal["complete", "truncated", "refused", "other"]

ShapeT_co = TypeVar("ShapeT_co", bound=BaseModel, covariant=True, default=BaseModel)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `images` are whole PNG, JPEG, GIF or WebP files."""

    role: Speaker
    text: str
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest(Generic[ShapeT_co]):
    """What one role asks of a model, independent of vendors."""

    role: str
    """Who speaks: `examiner`, `assessor`, `extractor`, `rules`..."""
    system: str
    """The rendered prompt."""
    messages: tuple[Message, ...]
    schema: type[ShapeT_co]
    """The answer's shape."""
    material: object | None = None
    """The same facts as plain values: what the offline model works from. Vendors never see it."""
    prompt_version: str = ""
    max_tokens: int = conf.CHAT_MAX_TOKENS
    timeout: float = conf.CHAT_TIMEOUT_S
    """Seconds for everything: retries, waits and the repair included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A model's answer, unchecked: `text` should be JSON."""

    text: str
    provider: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    stop: Stop = "complete"


class ChatModel(Protocol):
    """Answers one request. Raises `llm.errors.ModelError` and nothing else."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def external(self) -> bool:
        """True where requests leave the machine, so that a page can say so."""

    def complete(self, request: ChatRequest) -> ChatReply: ...


class EmbeddingModel(Protocol):
    """Embeds text as vectors of length 1 in `dimensions` dimensions. Vectors of two names are never compared."""

    @property
    def provider(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def window(self) -> int:
        """Tokens read at once; a longer text is read in windows and never truncated."""

    @property
    def external(self) -> bool:
        """True where texts leave the machine and answers take network time."""

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...

    def count_tokens(self, text: str) -> int: ...


class Reranker(Protocol):
    """Scores each text against the query, in the order given; higher is nearer."""

    @property
    def name(self) -> str: ...

    @property
    def external(self) -> bool: ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float]: ...
