"""What every test may use, and in which order files are run."""

from pathlib import Path

import pytest

from tests.doubles.flushing import django_db_setup, pytest_runtest_setup
from tests.doubles.wiring import models_as_wired
from tests.embedded import pytest_collection_finish, pytest_unconfigure

__all__ = [
    "django_db_setup",
    "models_as_wired",
    "pytest_collection_finish",
    "pytest_collection_modifyitems",
    "pytest_runtest_setup",
    "pytest_unconfigure",
]

TESTS = Path(__file__).parent
FIRST = ("db/desk/test_demo.py", "test_walkthrough.py", "browser", "services")
"""Long files first, so that no process is still busy with one when the others are done. The very first loads the demo
for all processes, while the second file needs none."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _place(item.path.relative_to(TESTS)))


def _place(path: Path) -> int:
    """The place in `FIRST` of the file or its folder."""
    named = {str(path), path.parts[0]}
    return next((place for place, name in enumerate(FIRST) if name in named), len(FIRST))
