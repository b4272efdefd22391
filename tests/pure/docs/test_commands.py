"""docs/operations/commands.md has every command of the project with every option, and nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pure.docs.pages import ROOT, sections, text_of

APPS = ("heydpe", "desk", "exams", "curation", "rules", "knowledge")
PAGE = "docs/operations/commands.md"
COMMANDS = {
    path.stem: path
    for app in APPS
    for path in (ROOT / app).glob("management/commands/*.py")
    if not path.stem.startswith("_")
}
DOCUMENTED = sections(text_of(PAGE))


def options_of(path: Path) -> Iterator[str]:
    source = path.read_text("utf-8")
    if "tenant_help" in source:
        yield "--tenant"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            names = (arg.value for arg in node.args if isinstance(arg, ast.Constant))
            yield from (name for name in names if isinstance(name, str) and name.startswith("-"))


def test_the_page_has_exactly_the_commands_there_are() -> None:
    assert set(DOCUMENTED) == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_page_names_every_option(name: str) -> None:
    missing = [
        option
        for option in options_of(COMMANDS[name])
        if option != "--json"
        and f"`{option}" not in DOCUMENTED.get(name, "")
        and f" {option} " not in DOCUMENTED.get(name, "")
    ]
    assert not missing


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_page_says_what_json_it_prints(name: str) -> None:
    assert "JSON:" in DOCUMENTED.get(name, "")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_speaks_json(name: str) -> None:
    source = COMMANDS[name].read_text("utf-8")
    assert "JsonCommand" in source or "import Command" in source or '"--json"' in source
