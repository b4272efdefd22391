"""A chat model without key and network: each role's skill answers from the request's plain material.

The layers above give the skills. A skill's value is sent as the JSON that a vendor would have sent, so that one path
checks both. Deterministic: the same material gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter

from llm.errors import ModelError, SkillFailed, UnknownRole
from llm.interfaces import ChatReply, ChatRequest

Skill = Callable[[Any], BaseModel]


class OfflineChatModel:
    """Answers the roles it has a skill for."""

    provider = "offline"
    model = "offline"
    external = False

    def __init__(self, skills: Mapping[str, Skill]) -> None:
        self._skills = dict(skills)

    def complete(self, request: ChatRequest) -> ChatReply:
        skill = self._skills.get(request.role)
        if skill is None:
            known = ", ".join(sorted(self._skills)) or "none"
            raise UnknownRole(f"the offline model has no skill for {request.role!r} (it has: {known})")
        try:
            value = skill(request.material)
        except ModelError:
            raise
        except Exception as error:
            raise SkillFailed(f"{request.role}: the offline skill failed: {error}") from error
        if not isinstance(value, request.schema):
            wanted, got = request.schema.__name__, type(value).__name__
            raise SkillFailed(f"{request.role}: the offline skill gave {got}, not {wanted}")
        # What the shape asked for has, and no more.
        text = TypeAdapter(request.schema).dump_json(value).decode()
        return ChatReply(text=text, provider=self.provider, model=self.model)
