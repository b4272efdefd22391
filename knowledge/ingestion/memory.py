"""After a long document its memory goes back to the machine: Python and the C library keep it for later otherwise."""

import ctypes
import gc
from contextlib import suppress


def give_memory_back() -> None:
    """Cycles are found now and not some time; glibc, where it is that, hands back what is free."""
    gc.collect()
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
