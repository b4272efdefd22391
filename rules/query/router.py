"""Decide what a conversation asks for: rules, a database of airports, or both; for which countries, how
surely and why.

The local classifier decides what is clear. What is not is asked of the chat model where one is wired.
Countries are heard from the conversation alone: a model cannot add one that nobody named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import structlog
from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field

from knowledge.db.connections import give_connection_back
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, EmbeddingModel, Message
from llm.prompts import fence, load
from llm.registry import chat_model, embedding_model, is_configured
from llm.structured import ask
from rules import conf
from rules.configuration import configuration_from
from rules.countries import Scope, countries_of, name_of, shape_of
from rules.query.intent_classifier import Path, is_elliptic, masked, stored_classifier, texts_of

ROLE = "rules-router"
Stage = Literal["keyword", "model"]
_NAMED: dict[Path, str] = {"rules": "rules", "database": "a database", "both": "rules and a database"}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterDecision:
    """`stage` is keyword where the local classifier is sure. `scope` says more about the countries: which
    were left out, and whether the turn compares."""

    path: Path
    confidence: float
    countries: tuple[str, ...]
    reasoning: str
    stage: Stage
    scope: Scope = field(default_factory=Scope)

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "confidence": round(self.confidence, 3),
            "countries": list(self.countries),
            "reasoning": self.reasoning,
            "stage": self.stage,
        }


class ChatMessage(Protocol):
    """A message of a conversation, as chat libraries have it."""

    @property
    def content(self) -> str: ...


class RouterAnswer(BaseModel):
    """What a model answers."""

    model_config = ConfigDict(extra="forbid")

    path: Path
    confidence: float = Field(ge=0, le=1)
    countries: list[str] = Field(max_length=60)
    reasoning: str = Field(max_length=400)


class QueryRouter:
    """Routes conversations. `chat` and `embedding` are the registry's unless given."""

    def __init__(self, chat: ChatModel | None = None, embedding: EmbeddingModel | None = None) -> None:
        self._chat, self._embedding = chat, embedding

    def route(self, messages: Sequence[str | ChatMessage]) -> RouterDecision:
        """`messages` are the user's, oldest first; the last one is decided."""
        texts = [one if isinstance(one, str) else one.content for one in messages]
        texts = [text[: conf.QUERY_LONGEST] for text in texts]
        scope = countries_of(texts)
        if not configuration_from(settings.RULES).routing.enabled:
            return _decision("rules", 1.0, "routing is switched off", "keyword", scope)
        shape, goes_on = _telling_message(texts[-(conf.TOPIC_MESSAGES + 1) :])
        if not shape:
            return _decision("rules", conf.ROUTE_SURE, "it names places alone", "keyword", scope)
        path, confidence = self._classify(shape)
        words = ", ".join(stored_classifier().telling_words(shape, path))
        reasoning = f"{goes_on}“{words}” asks for {_NAMED[path]}"
        if confidence >= conf.ROUTE_SURE:
            return _decision(path, confidence, reasoning, "keyword", scope)
        chat = self._chat or _wired_chat()
        by_model = _ask_model(chat, texts, scope) if chat is not None and chat.external else None
        return by_model or _decision(path, confidence, reasoning, "model", scope)

    def _classify(self, shape: str) -> tuple[Path, float]:
        """By n-grams and vectors; by n-grams alone where the encoder is away."""
        classifier, texts = stored_classifier(), texts_of(shape)
        vectors: list[list[float]] = []
        give_connection_back()
        try:
            model = self._embedding or embedding_model(classifier.model)
            if model.name == classifier.model:
                vectors = [model.embed_query(masked(text)) for text in texts]
        except ModelError as error:
            log.warning("question_not_classified", code=error.code)
        return classifier.path_of(classifier.scores_of(texts, vectors))


def route(messages: Sequence[str]) -> RouterDecision:
    """The decision of the router that is wired."""
    return QueryRouter().route(messages)


def _telling_message(texts: Sequence[str]) -> tuple[str, str]:
    """The last message that says more than places and small words, masked, and what to say if it is an earlier one."""
    for at, text in enumerate(reversed(texts)):
        shape = shape_of(text)
        if not is_elliptic(shape):
            return shape, "it goes on from before: " if at else ""
    return "", ""


def _decision(path: Path, confidence: float, reasoning: str, stage: Stage, scope: Scope) -> RouterDecision:
    return RouterDecision(
        path=path,
        confidence=confidence,
        countries=scope.countries,
        reasoning=reasoning,
        stage=stage,
        scope=scope,
    )


def _wired_chat() -> ChatModel | None:
    try:
        return chat_model(ROLE) if is_configured() else None
    except ModelError:
        return None


def _ask_model(chat: ChatModel, texts: Sequence[str], scope: Scope) -> RouterDecision | None:
    """The model's decision; None where it fails. Countries that it adds to those that were named are not taken."""
    last = texts[-(conf.HISTORY_MESSAGES + 1) :]
    told = "\n".join(f"{n}: {text[: conf.ROUTE_MESSAGE]}" for n, text in enumerate(last, 1))
    named = ", ".join(f"{code} ({name_of(code)})" for code in scope.named) or "none"
    prompt = load("rules", "router", conversation=fence("conversation", told), countries=named)
    request = ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "Decide now."),),
        schema=RouterAnswer,
        prompt_version=prompt.version,
        max_tokens=conf.ROUTE_TOKENS,
        timeout=conf.ROUTE_TIMEOUT_S,
    )
    give_connection_back()
    try:
        said = ask(chat, request).value
    except ModelError as error:
        log.warning("question_not_routed", code=error.code)
        return None
    invented = sorted({code.upper()[:20] for code in said.countries} - set(scope.named))
    if invented:
        log.warning("router_named_countries_of_its_own", countries=invented[:10])
    return _decision(said.path, said.confidence, " ".join(said.reasoning.split()), "model", scope)
