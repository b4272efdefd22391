"""What every test may use."""

from tests.doubles.flushing import django_db_setup
from tests.doubles.wiring import models_as_wired
from tests.embedded import pytest_collection_finish, pytest_unconfigure

__all__ = ["django_db_setup", "models_as_wired", "pytest_collection_finish", "pytest_unconfigure"]
