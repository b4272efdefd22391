"""While a document's values are made, Python does not look for values that refer to each other in circles.

It would look again each time some hundred are made, through all that the process holds, and find none: pages, lines,
paragraphs and chunks know nothing of what holds them. On the FAA's PDFs that took a third of the time. Knows nothing of
documents.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """For work that makes many values and ends soon; another thread of the process does without meanwhile, too."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
