"""What cannot heal by itself is said in one line that tells what to do."""

import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from heydpe.runtime.paths import ServicesError, check_disk, paths_for
from heydpe.runtime.postgres import explain_log
from heydpe.runtime.processes import Command
from heydpe.runtime.service_manager import ManagedServer
from heydpe.runtime.services import services

PLACES = paths_for(Path("/srv/heydpe"))


def line_of(data_dir: Path) -> str:
    with pytest.raises(ServicesError) as raised, services(data_dir, durable=False):
        pass
    line = str(raised.value)
    assert "\n" not in line
    return line


def test_data_of_another_version(fresh_dir: Path) -> None:
    (fresh_dir / "postgres").mkdir(parents=True)
    (fresh_dir / "postgres" / "PG_VERSION").write_text("15\n")
    assert "made by PostgreSQL 15; this is 18" in line_of(fresh_dir)


@pytest.mark.long
def test_data_without_a_version(fresh_dir: Path) -> None:
    (fresh_dir / "postgres").mkdir(parents=True)
    assert "is damaged. Move that folder away" in line_of(fresh_dir)


@pytest.mark.long
def test_data_whose_control_file_is_gone(data_dir: Path) -> None:
    with services(data_dir, durable=False):
        pass
    (data_dir / "postgres" / "global" / "pg_control").unlink()
    assert "is damaged" in line_of(data_dir)


@dataclass
class Doomed:
    """A server that says what is wrong, and ends."""

    folder: Path
    name: str = "doomed"
    program: str = "doomed"
    stop_signal: signal.Signals = signal.SIGTERM

    def prepare(self) -> Command:
        return Command(("/bin/sh", "-c", "echo PANIC: the disk is upside down"), self.folder)

    def answers(self) -> bool:
        return False

    def after_ready(self) -> None:
        raise AssertionError("it never is")

    def explain(self, log: str) -> str | None:
        return None

    def heal(self, log: str) -> bool:
        return False


def test_what_a_server_says_before_its_manager_looks_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two share the place in the log's file."""

    class Ended(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.wait(10)

    monkeypatch.setattr(subprocess, "Popen", Ended)
    places = paths_for(tmp_path)
    places.log.mkdir()
    (places.log / "doomed.log").write_text("PANIC: of yesterday\n")
    with pytest.raises(ServicesError, match="PANIC: the disk is upside down"):
        ManagedServer(Doomed(tmp_path), places).start_server()


def test_a_data_directory_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Set HEYDPE_DATA_DIR" in line_of(tmp_path / "file")


def test_a_full_disk_says_how_much_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=12 * 2**20))
    with pytest.raises(ServicesError, match=r"12 MB free, 500 MB are needed\. Free some space"):
        check_disk(Path("/srv/heydpe"))


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (
            'FATAL:  could not write lock file "postmaster.pid": No space left on device',
            "disk of /srv/heydpe is full",
        ),
        ("FATAL:  database files are incompatible with server", "made by PostgreSQL another version"),
        ("PANIC:  could not locate a valid checkpoint record", "is damaged"),
    ],
)
def test_postgres_own_words_become_advice(log: str, said: str) -> None:
    assert said in str(explain_log(log, PLACES))


def test_unknown_words_are_left_as_they_are() -> None:
    assert explain_log("FATAL:  something else", PLACES) is None
