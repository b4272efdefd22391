"""Keeps what was read from a text, because one turn of an exam reads the same few texts hundreds of times.

The cache is bounded by characters, so that long texts cannot fill the memory. It is thread-safe; the reading itself
runs outside the lock.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar

from cachetools import LRUCache

from knowledge import conf

Read = TypeVar("Read")


def cached_by_text(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """Decorate a pure function of one text so that it keeps its latest results."""
    readings: LRUCache[str, tuple[int, Read]] = LRUCache(
        conf.READINGS_CHARACTERS, getsizeof=lambda reading: reading[0]
    )
    guard = Lock()

    @wraps(read)
    def read_once(text: str) -> Read:
        with guard:
            found = readings.get(text)
        if found is not None:
            return found[1]
        made = read(text)
        if len(text) <= conf.READING_LONGEST:
            with guard:
                readings[text] = (len(text) + conf.READING_LEAST, made)
        return made

    return read_once
