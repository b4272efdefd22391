"""A pure reading of a text is kept for the next time: a turn reads the same few texts hundreds of times.

Bounded by the characters of the texts and not by their number, so that long ones cannot fill the memory. Many threads
may share it; none waits for another's reading.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar

from cachetools import LRUCache

from knowledge import conf

Read = TypeVar("Read")


def kept(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """The same function, which reads a text once as long as there is room for what it read."""
    readings: LRUCache[str, tuple[int, Read]] = LRUCache(conf.READINGS_CHARACTERS, getsizeof=_characters)
    guard = Lock()

    @wraps(read)
    def reading(text: str) -> Read:
        with guard:
            found = readings.get(text)
        if found is not None:
            return found[1]
        made = read(text)
        if len(text) <= conf.READING_LONGEST:
            with guard:
                readings[text] = (len(text) + conf.READING_LEAST, made)
        return made

    return reading


def _characters(reading: tuple[int, object]) -> int:
    return reading[0]
