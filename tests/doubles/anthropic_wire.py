"""The Messages API as it looks from outside: what a request must be, what an answer is."""

from __future__ import annotations

from typing import Any

from tests.doubles.closed_schemas import open_places

STOPS = {"complete": "end_turn", "truncated": "max_tokens", "refused": "refusal"}


def answer(request: Any, reply: Any) -> tuple[int, dict[str, Any]]:
    fault = _fault(request)
    if fault:
        return fault
    text, stop = reply.text, STOPS[reply.stop]
    return 200, {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {**_input_of(request.body), "output_tokens": 7},
    }


def _input_of(body: Any) -> dict[str, int]:
    """11 tokens, of which 8 are written to the cache where the request asks for one."""
    if body.get("cache_control") != {"type": "ephemeral"}:
        return {"input_tokens": 11}
    return {"input_tokens": 3, "cache_creation_input_tokens": 8, "cache_read_input_tokens": 0}


def _fault(request: Any) -> tuple[int, dict[str, Any]] | None:
    body, headers = request.body, request.headers
    key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
    if not key or key.startswith("bad"):
        return _error(401, "authentication_error", "invalid API key")
    if "anthropic-version" not in headers:
        return _error(400, "invalid_request_error", "anthropic-version: header is required")
    if not isinstance(body.get("max_tokens"), int):
        return _error(400, "invalid_request_error", "max_tokens: field required")
    if not body.get("messages") or body["messages"][0]["role"] != "user":
        return _error(400, "invalid_request_error", "messages: first message must use the user role")
    for message in body["messages"]:
        if any(block["type"] == "text" and not block["text"].strip() for block in message["content"]):
            return _error(400, "invalid_request_error", "messages: text content blocks must be non-empty")
    wrong = open_places(body["output_config"]["format"]["schema"])
    return _error(400, "invalid_request_error", f"output_config: {wrong}") if wrong else None


def _error(status: int, kind: str, message: str) -> tuple[int, dict[str, Any]]:
    return status, {"type": "error", "error": {"type": kind, "message": message}}
