"""What Python does with memory while a document is read, and after it."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def gc_paused() -> Iterator[None]:
    """For work that makes many values and ends soon; other threads of the process go without collection, too.

    Pages, lines, paragraphs and chunks refer to nothing that holds them, so no cycle can be found among them; looking
    for one took a third of the time on the FAA's PDFs.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def trim_memory() -> None:
    """Give the memory of a long document back to the machine: Python and the C library keep it for later otherwise."""
    gc.collect()
    with suppress(AttributeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)
