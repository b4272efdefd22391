"""Only `curation/review.py` makes a claim validated; a standard's own nodes are written by the skeleton, and
`knowledge/graph/writing.py`, which writes what documents print, refuses claims."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("knowledge", "curation", "exams", "desk", "rules", "heydpe", "llm")
MAY = {"curation/review.py", "knowledge/graph/skeleton.py"}
WRITING_CALLS = {"create", "update", "get_or_create", "update_or_create", "Concept", "Claim"}


def writes_validated(source: str) -> bool:
    """Whether the source sets `validation_status` to validated: by attribute, in a call that writes, or in
    a dict."""
    return any(_says_validated(value) for value in _written(ast.parse(source)))


def _written(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets = [target for target in node.targets if isinstance(target, ast.Attribute)]
            yield from (node.value for target in targets if target.attr == "validation_status")
        elif isinstance(node, ast.Call) and _name(node.func) in WRITING_CALLS:
            yield from (word.value for word in node.keywords if word.arg == "validation_status")
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            yield from (
                value
                for key, value in pairs
                if isinstance(key, ast.Constant) and key.value == "validation_status"
            )


def _name(function: ast.AST) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _says_validated(value: ast.AST) -> bool:
    return "validated" in ast.unparse(value).lower()


def test_no_other_module_writes_validated() -> None:
    modules = [
        path for layer in LAYERS for path in (ROOT / layer).rglob("*.py") if "migrations" not in path.parts
    ]
    naming = ((path, source) for path in modules if "validation_status" in (source := path.read_text()))
    writers = {str(path.relative_to(ROOT)) for path, source in naming if writes_validated(source)}
    assert "curation/review.py" in writers
    assert writers <= MAY


@pytest.mark.parametrize(
    ("source", "writes"),
    [
        ("claim.validation_status = 'validated'", True),
        ("rows.update(validation_status=ValidationStatus.VALIDATED)", True),
        ("changes = {'validation_status': VALIDATED}", True),
        ("rows.filter(validation_status='validated')", False),
        ("claim.validation_status == 'validated'", False),
        ("rows.update(validation_status='pending')", False),
    ],
)
def test_the_search_tells_writing_from_reading(source: str, writes: bool) -> None:
    assert writes_validated(source) is writes
