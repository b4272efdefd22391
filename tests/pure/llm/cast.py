"""What the tests of the door to models share: a shape, requests, patient and impatient policies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, Field

from llm.interfaces import ChatReply, ChatRequest, Message
from llm.providers.anthropic import AnthropicChatModel
from llm.providers.openai import OpenAIChatModel
from llm.providers.retries import RetryPolicy
from tests.doubles.vendors import VendorServer


class Grade(BaseModel):
    verdict: Literal["satisfactory", "partial", "unsatisfactory"]
    reasons: list[str] = Field(default_factory=list, max_length=5)
    note: str | None = None


GOOD = {"verdict": "partial", "reasons": ["no altitude"], "note": None}


def grade_request(**changes: Any) -> ChatRequest[Grade]:
    values: dict[str, Any] = {
        "role": "assessor",
        "system": "You grade.",
        "messages": (Message("user", "Three miles."),),
        "schema": Grade,
        "prompt_version": "abc123",
        "timeout": 10.0,
    }
    return ChatRequest(**{**values, **changes})


@dataclass
class Waits:
    """Stands for sleeping: keeps what was asked for."""

    seconds: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def policy(waits: Waits | None = None, **changes: Any) -> RetryPolicy:
    return RetryPolicy(sleep=waits or Waits(), **changes)


ChatMaker = Callable[..., AnthropicChatModel | OpenAIChatModel]


def anthropic_at(vendor: VendorServer, **changes: Any) -> AnthropicChatModel:
    values = {"api_key": "k", "base_url": vendor.anthropic_url, "retry": policy()}
    return AnthropicChatModel(**{**values, **changes})


def openai_at(vendor: VendorServer, **changes: Any) -> OpenAIChatModel:
    values = {"api_key": "k", "base_url": vendor.openai_url, "retry": policy()}
    return OpenAIChatModel(**{**values, **changes})


VENDORS: list[ChatMaker] = [anthropic_at, openai_at]


@dataclass
class ScriptedChat:
    """A model without a wire: gives its texts in turn and keeps the requests."""

    texts: list[str]
    requests: list[ChatRequest] = field(default_factory=list)
    provider = "scripted"
    model = "scripted-1"
    external = False

    def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        return ChatReply(
            text=self.texts.pop(0), provider="scripted", model="scripted-1", input_tokens=3, output_tokens=2
        )
