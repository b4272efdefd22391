"""Rerank texts by the cosine of their vectors, with an embedding model whose vectors searches do not store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from llm import conf
from llm.errors import UnreadableReply
from llm.local.text_cache import TextCache

Row = NDArray[np.float32]


class QueryModel(Protocol):
    """Embeds several texts in one request, in time for somebody who waits."""

    @property
    def name(self) -> str: ...

    @property
    def external(self) -> bool: ...

    def embed_queries(self, texts: Sequence[str]) -> list[list[float]]: ...


class CosineReranker:
    """Scores from -1 to 1. Vectors of texts are cached, so that few are paid for twice."""

    def __init__(self, model: QueryModel, *, most_bytes: int = conf.COSINE_CACHE_BYTES) -> None:
        self.name, self.external = model.name, model.external
        self._model = model
        self._texts = TextCache[Row](most_bytes, lambda row: row.nbytes)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One request at most. Raises ModelError."""
        if not texts:
            return []
        question, *read = self._texts.get_all([query, *texts], self._unit_vectors)
        return [float(question @ row) for row in read]

    def _unit_vectors(self, texts: list[str]) -> list[Row]:
        vectors = np.asarray(self._model.embed_queries(texts), dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise UnreadableReply(f"{self.name} sent a vector with something in it that is no number")
        return list(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))
