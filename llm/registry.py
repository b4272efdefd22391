"""The models by role: the only way for the layers above to reach one.

The wiring says once, at start, how each is built. It is built on first use, once in each process, and shared by all
threads. Nothing here reads a setting or the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from llm.errors import ModelError, NotConfigured, UnknownModel, UnknownRole
from llm.interfaces import ChatModel, EmbeddingModel, Reranker
from llm.processes import PerProcess

ANY_ROLE: Final = "*"
"""In a mapping of roles: the factory for every role that is not named."""

ANY_MODEL: Final = ""
"""The name of the embedding model where there is but one."""

_VENDORS: Final = {"anthropic": "Anthropic", "openai": "OpenAI"}

ChatFactory = Callable[[], ChatModel]
EmbeddingFactory = Callable[[], EmbeddingModel]
RerankerFactory = Callable[[], Reranker]


@dataclass(frozen=True, slots=True)
class _Wiring:
    chat: dict[str, PerProcess[ChatModel]]
    embedding: dict[str, PerProcess[EmbeddingModel]]
    in_use: Callable[[], str]
    rerankers: dict[str, PerProcess[Reranker]]


@dataclass(slots=True)
class _Door:
    wiring: _Wiring | None = None


_door: Final = _Door()


def configure_models(
    *,
    chat: ChatFactory | Mapping[str, ChatFactory],
    embedding: EmbeddingFactory | Mapping[str, EmbeddingFactory],
    in_use: Callable[[], str] | None = None,
    reranker: RerankerFactory | None = None,
    rerankers: Mapping[str, RerankerFactory] | None = None,
) -> None:
    """Set how models are built, in place of any earlier setting.

    `chat` is one factory for all roles, or one a role (`ANY_ROLE` for the rest); roles that share a factory share the
    model. `embedding` is one factory, or one a model's name; then `in_use` is asked at each use which one searches use.
    `reranker` is for every role that `rerankers` does not name.
    """
    if isinstance(embedding, Mapping) and in_use is None:
        raise ValueError("give in_use: it says which of several embedding models searches use")
    named = embedding if isinstance(embedding, Mapping) else {ANY_MODEL: embedding}
    by_role = chat if isinstance(chat, Mapping) else {ANY_ROLE: chat}
    built: dict[ChatFactory, PerProcess[ChatModel]] = {
        factory: PerProcess(factory) for factory in by_role.values()
    }
    _door.wiring = _Wiring(
        {role: built[factory] for role, factory in by_role.items()},
        {name: PerProcess(factory) for name, factory in named.items()},
        in_use or (lambda: ANY_MODEL),
        {
            role: PerProcess(factory)
            for role, factory in {ANY_ROLE: reranker, **(rerankers or {})}.items()
            if factory
        },
    )


def chat_model(role: str) -> ChatModel:
    """The model that speaks for `role`. Raises NotConfigured, or UnknownRole with the roles there are."""
    chat = _current_wiring().chat
    holder = chat.get(role) or chat.get(ANY_ROLE)
    if holder is None:
        raise UnknownRole(f"no model is set up for the role {role!r} (set up: {', '.join(sorted(chat))})")
    return holder.get()


def find_chat_model(role: str) -> ChatModel | None:
    """The same; None where none is set up, or it cannot be made."""
    try:
        return chat_model(role)
    except ModelError:
        return None


def external_name(role: str) -> str:
    """The vendor and model of `role`, for a page: "OpenAI (gpt-…)". Empty if nothing leaves the machine."""
    model = chat_model(role)
    return _vendor_name(model.provider, model.model) if model.external else ""


def external_readers(role: str, vectors: str = "") -> str:
    """The vendors that read what `role` is given, for a page: the chat model's, and that of the vectors by which it is
    looked up. `vectors` names their model; without it, the one in use is asked for. A model that is not set up here
    looks nothing up, so it is left out."""
    readers = [external_name(role)]
    with suppress(UnknownModel):
        model = embedding_model(vectors)
        readers += [_vendor_name(model.provider, model.name)] if model.external else []
    return " and ".join(filter(None, readers))


def _vendor_name(provider: str, model: str) -> str:
    return f"{_VENDORS.get(provider, provider)} ({model})"


def embedding_model(name: str = "") -> EmbeddingModel:
    """The embedding model that searches use now, or the one of that name. Raises UnknownModel with those there are."""
    wiring = _current_wiring()
    wanted = name or wiring.in_use()
    holder = wiring.embedding.get(wanted)
    if holder is not None:
        return holder.get()
    only = wiring.embedding.get(ANY_MODEL)
    if only is None or only.get().name != wanted:
        raise UnknownModel(
            f"the embedding model {wanted} is not set up here (set up: {', '.join(embedding_names())})"
        )
    return only.get()


def embedding_names() -> tuple[str, ...]:
    """The embedding models that can be asked for here."""
    known = _current_wiring().embedding
    return (known[ANY_MODEL].get().name,) if ANY_MODEL in known else tuple(known)


def find_reranker(role: str = ANY_ROLE) -> Reranker | None:
    """The reranker of a role, else the one for all; None where results are not reranked."""
    rerankers = _current_wiring().rerankers
    holder = rerankers.get(role) or rerankers.get(ANY_ROLE)
    return holder.get() if holder else None


def is_configured() -> bool:
    return _door.wiring is not None


def reset_models() -> None:
    """Forget all models, for tests."""
    _door.wiring = None


def _current_wiring() -> _Wiring:
    if _door.wiring is None:
        raise NotConfigured("no models are set up: call llm.registry.configure_models(...) once at start")
    return _door.wiring
