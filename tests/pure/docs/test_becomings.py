"""The README's five becomings are functions that stand where it says, called by whom it says."""

import ast
import re

import pytest

from tests.pure.docs.pages import ROOT, text_of

ROW = re.compile(r"^\| (?P<what>[^|]+ becomes? [^|]+) \| \[?`(?P<path>[^:`]+)::(?P<name>\w+)`.*$", re.M)
BECOMINGS = {
    match["what"].strip(): (match["path"], match["name"]) for match in ROW.finditer(text_of("README.md"))
}


def functions_in(path: str) -> set[str]:
    return {node.name for node in ast.parse(text_of(path)).body if isinstance(node, ast.FunctionDef)}


def test_there_are_five() -> None:
    assert len(BECOMINGS) == 5


@pytest.mark.parametrize("what", BECOMINGS)
def test_each_is_a_function_at_its_place(what: str) -> None:
    path, name = BECOMINGS[what]
    assert (ROOT / path).exists()
    assert name in functions_in(path)


@pytest.mark.parametrize("what", BECOMINGS)
def test_each_is_used_outside_its_module(what: str) -> None:
    path, name = BECOMINGS[what]
    apps = ("heydpe", "desk", "exams", "curation", "rules", "knowledge")
    others = [file for app in apps for file in (ROOT / app).rglob("*.py") if file != ROOT / path]
    assert any(re.search(rf"\b{name}\b", file.read_text("utf-8")) for file in others)
