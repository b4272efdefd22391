"""What a model made of texts is kept for the next question, as much as there is room for: those used last."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

Made = TypeVar("Made")


class TextCache(Generic[Made]):
    """At most `most_bytes` by what `size` says of each. Many threads may share it; none waits for another's model."""

    def __init__(self, most_bytes: int, size: Callable[[Made], int]) -> None:
        self._kept: LRUCache[bytes, Made] = LRUCache(most_bytes, getsizeof=size)
        self._lock = Lock()

    def get_all(self, texts: Sequence[str], make: Callable[[list[str]], Sequence[Made]]) -> list[Made]:
        """What was made of each text, in their order; `make` is asked once for those that are new."""
        known = self._find(texts)
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            made = dict(zip(new, make(new), strict=True))
            known.update(made)
            self._keep(made)
        return [known[text] for text in texts]

    def _find(self, texts: Sequence[str]) -> dict[str, Made]:
        keys = {text: _key(text) for text in texts}
        with self._lock:
            return {text: self._kept[key] for text, key in keys.items() if key in self._kept}

    def _keep(self, made: dict[str, Made]) -> None:
        with self._lock:
            for text, one in made.items():
                if self._kept.getsizeof(one) <= self._kept.maxsize:
                    self._kept[_key(text)] = one


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
