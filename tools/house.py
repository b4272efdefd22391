"""Figures about how easy the code is to navigate, read from the sources; `make check` prints them.

`python -m tools.house` does so by itself. Targets are in brackets.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
APPS: Final = ("heydpe", "desk", "exams", "curation", "rules", "knowledge", "llm")
COMPLEX: Final = 10
_GENERATED: Final = "migrations"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Module:
    path: Path
    lines: int
    tree: ast.Module

    @property
    def package(self) -> str:
        """The folder that the module lies in, with dots."""
        return ".".join(self.path.relative_to(ROOT).parent.parts)


def modules() -> list[Module]:
    """The product's, without its migrations."""
    paths = (path for app in APPS for path in sorted((ROOT / app).rglob("*.py")))
    return [
        Module(path, text.count("\n"), ast.parse(text))
        for path in paths
        if _GENERATED not in path.parts
        for text in [path.read_text(encoding="utf-8")]
    ]


def figures(product: list[Module]) -> dict[str, str]:
    """Each figure by its name, as it is now and, in brackets, as it is wanted."""
    functions = [one for module in product for one in ast.walk(module.tree) if isinstance(one, Function)]
    named = [one.name for one in functions if not one.name.startswith("__")]
    words = _words(product)
    private = [one for one in named if one.startswith("_")]
    once = sum(words[one] == 1 for one in private)
    single = sum("_" not in one.strip("_") for one in named)
    folders = Counter(module.package for module in product if module.path.name != "__init__.py")
    largest, most = folders.most_common(1)[0]
    patterns = sum(_compiles(node) for module in product for node in ast.walk(module.tree))
    complicated = _complicated()
    return {
        "product modules": f"{len(product)}",
        "product lines": f"{sum(module.lines for module in product):,} (45,000)",
        "largest flat folder, modules": f"{most} in {largest} (14)",
        "packages that import each other": f"{_both_ways(product)} (0)",
        "private functions referenced once": f"{once / len(named):.0%} of all functions (15 %)",
        "function names of a single word": f"{single / len(named):.0%} (20 %)",
        "re.compile": f"{patterns} (150)",
        f"functions of a complexity over {COMPLEX}": f"{complicated / len(functions):.1%} (3 %)",
    }


def _words(product: list[Module]) -> Counter[str]:
    """How often each name is used, other than where it is defined."""
    words: Counter[str] = Counter()
    for module in product:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Name):
                words[node.id] += 1
            elif isinstance(node, ast.Attribute):
                words[node.attr] += 1
    return words


def _compiles(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


def _both_ways(product: list[Module]) -> int:
    imports = {(module.package, other) for module in product for other in _imported_packages(module)}
    packages = sorted({one for pair in imports for one in pair})
    apart = ((one, other) for one, other in combinations(packages, 2) if not _is_within(one, other))
    return sum((one, other) in imports and (other, one) in imports for one, other in apart)


def _is_within(one: str, other: str) -> bool:
    return one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _imported_packages(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            parts = module.package.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            name = ".".join([*above, *filter(None, [node.module])])
            if name.split(".")[0] in APPS:
                folder = ROOT.joinpath(*name.split("."))
                yield name if folder.is_dir() else name.rpartition(".")[0]


def _complicated() -> int:
    told = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "C901", "--output-format", "json", *APPS,
         "--config", f"lint.mccabe.max-complexity={COMPLEX}", "--exclude", _GENERATED],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return len(json.loads(told.stdout))


def main() -> None:
    told = figures(modules())
    width = max(map(len, told))
    for name, value in told.items():
        print(f"{name:{width}}  {value}")


if __name__ == "__main__":
    main()
