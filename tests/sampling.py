"""What `make test` runs of tests that take long: a sample, the same one each time. `make soak` runs them whole."""

import os
from collections.abc import Sequence
from typing import Final, TypeVar

import pytest

WHOLE: Final = bool(os.environ.get("HEYDPE_SOAK"))
long_proof = pytest.mark.skipif(not WHOLE, reason="a long proof: make soak")
Row = TypeVar("Row")


def sample_of(rows: Sequence[Row], every: int) -> Sequence[Row]:
    """Every n-th row, the first one among them; in a soak all of them."""
    return rows if WHOLE else rows[::every]
