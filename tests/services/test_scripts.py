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


def test_ci_checks_and_then_tests() -> None:
    assert (PROJECT / ".ci" / "run").read_text().endswith("make check\nexec make test\n")


@pytest.mark.parametrize(("argument", "status"), [("--help", 0), ("-h", 0), ("tests/pure", 2)])
def test_ci_installs_nothing_for_whoever_asks_what_it_does(argument: str, status: int) -> None:
    said = subprocess.run(
        [PROJECT / ".ci" / "run", argument], capture_output=True, text=True, check=False, timeout=20
    )
    assert (said.returncode, "Installing" in said.stdout) == (status, False)
    assert "make test" in said.stdout or "--help" in said.stderr


def test_help_lists_every_target() -> None:
    listed = subprocess.run(["make", "help"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    for target in ("run", "test", "check", "bench", "soak", "offline-proof", "help"):
        assert f"make {target} " in listed
