"""The Responses and Embeddings APIs as they look from outside: what a request must be, what an answer is."""

from __future__ import annotations

import hashlib
import re
import struct
from base64 import b64encode
from typing import Any

from tests.doubles.closed_schemas import open_places

TOKEN = re.compile(r"\S+")


def answer(request: Any, reply: Any) -> tuple[int, dict[str, Any]]:
    fault = _key_fault(request) or _shape_fault(request.body)
    if fault:
        return fault
    refused, truncated = reply.stop == "refused", reply.stop == "truncated"
    part = (
        {"type": "refusal", "refusal": reply.text}
        if refused
        else {"type": "output_text", "text": reply.text, "annotations": []}
    )
    status = "incomplete" if truncated else "completed"
    return 200, {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if truncated else None,
        "model": request.body["model"],
        "output": [
            {"id": "msg_1", "type": "message", "role": "assistant", "status": status, "content": [part]}
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 11,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 7,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 18,
        },
    }


def embeddings(request: Any, reply: Any) -> tuple[int, dict[str, Any]]:
    texts, width = request.body["input"], request.body["dimensions"]
    fault = _key_fault(request) or _texts_fault(texts)
    if fault:
        return fault
    places = range(len(texts)) if reply.only is None else reply.only
    binary = request.body.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": place,
            "embedding": _packed(vector) if binary else vector,
        }
        for place in places
        for vector in [vector_of(texts[place], width)]
    ]
    return 200, {
        "object": "list",
        "data": data[::-1] if reply.reverse else data,
        "model": request.body["model"],
        "usage": {"prompt_tokens": tokens_of(texts), "total_tokens": tokens_of(texts)},
    }


def tokens_of(texts: list[str]) -> int:
    """What the server bills: a word is a token."""
    return sum(len(TOKEN.findall(text)) for text in texts)


def vector_of(text: str, width: int) -> list[float]:
    """A direction of its own for each text."""
    place = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % width
    return [1.0 if number == place else 0.0 for number in range(width)]


def _packed(vector: list[float]) -> str:
    return b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _key_fault(request: Any) -> tuple[int, dict[str, Any]] | None:
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not key or key.startswith("bad"):
        return _error(401, "invalid_api_key", "Incorrect API key provided")
    return None


def _shape_fault(body: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
    wrong = open_places(body["text"]["format"]["schema"])
    return _error(400, "invalid_json_schema", wrong) if wrong else None


def _texts_fault(texts: list[str]) -> tuple[int, dict[str, Any]] | None:
    if not texts or not all(texts):
        return _error(400, "invalid_request", "input cannot be an empty string")
    if any(len(TOKEN.findall(text)) > 8191 for text in texts):
        return _error(400, "context_length_exceeded", "maximum context length is 8192 tokens")
    return None


def _error(status: int, code: str, message: str) -> tuple[int, dict[str, Any]]:
    kind = "invalid_request_error"
    return status, {"error": {"message": message, "type": kind, "param": None, "code": code}}
