"""The import contract covers all of the project, and what it calls pure reads no clock and throws no dice.

import-linter itself checks imports (`make check`); this checks what it cannot see.
"""

import ast
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACT = ConfigParser()
CONTRACT.read_string((ROOT / ".importlinter").read_text("utf-8"))
PURE = CONTRACT["importlinter:contract:pure"]["source_modules"].split()
APPS = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
CLOCK = {"now", "today", "utcnow", "perf_counter", "monotonic"}
DICE = {"urandom", "token_hex", "token_urlsafe", "uuid1", "uuid4", "SystemRandom"}


def test_every_package_is_under_the_contract() -> None:
    assert set(CONTRACT["importlinter"]["root_packages"].split()) == APPS


@pytest.mark.parametrize("app", sorted(APPS))
def test_every_app_places_all_its_modules(app: str) -> None:
    inside = CONTRACT[f"importlinter:contract:inside-{app}"]
    assert (inside["containers"], inside["exhaustive"]) == (app, "True")


def files_of(module: str) -> list[Path]:
    path = ROOT / module.replace(".", "/")
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


@pytest.mark.parametrize("module", PURE)
def test_a_pure_module_reads_no_clock_and_throws_no_dice(module: str) -> None:
    for file in files_of(module):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                assert node.attr not in CLOCK | DICE, f"{file.name}:{node.lineno}"
