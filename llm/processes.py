"""A lazily built value, one in each process.

Thread pools and sockets do not survive a fork: a child that inherits them hangs or mixes answers. So each child builds
its own and keeps what it inherited untouched (destroying it would join threads that do not exist there).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

T = TypeVar("T")

_all: WeakSet[PerProcess[Any]] = WeakSet()
_set_aside: list[object] = []


class PerProcess(Generic[T]):
    """`get()` builds on first use; threads that ask at once get the same value."""

    def __init__(self, build: Callable[[], T]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._built: list[T] = []
        _all.add(self)

    def get(self) -> T:
        if not self._built:
            with self._lock:
                if not self._built:
                    self._built.append(self._build())
        return self._built[0]

    def start_over(self) -> None:
        """Forget what the parent built; called in the child after a fork."""
        self._lock = threading.Lock()
        _set_aside.extend(self._built)
        self._built = []


def _reset_all() -> None:
    for holder in list(_all):
        holder.start_over()


os.register_at_fork(after_in_child=_reset_all)
