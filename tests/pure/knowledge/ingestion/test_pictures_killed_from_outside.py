"""A process that opens pictures and is killed by somebody else costs no picture."""

import os
import signal
from pathlib import Path

import psutil
import pytest

from knowledge.ingestion.figures import extraction
from knowledge.ingestion.figures.deduplication import ExtractedFigures
from tests.doubles.illustrations import parsed_pdf
from tests.doubles.source_files import handbook

pytestmark = pytest.mark.long

PICTURES = 3


def illustrated_with_kills(path: Path, out: Path, at: set[int]) -> ExtractedFigures:
    """The figures of a file, where the process is killed after each of these looks (the first is 1)."""
    out.mkdir()
    looks: list[int] = []
    kills: list[int] = []

    def tick(done: int, total: int) -> None:
        looks.append(done)
        if len(looks) in at:
            kills.append(len(openers()))
            for child in openers():
                os.kill(child.pid, signal.SIGKILL)
                os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it is not ours to reap

    settled = extraction.extract_figures(path, parsed_pdf(path), out, tick)
    assert (
        not at or kills[0] == 1
    )  # what it said before it died is still heard, so a later look may find it dead
    return settled


def openers() -> list[psutil.Process]:
    """The program that opens pictures; its forks end with it. Other children of this process are none of ours."""
    living = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
    return [child for child in living if extraction.CHILD in child.cmdline()]


def test_a_kill_costs_nothing(tmp_path: Path) -> None:
    path = handbook(tmp_path / "a.pdf", PICTURES)
    undisturbed = illustrated_with_kills(path, tmp_path / "one", set())
    killed = illustrated_with_kills(path, tmp_path / "two", {1, 2})
    assert [figure.picture.sha256 for figure in killed.figures] == [
        figure.picture.sha256 for figure in undisturbed.figures
    ]
    assert len(killed.figures) == PICTURES
    assert killed.refused == undisturbed.refused
