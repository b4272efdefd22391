"""`manage.py … | head` ends without a traceback when the reader has read enough."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heydpe.runtime import cli

MANAGE = Path(__file__).parents[3] / "manage.py"


@pytest.mark.long
def test_a_reader_that_stops_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            [sys.executable, str(MANAGE), "help"],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_another_pipe_that_breaks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object) -> int:
        raise BrokenPipeError("the database's")

    monkeypatch.setattr(cli, "_run_command", run)
    with Path(os.devnull).open("w") as output:
        monkeypatch.setattr("sys.stdout", output)
        with pytest.raises(BrokenPipeError, match="database"):
            cli.main(["manage.py", "help"], {})
