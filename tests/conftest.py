"""What every test may use."""

from tests.embedded import pytest_collection_finish, pytest_unconfigure

__all__ = ["pytest_collection_finish", "pytest_unconfigure"]
