"""An embedding model without weights: a word is a direction made by a hash, shared words are nearness."""

import hashlib
import math
import re
from collections.abc import Sequence


class HashingEmbedding:
    """Deterministic, 384 dimensions, vectors of length 1. Knows no meaning: only equal words are near."""

    provider = "hashing"
    name = "all-MiniLM-L6-v2"
    dimensions = 384
    window = 256
    external = False

    def __init__(self) -> None:
        self.queries: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        return self._vector(text)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in re.findall(r"[a-z0-9.]+", text.lower()):
            digest = hashlib.sha256(word.strip(".").encode()).digest()
            vector[int.from_bytes(digest[:2], "big") % self.dimensions] += 1 if digest[2] % 2 else -1
        length = math.sqrt(sum(value * value for value in vector))
        return [value / length for value in vector] if length else [1.0, *vector[1:]]
