"""Thread-safe LRU cache of a model's results for texts, bounded by bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

Made = TypeVar("Made")


class TextCache(Generic[Made]):
    """Thread-safe LRU bounded by bytes, as `size` counts them; the model runs outside the lock."""

    def __init__(self, most_bytes: int, size: Callable[[Made], int]) -> None:
        self._kept: LRUCache[bytes, Made] = LRUCache(most_bytes, getsizeof=size)
        self._lock = Lock()

    def get_all(self, texts: Sequence[str], make: Callable[[list[str]], Sequence[Made]]) -> list[Made]:
        """The value of each text, in order; `make` is called once, for the new texts."""
        keys = {text: hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts}
        with self._lock:
            found = {text: self._kept[key] for text, key in keys.items() if key in self._kept}
        new = [text for text in keys if text not in found]
        if new:
            made = dict(zip(new, make(new), strict=True))
            found.update(made)
            with self._lock:
                for text, one in made.items():
                    if self._kept.getsizeof(one) <= self._kept.maxsize:
                        self._kept[keys[text]] = one
        return [found[text] for text in texts]
