"""No figure without its command: the page is made from stored results, and every benchmark is run by `make bench`."""

import ast
import json
import re
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks import report
from tests.pure.docs.pages import ROOT, text_of

STORED = sorted((ROOT / "docs" / "benchmarks").glob("*.json"))


def test_every_benchmark_is_run() -> None:
    modules = {path.stem for path in (ROOT / "benchmarks").glob("*.py")} - {
        "__init__",
        "__main__",
        "crowd",
        "plain_ways",
        "plots",
        "report",
        "scratch",
        "search_ways",
        "sizes",
        "web",
    }
    assert set(bench.ALL) == modules
    for name in modules:
        tree = ast.parse(text_of(f"benchmarks/{name}.py"))
        assert "measure" in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("page", ["README.md", *(f"{path.stem}.md" for path in STORED)])
def test_a_page_is_made_from_what_is_stored(page: str) -> None:
    assert text_of(f"docs/benchmarks/{page}") == report.pages(bench.RESULTS, bench.ALL)[page]


def test_what_matters_fits_on_a_screen() -> None:
    assert len(text_of("docs/benchmarks/README.md").splitlines()) < 60


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_result_says_how_it_was_got(path: Path) -> None:
    stored = json.loads(path.read_text("utf-8"))
    assert re.fullmatch(r"python -m benchmarks\.\w+", stored["command"])
    assert re.match(r"\d+ cores, ", stored["machine"])
    assert stored["result"]


def test_figures_of_a_part_are_found_at_any_depth() -> None:
    files = [{"file": "x.pdf", "pages": 2}, {"file": "y.pdf", "pages": 3}]
    assert list(report.figures({"a": {"b": 1}, "files": files})) == [
        ("a, b", 1),
        ("files, x.pdf, pages", 2),
        ("files, y.pdf, pages", 3),
    ]


def test_parts_that_measure_the_same_share_a_table() -> None:
    ways = {"BM25": {"hit": 0.5, "ms": [1, 2]}, "hybrid": {"hit": 1 / 3}, "model": {"hit": 1.0, "ms": [3]}}
    assert list(report.tables({"questions": 9, "ways": ways})) == [
        *("| figure | value |", "|---|---|", "| questions | 9 |", "", "## ways\n"),
        *("|  | hit | ms |", "|---|---|---|", "| BM25 | 0.5 | 1, 2 |", "| hybrid | 0.3333 |  |"),
        *("| model | 1.0 | 3 |", ""),
    ]


def test_parts_that_measure_different_things_have_tables_of_their_own() -> None:
    lines = list(report.tables({"read": {"files": 2}, "kills": {"jobs": 3}}))
    assert [line for line in lines if line.startswith("##")] == ["## read\n", "## kills\n"]


def test_an_unknown_benchmark_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["everything"]) == 2
    assert "There is: ingestion" in capsys.readouterr().err
