"""Keeps what a process has made in its own memory, under everything that it was made from.

Nobody else sees it and nothing depends on it: what is not found is made again.
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
    return sha256(f"{kind.__qualname__} {ground!r}".encode()).hexdigest()
