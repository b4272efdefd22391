"""Decide where a conversation goes: to the rules, a database or both, for which countries, how surely and why.

Words decide clear cases. The chat model, if one is configured, decides the rest; otherwise the local classifier does,
together with the words. Countries come only from the conversation: a model cannot add one that nobody named.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

import structlog
from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field

from knowledge.db.connections import give_connection_back
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import fence_text, load_prompt
from llm.registry import embedding_model, find_chat_model
from llm.structured import ask_model
from rules import conf
from rules.configuration import configuration_from
from rules.countries import Scope, countries_of, name_of, shape_of
from rules.query.intent_classifier import PLACE, stored_classifier
from rules.query.intent_patterns import Request, is_elliptic, requests_in

ROLE = "rules-router"
Path = Literal["rules", "database", "both"]
Stage = Literal["keyword", "model"]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterDecision:
    """`scope` has more about the countries: which were excluded, and whether the turn compares."""

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


class Said(Protocol):
    """A message of a conversation, in the format of chat libraries."""

    @property
    def content(self) -> str: ...


class RouterAnswer(BaseModel):
    """A model's reply."""

    model_config = ConfigDict(extra="forbid")

    path: Path
    confidence: float = Field(ge=0, le=1)
    countries: list[str] = Field(max_length=60)
    reasoning: str = Field(max_length=400)


class QueryRouter:
    """Routes conversations. `chat` defaults to the registry's."""

    def __init__(self, chat: ChatModel | None = None) -> None:
        self._chat = chat

    def route(self, messages: Sequence[str | Said]) -> RouterDecision:
        """`messages` are the user's, oldest first; the last one is decided."""
        texts = [one if isinstance(one, str) else one.content for one in messages]
        texts = [text[: conf.QUERY_LONGEST] for text in texts]
        scope = countries_of(texts)
        heard = _heard(texts[-(conf.TOPIC_MESSAGES + 1) :])
        if not configuration_from(settings.RULES).routing.enabled:
            return _decision("rules", 1.0, "routing is switched off", "keyword", scope)
        if heard.sure:
            return _decision(heard.path, conf.ROUTE_SURE, heard.reasoning, "keyword", scope)
        chat = self._chat or find_chat_model(ROLE)
        by_model = _asked(chat, texts, scope) if chat is not None and chat.external else None
        return by_model or self._classified(heard, texts[-1] if texts else "", scope)

    def _classified(self, heard: _Heard, text: str, scope: Scope) -> RouterDecision:
        """The words' own opinion weighed with the classifier's: of the whole, or, where the words say both, of each
        clause that is not clear. Words alone can say both."""
        if heard.path != "both" or not heard.requests:
            path, odds = self._weighed(heard.path, text, heard.wants_something)
            sounds = f"all in all a question for {'a database' if odds > 0 else 'rules'}"
            reasoning = f"{heard.reasoning}; {sounds if odds else 'nothing else says more'}"
            return _decision(path, _confidence(odds), reasoning, "model", scope)
        parts = [
            (request.wants, math.inf) if request.sure else self._weighed(request.wants, request.clause, True)
            for request in heard.requests
        ]
        wants = {path for path, _ in parts}
        least = min((odds for _, odds in parts), key=abs)
        both: Path = "both" if len(wants) > 1 or "both" in wants else parts[0][0]
        return _decision(both, _confidence(least), heard.reasoning, "model", scope)

    def _weighed(self, path: Path, text: str, wants_something: bool) -> tuple[Path, float]:
        """The path, and the log-odds for a database by which it was chosen; "both" stays what it is, and so does any
        where the classifier's model is away or there is nothing to hear."""
        classifier = stored_classifier()
        spoken = shape_of(text, PLACE, PLACE).replace("@@", PLACE).replace("@", PLACE)
        if not any(letter.isalnum() for letter in spoken):
            return path, 0.0
        give_connection_back()
        try:
            model = embedding_model(classifier.model)
            vector = (
                model.embed_query(spoken[: conf.CLASSIFIED_LONGEST])
                if model.name == classifier.model
                else None
            )
        except ModelError as error:
            log.warning("question_not_classified", code=error.code)
            return path, 0.0
        if vector is None or path == "both":
            return path, 0.0
        placed = wants_something or "@" not in shape_of(text)
        lean = conf.ROUTE_LEAN if placed else conf.ROUTE_LEAN_NOTHING
        odds = classifier.log_odds(vector) + (lean if path == "database" else -lean)
        return ("database" if odds > 0 else "rules"), odds


def route(messages: Sequence[str]) -> RouterDecision:
    """The decision of the configured router."""
    return QueryRouter().route(messages)


@dataclass(frozen=True, slots=True)
class _Heard:
    """What the words say. `wants_something` is False where nothing in them asks for anything."""

    path: Path
    sure: bool
    reasoning: str
    wants_something: bool = True
    requests: tuple[Request, ...] = ()


def _heard(texts: Sequence[str]) -> _Heard:
    """Of the last message; one that only names places, or adds to what was asked, asks for what was asked before."""
    if not texts:
        return _Heard("rules", True, "nothing was asked")
    shape = shape_of(texts[-1])
    requests, elliptic = requests_in(shape), is_elliptic(shape)
    before = next(filter(None, (requests_in(shape_of(text)) for text in reversed(texts[:-1]))), ())
    if requests and not (before and elliptic):
        return _by_words(requests)
    if before:
        earlier = _by_words(before)
        return replace(earlier, sure=elliptic, reasoning=f"it goes on from before ({earlier.reasoning})")
    reasoning = "it names places alone" if elliptic and "@" in shape else "no word of it asks a database"
    return _Heard("rules", elliptic, reasoning, wants_something=False)


def _by_words(requests: Sequence[Request]) -> _Heard:
    wants = {request.wants for request in requests}
    path: Path = "both" if len(wants) == 2 else requests[0].wants
    said = ", ".join(
        dict.fromkeys(f"“{request.because}” asks for {_NAMED[request.wants]}" for request in requests)
    )
    return _Heard(path, all(request.sure for request in requests), said, requests=tuple(requests))


def _confidence(odds: float) -> float:
    """Without any odds nobody but the words was asked."""
    return 1 / (1 + math.exp(-min(abs(odds), 30.0))) if odds else conf.ROUTE_UNSURE


_NAMED = {"rules": "rules", "database": "a database"}


def _decision(path: Path, confidence: float, reasoning: str, stage: Stage, scope: Scope) -> RouterDecision:
    return RouterDecision(
        path=path,
        confidence=confidence,
        countries=scope.countries,
        reasoning=reasoning.replace("@@", "…").replace("@", "…"),
        stage=stage,
        scope=scope,
    )


def _asked(chat: ChatModel, texts: Sequence[str], scope: Scope) -> RouterDecision | None:
    """The model's decision; None where it fails. Countries that it adds to those that were named are not taken."""
    last = texts[-(conf.HISTORY_MESSAGES + 1) :]
    told = "\n".join(f"{n}: {text[: conf.ROUTE_MESSAGE]}" for n, text in enumerate(last, 1))
    named = ", ".join(f"{code} ({name_of(code)})" for code in scope.named) or "none"
    prompt = load_prompt("rules", "router", conversation=fence_text("conversation", told), countries=named)
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
        said = ask_model(chat, request).value
    except ModelError as error:
        log.warning("question_not_routed", code=error.code)
        return None
    invented = sorted({code.upper()[:20] for code in said.countries} - set(scope.named))
    if invented:
        log.warning("router_named_countries_of_its_own", countries=invented[:10])
    reasoning = " ".join(said.reasoning.split())
    return _decision(said.path, said.confidence, reasoning, "model", scope)
