"""Cohere's Rerank API (v2) as it looks from outside: what a request must be, what an answer is."""

from __future__ import annotations

import re
from typing import Any

WORD = re.compile(r"\w+")


def rerank(request: Any, reply: Any) -> tuple[int, dict[str, Any]]:
    """Each document by the share of the query's words that it has, best first; `reply.results` instead, if scripted."""
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not key or key.startswith("bad"):
        return 401, {"message": "invalid api token"}
    documents, query = request.body["documents"], request.body["query"]
    if not documents or not query:
        return 400, {"message": "invalid request: documents and query are required"}
    found = reply.results
    if found is None:
        scored = [(at, share_of(query, text)) for at, text in enumerate(documents)]
        found = sorted(scored, key=lambda one: -one[1])[: request.body.get("top_n") or len(documents)]
    return 200, {
        "id": "rerank-1",
        "results": [{"index": at, "relevance_score": score} for at, score in found],
        "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}},
    }


def share_of(query: str, text: str) -> float:
    asked, read = set(WORD.findall(query.lower())), set(WORD.findall(text.lower()))
    return len(asked & read) / len(asked) if asked else 0.0
