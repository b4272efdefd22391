"""Files that are made once, and what the library says of them when nothing goes wrong."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.soak.house import house
from tests.soak.material import document


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "soak" in item.path.parts:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def room() -> Iterator[Path]:
    """Short, since sockets stand in it."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Files:
    """Files by their number, and their undisturbed outcome."""

    room: Path
    known: dict[str, Any] = field(default_factory=dict)
    stored: dict[str, int] = field(default_factory=dict)

    def numbered(self, first: int, last: int) -> list[Path]:
        folder = self.room / "files"
        folder.mkdir(exist_ok=True)
        return [document(folder, at) for at in range(first, last)]

    def undisturbed(self, paths: Sequence[Path]) -> dict[str, Any]:
        """What a library says of these files when nobody interferes."""
        new = [path for path in paths if path.name not in self.known]
        if new:
            with house(self.room / f"calm-{len(self.known)}") as calm:
                calm.start_worker()
                calm.start_beat()
                calm.ask("submit", *map(str, new))
                calm.wait_for_the_end()
                self.known |= calm.ask("said")
                self.stored |= calm.stored()
        return {path.name: self.known[path.name] for path in paths}


@pytest.fixture(scope="session")
def files(room: Path) -> Files:
    return Files(room)
