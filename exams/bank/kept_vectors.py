"""Texts become vectors once: what was embedded is kept, and many are embedded in one go. A long text is read for its
first characters. Pure but for what is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from exams import conf

Vector = NDArray[Any]
_WORD = re.compile(r"\w")


class KeptVectors:
    """Vectors of texts by `embed_many`, the `most` last used of them kept. Threads may share it."""

    def __init__(
        self,
        embed_many: Callable[[Sequence[str]], Sequence[Sequence[float]]],
        most: int,
    ) -> None:
        self._embed_many = embed_many
        self._kept: LRUCache[str, Vector] = LRUCache(most)
        self._guard = Lock()

    def __call__(self, text: str) -> Vector:
        text = _opening(text)
        with self._guard:
            if text in self._kept:
                return self._kept[text]
        return self._made([text])[0]

    def learn(self, texts: Iterable[str]) -> None:
        """Make the vectors of all these texts that are not there yet, in one go."""
        wanted = dict.fromkeys(_opening(text) for text in texts if text.strip())
        with self._guard:
            new = [text for text in wanted if text not in self._kept]
        if new:
            self._made(new)

    def _made(self, texts: Sequence[str]) -> list[Vector]:
        vectors = [np.asarray(vector, dtype=np.float32) for vector in self._embed_many(texts)]
        with self._guard:
            self._kept.update(zip(texts, vectors, strict=True))
        return vectors


def _opening(text: str) -> str:
    """What of a text is read for its meaning: all of an ordinary one, the first words of a longer one."""
    if len(text) <= conf.MEANING_CHARACTERS:
        return text
    first = _WORD.search(text)
    start = first.start() if first else 0
    return text[start : start + conf.MEANING_CHARACTERS]
