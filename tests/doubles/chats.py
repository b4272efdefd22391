"""Chat models that say what a test tells them to."""

import json
from collections.abc import Sequence
from typing import Any

from llm.interfaces import ChatReply, ChatRequest, Stop


class SaysInTurn:
    """Answers each request with the next of its replies, an exception by raising it. Keeps what it was asked."""

    provider = "double"
    model = "says-in-turn"
    external = False

    def __init__(self, *replies: Any, stop: Stop = "complete", external: bool | None = None) -> None:
        if external is not None:
            self.external = external
        self.replies = list(replies)
        self.stop: Stop = stop
        self.asked: list[ChatRequest[Any]] = []

    def complete(self, request: ChatRequest[Any]) -> ChatReply:
        self.asked.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return ChatReply(text=text, provider=self.provider, model=self.model, stop=self.stop)


def points(*found: tuple[str, str], said: str = "", sources: Sequence[int] = ()) -> dict[str, Any]:
    """An assessment as a model would send it: (key, met) for each point."""
    return {"points": [{"key": k, "met": met, "said": said, "sources": list(sources)} for k, met in found]}
