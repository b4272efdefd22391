"""The FAA's own text in `../shared/data/faa`: a section's number becomes its plain text."""

import html
import re
from functools import cache
from pathlib import Path

import pytest

from tests.doubles import faa_files

FAA = faa_files.FAA


def section_text(source: str) -> str:
    """The plain text of "14 CFR 91.151" or "AIM 4-3-13"; skips the test where the data is missing."""
    if not FAA.is_dir():
        pytest.skip(f"the FAA's text is not at {FAA}")
    number = source.rsplit(" ", 1)[1]
    return _aim(number) if source.startswith("AIM") else _cfr(number)


def _cfr(number: str) -> str:
    text = _read(FAA / "cfr" / f"14cfr_part0{number.split('.')[0]}.md")
    found = re.search(rf"^### §{re.escape(number)}\s.*?(?=^### )", text, re.M | re.S)
    assert found, f"no section {number}"
    return _plain(found[0])


def _aim(number: str) -> str:
    for path in faa_files.aim():
        found = re.search(rf"\^{number}\*\*(.*?)(?=\^\d+-\d+-\d+\*\*|\Z)", _read(path), re.S)
        if found:
            return _plain(found[1])
    raise AssertionError(f"no AIM paragraph {number}")


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _plain(markdown: str) -> str:
    text = re.sub(r"\[\[[^\]|]*\|([^\]]*)\]\]", r"\1", markdown)
    text = re.sub(r"</?(?:sup|sub|span|em|strong)[^>]*>", "", text)
    text = re.sub(r"<[^>]+>", " ", text).replace("*", "").replace("\\", "")
    return " ".join(html.unescape(text).split())
