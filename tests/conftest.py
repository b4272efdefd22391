"""What every test may use."""

from tests.doubles.wiring import models_as_wired
from tests.embedded import pytest_collection_finish, pytest_unconfigure

__all__ = ["models_as_wired", "pytest_collection_finish", "pytest_unconfigure"]
