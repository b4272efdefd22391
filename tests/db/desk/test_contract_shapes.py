"""Every command of the contract prints one JSON document of the promised shape.

A shape is a dictionary of what must be there; a list holds the shape of each of its rows, and may be empty only if it
is a Maybe. Commands that run jobs, read the whole bank, simulate exams, or evaluate a search have own tests.
"""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from tests.doubles.demo_library import Demo
from tests.doubles.rule_files import rule_file, two_questions

pytestmark = pytest.mark.django_db
ANY = object()


class Maybe(list):  # type: ignore[type-arg]
    """A list that may be empty."""


SOURCE = {"document": ANY, "page": ANY, "quote": ANY, "confidence": ANY}
NODE = {
    **dict.fromkeys(("name", "category", "depth", "relation", "key_facts", "status"), ANY),
    "evidence": Maybe([SOURCE]),
    "illustrations": Maybe([SOURCE]),
}
SECTIONS = ("requirements", "concepts", "definitions", "errors", "follow_ups", "references")
FOUND = dict.fromkeys(
    [
        "chunk_id",
        "document",
        "abbreviation",
        "doc_type",
        "heading",
        "label",
        "page_start",
        "page_end",
        "score",
        "similarity",
        "text",
    ],
    ANY,
)
FIGURE = dict.fromkeys(("figure_label", "caption", "page", "relevance", "strategy"), ANY)
ANSWER = {"text": ANY, "links": ANY, "missing": ANY}
WORDS = {"accuracy": ANY, "macro_f1": ANY, "confusion": ANY}
ELEMENT = [
    "code",
    "kind",
    "text",
    "area",
    "task",
    "where",
    "classes",
    "references",
    "parent",
    "archived",
    "page",
]
CLAIM = ["id", "statement", "priority", "status", "key_facts", "document", "page", "quote"]

COMMANDS: list[tuple[str, Any]] = [
    ("elements PA.I.E", [dict.fromkeys(ELEMENT, ANY)]),
    (
        "search fuel -k 3 --arm hybrid",
        {
            **dict.fromkeys(("query", "filters", "fallback", "latency_ms"), ANY),
            "quality": {"verdict": ANY, "top": ANY},
            "results": [{**FOUND, "images": Maybe([FIGURE])}],
        },
    ),
    (
        "bundle PA.I.E.K1 --depth 2",
        {"element": ANY, "sections": dict.fromkeys(SECTIONS, ANY), "nodes": [NODE]},
    ),
    ("accept_items --reviewer reviewer", dict.fromkeys(("accepted", "left", "sample"), ANY)),
    (
        "coverage --certificate private",
        {
            "tasks": [{"task": ANY, "completable": ANY, "why": ANY}],
            "elements": dict.fromkeys(("table", "askable", "risk", "risk_askable"), ANY),
            "items": ANY,
            "missing": Maybe([{"document": ANY, "elements": ANY}]),
        },
    ),
    ("claims --status pending", [dict.fromkeys(CLAIM, ANY)]),
    (
        "grade --question Q --answer fuel --reference fuel",
        {
            **dict.fromkeys(("verdict", "score", "citations", "feedback"), ANY),
            "points": [dict.fromkeys(("expectation", "met", "why"), ANY)],
        },
    ),
    ("verify --claim fuel --passage fuel", dict.fromkeys(("supported", "score", "reasons"), ANY)),
    ("load_rules {rules}", dict.fromkeys(("questions", "countries", "answers"), ANY)),
    (
        "search_rules flight_plan --country FR",
        {
            "countries": ANY,
            "quality": ANY,
            "results": [
                {**dict.fromkeys(("question", "category", "tags", "score"), ANY), "answers": {"FR": ANSWER}}
            ],
        },
    ),
    ("route flight_plan", dict.fromkeys(("path", "confidence", "countries", "reasoning", "stage"), ANY)),
    (
        "ask_rules flight_plan",
        dict.fromkeys(["path", "countries", "answer", "citations", "missing_countries"], ANY),
    ),
    (
        "compare_rules FR DE --max 15 --min-difference 0.1",
        {
            "countries": ANY,
            "differences": Maybe([dict.fromkeys(("question", "difference", "why", "answers"), ANY)]),
            "missing": Maybe([{"question": ANY, "country": ANY}]),
        },
    ),
    ("evaluate grading {graded}", WORDS),
    ("evaluate grading {numbers}", {"pearson_r": ANY, "rmse": ANY}),
    ("evaluate entailment {pairs}", {"balanced_accuracy": ANY, "confusion": ANY}),
    ("evaluate routing {routes}", {"accuracy": {"path": ANY, "countries": ANY}, "confusion": ANY}),
    (
        "evaluate rules {routes}",
        dict.fromkeys(("precision@5", "hit@1", "routing_accuracy", "country_accuracy"), ANY),
    ),
    (
        "kb_report --days 7",
        dict.fromkeys(("weak", "unused", "uncited", "categories", "unsupported", "look_ups", "cached"), ANY),
    ),
]
FILES: dict[str, list[dict[str, Any]]] = {
    "graded": [{"question": "Q", "reference": ["fuel"], "answer": "fuel", "label": "correct"}],
    "numbers": [{"question": "Q", "reference": ["fuel"], "answer": "fuel", "label": 1}],
    "pairs": [{"claim": "fuel", "passage": "fuel", "label": "supported"}],
    "routes": [{"query": "flight plan in France", "path": "rules", "countries": ["FR"], "questions": []}],
}


def lacks(found: Any, shape: Any, place: str = "") -> list[str]:
    """What of the shape is not there."""
    if shape is ANY:
        return []
    if isinstance(shape, dict):
        if not isinstance(found, dict):
            return [f"{place}: no object"]
        missing = [f"{place}.{name}" for name in shape if name not in found]
        return missing + [
            one
            for name in shape
            if name in found
            for one in lacks(found[name], shape[name], f"{place}.{name}")
        ]
    if not isinstance(found, list) or not (found or isinstance(shape, Maybe)):
        return [f"{place}: no list with rows"]
    return [one for row in found[:3] for one in lacks(row, shape[0], f"{place}[]")]


def run_command(line: str, places: dict[str, Path]) -> Any:
    """What the command prints. A blank within an argument is written "_"."""
    name, *words = line.format(**places).split()
    arguments = [word if "/" in word else word.replace("flight_plan", "flight plan") for word in words]
    out = io.StringIO()
    call_command(name, *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def written_files(folder: Path) -> dict[str, Path]:
    for name, rows in FILES.items():
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    rules = rule_file(folder, two_questions())
    return {**{name: folder / name for name in FILES}, "rules": rules}


def test_each_command_prints_what_the_contract_says(demo: Demo, tmp_path: Path) -> None:
    places, faults = written_files(tmp_path), {}
    for line, shape in COMMANDS:
        with transaction.atomic():
            faults[line] = lacks(run_command(line, places), shape)
            transaction.set_rollback(True)
    assert {line: missing for line, missing in faults.items() if missing} == {}


def test_a_shape_that_is_not_met_is_seen() -> None:
    shape = {"a": ANY, "rows": [{"b": ANY}]}
    assert lacks({"rows": [{}]}, shape) == [".a", ".rows[].b"]
    assert lacks({"a": 1, "rows": []}, shape) == [".rows: no list with rows"]
    assert lacks({"a": 1, "rows": [{"b": None}]}, shape) == []
