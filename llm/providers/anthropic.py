"""A chat model at Anthropic: our request and reply translated to the Messages API, through its SDK.

The shape goes out as the vendor's own structured output (`output_config.format`); the text comes back unchecked. Every
exception of the SDK is translated to `llm.errors`. Nothing beyond this module knows the SDK.
"""

from __future__ import annotations

from typing import Final

import anthropic
from anthropic.types import ImageBlockParam, MessageParam, TextBlockParam
from anthropic.types import Message as VendorMessage

from llm import conf
from llm.errors import (
    BadKey,
    Refused,
    Truncated,
    UnreadableReply,
)
from llm.interfaces import ChatReply, ChatRequest, Message
from llm.processes import PerProcess
from llm.providers.http import base64_text, close_with, event_hooks, media_type, translate_sdk_error
from llm.providers.retries import RetryPolicy, call_with_retries
from llm.schemas import strict_schema

BASE_URL: Final = "https://api.anthropic.com"

_CUT_OFF: Final = ("max_tokens", "model_context_window_exceeded")


class AnthropicChatModel:
    """One model at Anthropic. Each process makes its connection pool on first use."""

    provider = "anthropic"
    external = True

    def __init__(
        self,
        *,
        api_key: str,
        model: str = conf.ANTHROPIC_MODEL,
        base_url: str = BASE_URL,
        retry: RetryPolicy | None = None,
    ) -> None:
        if not api_key:
            raise BadKey("there is no key for Anthropic: set ANTHROPIC_API_KEY")
        self.model = model
        self._key, self._base_url = api_key, base_url
        self._retry = retry or RetryPolicy()
        self._client = PerProcess(self._make_client)

    def complete(self, request: ChatRequest) -> ChatReply:
        """Raises ModelError: Refused, Truncated and what the vendor or the network does."""
        messages = [_message_param(message) for message in request.messages]
        schema = strict_schema(request.schema)
        return call_with_retries(
            lambda seconds: _read_reply(self._create_message(request, messages, schema, seconds)),
            seconds=request.timeout,
            policy=self._retry,
        )

    def _make_client(self) -> anthropic.Anthropic:
        client = anthropic.DefaultHttpxClient(event_hooks=event_hooks())
        sdk = anthropic.Anthropic(
            api_key=self._key, base_url=self._base_url, max_retries=0, http_client=client
        )
        close_with(sdk, client)
        return sdk

    def _create_message(
        self, request: ChatRequest, messages: list[MessageParam], schema: dict[str, object], seconds: float
    ) -> VendorMessage:
        try:
            return self._client.get().messages.create(
                model=self.model,
                system=request.system,
                messages=messages,
                cache_control={
                    "type": "ephemeral"
                },  # a finding that is asked for again repeats all before it
                max_tokens=request.max_tokens,
                output_config={"format": {"type": "json_schema", "schema": schema}},
                timeout=seconds,
            )
        except (anthropic.AnthropicError, ValueError) as error:
            raise translate_sdk_error("Anthropic", anthropic, error) from error


def _message_param(message: Message) -> MessageParam:
    pictures: list[ImageBlockParam] = [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": media_type(image), "data": base64_text(image)},
        }
        for image in message.images
    ]
    text: TextBlockParam = {"type": "text", "text": message.text}
    if message.role == "assistant":
        return {"role": "assistant", "content": [text]}
    return {"role": "user", "content": [*pictures, text]}


def _read_reply(reply: VendorMessage) -> ChatReply:
    try:
        stop = reply.stop_reason
        text = "".join(block.text for block in reply.content if block.type == "text")
        usage = reply.usage
        cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
        used = (usage.input_tokens + cached, usage.output_tokens)
    except (AttributeError, TypeError) as error:
        raise UnreadableReply("the answer is not in the form of the Messages API") from error
    if stop == "refusal":
        raise Refused(f"{reply.model} declined to answer")
    if stop in _CUT_OFF:
        raise Truncated(f"the answer of {reply.model} was cut off ({stop})")
    return ChatReply(
        text=text,
        provider=AnthropicChatModel.provider,
        model=reply.model,
        input_tokens=used[0],
        output_tokens=used[1],
        stop="complete" if stop == "end_turn" else "other",
    )
