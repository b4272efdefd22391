"""A package whose license does not fit is named."""

from email.message import Message
from typing import Any

import pytest

from tools.licenses import license_of, main


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"License-Expression": "Apache-2.0 OR BSD-2-Clause"}, "BSD"),
        ({"License": "Dual Licensed - GNU AFFERO GPL 3.0 or Artifex Commercial"}, "AGPL-3.0"),
        ({"Classifier": "License :: OSI Approved :: GNU Lesser General Public License v2 (LGPLv2)"}, "LGPL"),
        ({"License": "Proprietary"}, None),
        ({}, None),
    ],
)
def test_a_license_is_read_from_what_the_package_says(said: dict[str, str], found: str | None) -> None:
    message: Any = Message()
    for name, text in said.items():
        message[name] = text
    assert license_of(message) == found


def test_all_that_is_installed_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert "pymupdf" in capsys.readouterr().out
