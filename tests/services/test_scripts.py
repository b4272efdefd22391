"""The scripts parse, and `make help` lists what the contract names."""

import os
import subprocess
from pathlib import Path

import pytest

from .watching import PROJECT

SCRIPTS = [PROJECT / ".ci" / "run", *sorted((PROJECT / "scripts").glob("*.sh"))]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_parses_and_can_be_started(script: Path) -> None:
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert os.access(script, os.X_OK)


def test_ci_calls_make_test() -> None:
    assert "exec make test" in (PROJECT / ".ci" / "run").read_text()


def test_help_lists_every_target() -> None:
    listed = subprocess.run(["make", "help"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    for target in ("run", "test", "check", "bench", "soak", "offline-proof", "help"):
        assert f"make {target} " in listed
