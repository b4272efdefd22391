"""Texts become vectors once: what was embedded is kept, and many are embedded in one go. Those of texts that come with
the application come with it, too. A long text is read for its first characters. Pure but for what is handed in.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock

import numpy as np
from cachetools import LRUCache

from exams import conf
from exams.offline.matching import Vector

_WORD = re.compile(r"\w")


class KeptVectors:
    """Vectors of texts by `embed_many`, the `most` last used of them kept. Threads may share it. `known` gives those
    that were made before; it is called when the first vector is asked for."""

    def __init__(
        self,
        embed_many: Callable[[Sequence[str]], Sequence[Sequence[float]]],
        most: int,
        known: Callable[[], Mapping[str, Vector]] = dict,
    ) -> None:
        self._embed_many = embed_many
        self._known = known
        self._kept: LRUCache[str, Vector] = LRUCache(most)
        self._guard = Lock()

    def __call__(self, text: str) -> Vector:
        known = self._known()
        if text in known:
            return known[text]
        text = _opening(text)
        with self._guard:
            if text in self._kept:
                return self._kept[text]
        return self._made([text])[0]

    def learn(self, texts: Iterable[str]) -> None:
        """Make the vectors of all these texts that are not there yet, in one go."""
        known = self._known()
        unknown = (text for text in dict.fromkeys(texts) if text.strip() and text not in known)
        wanted = dict.fromkeys(map(_opening, unknown))
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


def write_vectors(file: Path, texts: Sequence[str], vectors: Sequence[Sequence[float]]) -> None:
    """Each as bytes of a common step of its own: a cosine moves by less than 0.002. No text may hold a NUL."""
    rows = np.asarray(vectors, np.float32)
    steps = np.abs(rows).max(axis=1, keepdims=True) / 127
    told = np.frombuffer("\0".join(texts).encode(), np.uint8)
    np.savez_compressed(file, texts=told, steps=steps, vectors=np.rint(rows / steps).astype(np.int8))


def read_vectors(file: Path) -> dict[str, Vector]:
    """Raises ValueError for a file that holds no vectors."""
    try:
        with np.load(file, allow_pickle=False) as held:
            texts = held["texts"].tobytes().decode().split("\0")
            return dict(zip(texts, held["vectors"] * held["steps"], strict=True))
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file.name} holds no vectors ({error}): restore it from the repository") from error
