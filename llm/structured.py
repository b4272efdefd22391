"""Ask a model for a value of a given shape, and check what it answers.

Pydantic validates the text, whatever the vendor promises. If it is invalid, the model gets the errors and is asked once
more; a second failure is an error. A refusal or a truncated answer is never repaired.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from llm import conf
from llm.errors import ModelError, StructuredOutputError
from llm.interfaces import ChatModel, ChatReply, ChatRequest, Message
from llm.metering import Failure, Use, record_failure, record_use, reserve_call

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens paid for, the repair included."""

    input_tokens: int
    output_tokens: int

    @classmethod
    def of(cls, reply: ChatReply) -> Usage:
        return cls(reply.input_tokens, reply.output_tokens)

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Structured(Generic[T]):
    """The checked value, and what must be stored beside it."""

    value: T
    provider: str
    model: str
    prompt_version: str
    repaired: bool
    usage: Usage


def ask_model(
    model: ChatModel, request: ChatRequest[T], *, clock: Callable[[], float] = time.monotonic
) -> Structured[T]:
    """The model's answer in the shape of `request.schema`, within `request.timeout` seconds, repair included.

    Raises ModelError; StructuredOutputError where the answer did not fit.
    """
    deadline = clock() + request.timeout
    reply = _complete_and_bill(model, request)
    try:
        return _validated(reply, request, repaired=False, usage=Usage.of(reply))
    except ValidationError as error:
        faults = _fault_list(error)
    left = deadline - clock()
    if left < conf.ATTEMPT_LEAST_S:
        raise StructuredOutputError(f"{request.role}: the answer did not fit and no time was left: {faults}")
    echo = reply.text.strip()[: conf.REPAIR_ECHO_CHARACTERS]
    wish = (
        f"That answer could not be used. What was wrong: {faults}. "
        "Answer the same question again, with one JSON document of the shape asked for and nothing else."
    )
    more = (*((Message("assistant", echo),) if echo else ()), Message("user", wish))
    repair = replace(request, messages=(*request.messages, *more), timeout=left)
    second = _complete_and_bill(model, repair)
    try:
        return _validated(second, request, repaired=True, usage=Usage.of(reply) + Usage.of(second))
    except ValidationError as error:
        message = (
            f"{request.role}: the answer of {second.model} did not fit, repaired once: {_fault_list(error)}"
        )
        raise StructuredOutputError(message) from error


def _complete_and_bill(model: ChatModel, request: ChatRequest[T]) -> ChatReply:
    """One reply, if the payer's budget allows it. What a vendor bills is recorded before anybody reads the reply."""
    if model.external:
        reserve_call()
    try:
        reply = model.complete(request)
    except ModelError as error:
        if model.external:
            names = {"provider": model.provider, "model": model.model, "purpose": request.role}
            record_failure(Failure(**names, code=error.code, message=str(error)))
        raise
    if model.external:
        record_use(
            Use(
                provider=reply.provider,
                model=reply.model,
                purpose=request.role,
                input_tokens=reply.input_tokens,
                output_tokens=reply.output_tokens,
            )
        )
    return reply


def _validated(reply: ChatReply, request: ChatRequest[T], *, repaired: bool, usage: Usage) -> Structured[T]:
    return Structured(
        value=request.schema.model_validate_json(reply.text),
        provider=reply.provider,
        model=reply.model,
        prompt_version=request.prompt_version,
        repaired=repaired,
        usage=usage,
    )


def _fault_list(error: ValidationError) -> str:
    """The first faults as `place: what`, without the values: those are untrusted text."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    said = [f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['msg']}" for fault in found]
    more = len(said) - conf.REPAIR_ERRORS_SHOWN
    return "; ".join(said[: conf.REPAIR_ERRORS_SHOWN]) + (f"; and {more} more" if more > 0 else "")
