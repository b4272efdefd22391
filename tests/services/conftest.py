"""Data directories of a test's own, and ways to look at what runs for them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from heydpe.runtime.services import services

from .watching import end_all_for, users_of


@pytest.fixture
def fresh_dir(tmp_path: Path) -> Iterator[Path]:
    """A data directory that does not exist yet; whatever a failing test leaves running for it is ended."""
    folder = tmp_path / "d"
    yield folder
    end_all_for(folder)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory whose database is made: copying it is quicker than making one for each test."""
    folder = tmp_path_factory.mktemp("made") / "d"
    with services(folder, durable=False):
        pass
    return folder


@pytest.fixture
def data_dir(fresh_dir: Path, made_once: Path) -> Path:
    """A data directory of the test's own, with a database, not running."""
    shutil.copytree(made_once / "postgres", fresh_dir / "postgres")
    return fresh_dir


@pytest.fixture
def running(data_dir: Path) -> Iterator[Path]:
    """A data directory whose services run."""
    with services(data_dir, durable=False):
        yield data_dir
    assert users_of(data_dir) == ()
