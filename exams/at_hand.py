"""What a process has made is kept in its own memory, to be found again under all that it was made from.

Nobody else sees it and nothing depends on it: what is not found is made again.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Generic, TypeVar

from django.core.cache import caches

Value = TypeVar("Value")

_CACHE: Final = "process"


@dataclass(frozen=True, slots=True)
class Kept(Generic[Value]):
    """Also nothing can be kept."""

    value: Value


def find(ground: object) -> "Kept[object] | None":
    """`ground` says by its repr what the value was made from."""
    found: Kept[object] | None = caches[_CACHE].get(_key(ground))
    return found


def keep(ground: object, value: object) -> None:
    caches[_CACHE].set(_key(ground), Kept(value))


def _key(ground: object) -> str:
    return sha256(repr(ground).encode()).hexdigest()
