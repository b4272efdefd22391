"""Pause garbage collection while a document is read, and give its memory back afterwards."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def gc_paused() -> Iterator[None]:
    """For work that makes many values and ends soon; it pauses for other threads too.

    Pages, lines, paragraphs and chunks form no cycles; looking for some took a third of the time on the FAA's PDFs.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def trim_memory() -> None:
    """Return freed memory to the machine, which Python and the C library would keep for later."""
    gc.collect()
    with suppress(AttributeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)
