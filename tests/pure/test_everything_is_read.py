"""Nothing that is written down is read by nobody: functions, numbers, fields of frames, files that are named.

What only tests use is dead. Names are looked for as words in the product's own sources, so a dead one may hide behind
another of its name; what is found is dead for certain.
"""

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from exams.protocol.frames import CLIENT_FRAMES

ROOT = Path(__file__).resolve().parents[2]
APPS = ("heydpe", "desk", "exams", "curation", "rules", "knowledge", "llm")
TOOLS = ("tools", "benchmarks", "scripts")
PAGES = ("templates", "static", "docs/operations")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FOUND_BY_DJANGO = ("admin.py", "apps.py", "item_admin.py")
FROM_OUTSIDE = frozenset({"RulesRAG"})
"""What other programs import by this name."""
FOR_TESTS = frozenset({"forbid_external", "allow_external", "reset_models"})
"""Switches by which tests keep calls on this machine and wire doubles."""
FOLDERS = "|".join(("docs", "tests", *TOOLS, *APPS))
NAMED_FILE = re.compile(rf"(?<![\w/.])((?:{FOLDERS})/[\w./-]*\w\.(?:md|py|csv|ya?ml|jsonl?))(?!\.?\w)")
NOT_FILES = frozenset({"docs/benchmarks/NAME.json"})


def test_every_function_and_class_has_a_caller_in_the_product() -> None:
    assert not [f"{path.relative_to(ROOT)}: {name}" for path, name in public_names() if not used(name)]


def test_every_number_of_a_conf_is_read() -> None:
    confs = [path for path in sources(*APPS) if path.name == "conf.py"]
    assert not [
        f"{path.relative_to(ROOT)}: {target.id}"
        for path in confs
        for node in tree_of(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and words_in_product()[target.id] < 2  # once where it is set
    ]


@pytest.mark.parametrize("kind", sorted(CLIENT_FRAMES))
def test_every_frame_that_a_client_may_send_is_sent_by_the_room(kind: str) -> None:
    assert kind in re.findall(r'"(\w+)"', (ROOT / "static" / "js" / "room.js").read_text("utf-8"))


def test_every_file_that_is_named_exists() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    absent = []
    for name in tracked.split():
        path = ROOT / name
        if path.suffix not in (".py", ".md", ".sh", ".html", ".toml", ".yml") or name == "CHANGELOG.md":
            continue  # the changelog names what was there then
        named = NAMED_FILE.findall(path.read_text("utf-8")) if path.exists() else []
        absent += [f"{name}: {one}" for one in named if not (is_there(one) or one in NOT_FILES)]
    assert not absent


def is_there(name: str) -> bool:
    """Also a template, which is named from its folder."""
    return (ROOT / name).exists() or (ROOT / "templates" / name).exists()


# --- what is read ------------------------------------------------------------


def public_names() -> Iterator[tuple[Path, str]]:
    """Functions and classes of the product that no framework finds by itself."""
    for path in sources(*APPS):
        if path.name in FOUND_BY_DJANGO or path.parent.name == "models":
            continue
        for node in tree_of(path).body:
            registered = getattr(node, "decorator_list", ())
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not registered:
                yield path, node.name


def used(name: str) -> bool:
    return words_in_product()[name] > 0 or name in FROM_OUTSIDE | FOR_TESTS


def sources(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def words_in_product() -> Counter[str]:
    """How often each word stands in the product, its tools and its pages, other than where it is defined."""
    words: Counter[str] = Counter()
    for path in sources(*APPS, *TOOLS):
        for node in ast.walk(tree_of(path)):
            words.update(words_of(node))
    for folder in PAGES:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".html", ".js", ".md"):
                words.update(WORD.findall(path.read_text("utf-8")))
    return words


def words_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword):
        yield node.arg or ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from WORD.findall(node.value)
