"""Links inside the pages lead to files and headings that exist."""

import re
from pathlib import Path

import pytest

from tests.pure.docs.pages import ROOT, pages

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PAGES = [path.relative_to(ROOT) for path in pages()]


def anchors_of(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_of_a_page_resolve(page: Path) -> None:
    dead = []
    for target in LINK.findall((ROOT / page).read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (ROOT / page).parent / name if name else ROOT / page
        if not file.exists() or (anchor and anchor not in anchors_of(file)):
            dead.append(target)
    assert not dead


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_files_that_a_page_names_exist(page: Path) -> None:
    named = re.findall(
        r"`((?:heydpe|desk|exams|curation|rules|knowledge|llm|tests|docs|scripts)/[\w./-]+\.\w+)",
        (ROOT / page).read_text("utf-8"),
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_names_that_a_page_gives_to_a_file_stand_in_it(page: Path) -> None:
    """`exams/domain/verdicts.py::decide_verdict`."""
    if page.name == "CHANGELOG.md":
        return
    named = re.findall(r"`([\w/]+\.py)::(\w+)", (ROOT / page).read_text("utf-8"))
    absent = [
        f"{file}::{name}"
        for file, name in named
        if not re.search(
            rf"^(?:(?:async )?def|class) {name}\b|^{name}\b", (ROOT / file).read_text("utf-8"), re.M
        )
    ]
    assert not absent
