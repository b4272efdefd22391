"""An argument whose bytes are no UTF-8 is a wrong argument, in one line and before anything is started."""

import pytest

from heydpe.runtime.cli import WRONG_ARGUMENTS, main


def test_bytes_that_are_no_text_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manage.py", "search", b"fuel\xff".decode("utf-8", "surrogateescape")]) == WRONG_ARGUMENTS
    (line,) = capsys.readouterr().err.splitlines()
    assert "UTF-8" in line
