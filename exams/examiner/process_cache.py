"""What a process has made is kept in its own memory, to be found again under all that it was made from.

Nobody else sees it and nothing depends on it: what is not found is made again.
"""

from hashlib import sha256
from typing import Final, TypeVar

from django.core.cache import caches

Value = TypeVar("Value")

_CACHE: Final = "process"


def find(kind: type[Value], ground: object) -> Value | None:
    """`ground` says by its repr what the value was made from."""
    found: Value | None = caches[_CACHE].get(_key(kind, ground))
    return found


def keep(ground: object, value: object) -> None:
    caches[_CACHE].set(_key(type(value), ground), value)


def _key(kind: type[object], ground: object) -> str:
    return sha256(f"{kind.__qualname__} {ground!r}".encode()).hexdigest()
