"""Chat models that stand in for the usual one, role by role, until a test ends: hanging, impatient, scripted."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest

from llm import registry
from llm.interfaces import ChatModel, ChatReply, ChatRequest

LONGEST_SECONDS = 60.0


@dataclass
class Held:
    """A vendor's model that answers like `inner`, but a request with one of `words` only when `let_go` is set."""

    inner: ChatModel
    words: tuple[str, ...]
    reached: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)
    provider: str = "offline"
    model: str = "held"
    external: bool = True
    waiting: int = 0

    def complete(self, request: ChatRequest) -> ChatReply:
        if any(word in request.system for word in self.words):
            self.waiting += 1
            self.reached.set()
            self.let_go.wait(LONGEST_SECONDS)
        return self.inner.complete(request)


@dataclass
class Impatient:
    """The same model with less time than the product gives it."""

    inner: ChatModel
    seconds: float
    provider: str = ""
    model: str = ""
    external: bool = True

    def __post_init__(self) -> None:
        self.provider, self.model, self.external = self.inner.provider, self.inner.model, self.inner.external

    def complete(self, request: ChatRequest) -> ChatReply:
        return self.inner.complete(replace(request, timeout=self.seconds))


@dataclass
class Counted:
    """The same model, with the number of its calls; where `fails` is given each of them fails."""

    inner: ChatModel
    external: bool = False
    fails: Exception | None = None
    calls: int = 0
    provider: str = ""
    model: str = ""

    def __post_init__(self) -> None:
        self.provider, self.model = self.inner.provider, self.inner.model

    def complete(self, request: ChatRequest) -> ChatReply:
        self.calls += 1
        if self.fails:
            raise self.fails
        return self.inner.complete(request)


Wire = Callable[..., None]


@pytest.fixture
def wire() -> Iterator[Wire]:
    """`wire(assessor=model)` stands models in for roles; the other roles and the embedding model stay."""
    usual, embedding = registry.chat_model(registry.ANY_ROLE), registry.embedding_model()

    def stand_in(**models: ChatModel) -> None:
        factories = {role: (lambda model=model: model) for role, model in models.items()}
        registry.configure_models(
            chat={registry.ANY_ROLE: lambda: usual, **factories}, embedding=lambda: embedding
        )

    yield stand_in
    registry.configure_models(chat=lambda: usual, embedding=lambda: embedding)
