"""Reword a question from everyday words into the words of the rules, for embedding and word search.

Offline, a dictionary adds the rules' terms. A chat model, if one is configured, does the same; its words are only
searched for, never shown as an answer. If it fails, the dictionary is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from pydantic import BaseModel, ConfigDict, Field

from knowledge.db.connections import give_connection_back
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import fence_text, load_prompt
from llm.structured import ask_model
from rules import conf
from rules.query.synonyms import matters_in

ROLE = "rules-reformulator"

log = structlog.get_logger(__name__)


class Reformulated(BaseModel):
    """A model's reply: the question in the words of the rules."""

    model_config = ConfigDict(extra="forbid")

    formal: str = Field(max_length=conf.FORMAL_LENGTH)


@dataclass(frozen=True, slots=True)
class Wording:
    """The question, and what rules call its subject; "" if nothing is added. `by` is "dictionary" or a model's name."""

    asked: str
    formal: str = ""
    by: str = ""
    degraded: str = ""

    @property
    def text(self) -> str:
        return f"{self.asked}. {self.formal}" if self.formal else self.asked


def reword_question(question: str, model: ChatModel | None = None) -> Wording:
    """The question with the rules' words beside its own. Errors of the model are not raised."""
    by_words = ". ".join(matter.formal for matter in matters_in(question))[: conf.FORMAL_LENGTH]
    plain = Wording(question, by_words, "dictionary" if by_words else "")
    if model is None or not model.external:
        return plain
    prompt = load_prompt("rules", "reformulator", question=fence_text("question", question))
    request = ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "Reformulate it now."),),
        schema=Reformulated,
        prompt_version=prompt.version,
        max_tokens=conf.REFORMULATION_TOKENS,
        timeout=conf.REFORMULATION_TIMEOUT_S,
    )
    give_connection_back()
    try:
        said = ask_model(model, request).value.formal
    except ModelError as error:
        log.warning("question_not_reformulated", code=error.code)
        return Wording(question, by_words, plain.by, f"the model did not reformulate it ({error.code})")
    return Wording(question, " ".join(said.split()) or by_words, model.model)
