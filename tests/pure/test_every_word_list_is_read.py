"""No list, key, or column of a word file is there for nobody: the product's code names each of them.

Word files are the CSV and YAML files beside the modules. Names are looked for in the code of the file's own folder
("rules/countries"), and in the whole product for `knowledge/text`, which everybody reads. `f"force {force}"` names
"force required" where "required" is named, too.
"""

import ast
import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
APPS = ("heydpe", "desk", "exams", "curation", "rules", "knowledge", "llm")
ITEMS = (
    "exams/bank/beliefs",
    "exams/bank/items",
    "exams/bank/trips",
    "exams/bank/folders",
    "desk/demo/items",
)
"""Their schema refuses what nobody reads."""
WHOLE = "the whole product"
NAMING_COLUMNS = ("list", "meaning")
"""What stands in these columns is the name of a list."""
FILES = sorted(
    path
    for app in APPS
    for path in (*(ROOT / app).rglob("*.csv"), *(ROOT / app).rglob("*.yaml"))
    if not path.relative_to(ROOT).as_posix().startswith(ITEMS)
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_word_file_is_opened_by_a_module(path: Path) -> None:
    assert path.name in words_of(scope_of(path))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_list_and_column_has_a_reader(path: Path) -> None:
    scopes = [WHOLE] if path.parent == ROOT / "knowledge" / "text" else [scope_of(path)]
    assert not [name for name in names_in(path) if not is_named(name, *scopes)]
    assert not [name for name in columns_of(path) if not is_named(name, *scopes, "knowledge/text")]


def test_list_without_a_reader_is_found(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(
        "force required: [must <nobody>]\nforce of nobody: [a]\nnobody: [b]\nrule: [c]\n", "utf-8"
    )
    assert [name for name in names_in(path) if not is_named(name, "rules/statements")] == [
        "force of nobody",
        "rule",
    ]
    path = tmp_path / "phrases.csv"
    path.write_text("meaning,phrase,nobodys column\npassengers,a,b\ntimes of nobody:day,a,b\n", "utf-8")
    assert [name for name in names_in(path) if not is_named(name, WHOLE)] == ["times of nobody:"]
    assert [name for name in columns_of(path) if not is_named(name, WHOLE)] == ["nobodys column"]


def columns_of(path: Path) -> list[str]:
    if path.suffix != ".csv":
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file))


def names_in(path: Path) -> Iterator[str]:
    """The lists and keys that somebody outside the file has to name."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            named = {
                row[column] for row in csv.DictReader(file) for column in NAMING_COLUMNS if column in row
            }
        yield from sorted({re.sub(r"(?<=:).*", "", name) for name in named})  # "times:day" is one of "times:"
        return
    written = path.read_text("utf-8")
    content = yaml.safe_load(written)
    if isinstance(content, dict):
        yield from (name for name in content if f"<{name.replace(' ', '_')}>" not in written)
    else:
        yield from sorted({key for one in content for key in one})


def is_named(name: str, *scopes: str) -> bool:
    words = frozenset().union(*map(words_of, scopes))
    return name in words or any(
        name.startswith(before)
        and name.endswith(after)
        and name[len(before) : len(name) - len(after)] in words
        for scope in scopes
        for before, after in frames_of(scope)
    )


def scope_of(path: Path) -> str:
    """The folder of the app in which the file lies, at any depth; the app for a file that lies in none."""
    return "/".join(path.relative_to(ROOT).parent.parts[:2])


def nodes_of(scope: str) -> Iterator[ast.AST]:
    folders = [ROOT / one for one in (APPS if scope == WHOLE else [scope])]
    return (node for folder in folders for path in sorted(folder.rglob("*.py")) for node in nodes_in(path))


@cache
def nodes_in(path: Path) -> tuple[ast.AST, ...]:
    """What names something: the strings of a module, and the fields of its classes."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return tuple(node for node in nodes if isinstance(node, ast.Constant | ast.AnnAssign | ast.JoinedStr))


@cache
def words_of(scope: str) -> frozenset[str]:
    """The strings of the code, and the fields of its classes."""
    words: set[str] = set()
    for node in nodes_of(scope):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.add(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            words.add(node.target.id)
    return frozenset(words)


@cache
def frames_of(scope: str) -> frozenset[tuple[str, str]]:
    """What stands before and behind the one value of an f-string: "force " and ""."""
    frames = set()
    for node in nodes_of(scope):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            if parts.count(None) == 1 and len(parts) == 2:
                at = parts.index(None)
                frames.add((str(parts[0]), "") if at else ("", str(parts[1])))
    return frozenset(frames)
