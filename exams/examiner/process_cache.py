"""Caches values in the memory of a process, under everything that they were made from.

Other processes do not see them, and nothing depends on them: a missing value is made again.
"""

from hashlib import sha256
from typing import TypeVar

from django.core.cache import caches

Value = TypeVar("Value")


def find_kept(kind: type[Value], ground: object) -> Value | None:
    """The value that was kept, if any; the repr of `ground` says what it was made from."""
    found: Value | None = caches["process"].get(_key_for(kind, ground))
    return found


def keep_value(ground: object, value: object) -> None:
    caches["process"].set(_key_for(type(value), ground), value)


def _key_for(kind: type[object], ground: object) -> str:
    return f"{kind.__qualname__}:{sha256(repr(ground).encode()).hexdigest()}"
