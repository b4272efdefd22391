"""What `make test` runs of tests that take long: a sample, the same one each time. `make soak` runs them whole.

Where other tests hold the same at less cost, or most of it, a test is marked `long` and left to the soak.
"""

import os
from collections.abc import Sequence
from typing import Final, TypeVar

WHOLE: Final = bool(os.environ.get("HEYDPE_SOAK"))
Row = TypeVar("Row")


def sample_of(rows: Sequence[Row], every: int) -> Sequence[Row]:
    """Every n-th row, the first one among them; in a soak all of them."""
    return rows if WHOLE else rows[::every]
