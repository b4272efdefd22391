"""A picture that takes its process down loses itself, not the document."""

from pathlib import Path

import pytest

from knowledge.ingestion.figures import extraction
from tests.doubles import program_that_dies_after_one, program_that_hangs
from tests.doubles.illustrations import illustrate
from tests.doubles.source_files import handbook


@pytest.mark.long
def test_pictures_whose_process_dies_are_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extraction, "CHILD", program_that_hangs.__name__)
    shown = illustrate(handbook(tmp_path / "a.pdf"), tmp_path / "out", seconds=0.05)
    assert shown.figures == ()
    assert shown.refused == {"needs more than one picture may take": 3}
    assert shown.without_picture == ("Figure 7-1", "Figure 7-2", "Figure 7-3")


def test_file_that_is_given_up_keeps_results_that_came_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extraction, "CHILD", program_that_dies_after_one.__name__)
    monkeypatch.setattr(extraction, "DEATHS", 0)
    shown = illustrate(handbook(tmp_path / "a.pdf"), tmp_path / "out")
    assert shown.refused == {
        program_that_dies_after_one.REASON: 1,
        "needs more than one picture may take": 2,
    }
