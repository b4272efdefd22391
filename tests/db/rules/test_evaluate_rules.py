"""`manage.py evaluate rules`: figures of what is found, over lines of labelled queries."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from desk.evaluation.rule_queries import RuleQuery
from desk.evaluation.rules import Judged, precision_at_5, rules_figures
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import CIRCUIT, DANGER, PLAN, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db

ROWS = [
    {
        "query": "Is a flight plan required for VFR in France?",
        "countries": ["FR"],
        "questions": [PLAN],
        "route": "rules",
    },
    {
        "query": "and in Ireland?",
        "history": ["Is a flight plan required for VFR in France?"],
        "countries": ["FR", "IE"],
        "questions": [PLAN],
    },
    {"query": "Hello", "countries": [], "questions": [], "missing_countries": []},
]


def evaluated(folder: Path, rows: Any) -> Any:
    path = folder / "queries.jsonl"
    path.write_text(rows if isinstance(rows, str) else "\n".join(map(json.dumps, rows)), encoding="utf-8")
    stdout = io.StringIO()
    call_command("evaluate", "rules", str(path), "--json", stdout=stdout)
    return json.loads(stdout.getvalue())


def judged(expected: list[str], found: list[str] | None) -> Judged:
    query = RuleQuery(query="x", questions=tuple(expected))
    return Judged(query, "rules", (), (), None if found is None else tuple(found), 1.0)


def test_queries_go_through_the_product_with_their_history(
    rules_desk: HashingEmbedding, tmp_path: Path
) -> None:
    told = evaluated(tmp_path, ROWS)
    assert (told["queries"], told["queries_with_questions"]) == (3, 2)
    assert told["precision@5"] == told["hit@1"] == 1.0
    assert told["country_accuracy"] == 1.0
    assert told["routing_accuracy"] == 1.0
    assert told["missing_accuracy"] == 1.0
    assert len(told["sha256"]) == 64


def test_a_wrong_label_of_a_country_counts_against_the_desk(
    rules_desk: HashingEmbedding, tmp_path: Path
) -> None:
    told = evaluated(tmp_path, [{**ROWS[0], "countries": ["DE"]}])
    assert told["country_accuracy"] == 0.0


def test_precision_is_of_what_can_be_right() -> None:
    assert precision_at_5(judged(["a"], ["b", "a"])) == 1.0
    assert precision_at_5(judged(["a", "b"], ["b", "c"])) == 0.5
    assert precision_at_5(judged(list("abcdefg"), list("abcde"))) == 1.0
    assert precision_at_5(judged(["f"], list("abcdef"))) == 0.0
    assert precision_at_5(judged(["a"], [])) == 0.0


def test_what_has_no_label_has_no_figure() -> None:
    told = rules_figures([judged([], None)])
    assert told["precision@5"] is told["hit@1"] is told["routing_accuracy"] is None


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("", "is empty: it needs one JSON object a line, with query"),
        ("{", "line 1: the line: Invalid JSON"),
        ('["a"]', "line 1"),
        ('{"query": "x", "countries": ["France"]}', "line 1: countries.0"),
        ('{"countries": []}', "line 1: query"),
        (json.dumps({"query": "x", "questions": ["What is not loaded?"]}), "not loaded"),
    ],
)
def test_a_wrong_file_is_status_2_and_one_line(
    rules_desk: HashingEmbedding, tmp_path: Path, rows: str, fault: str
) -> None:
    with pytest.raises(CommandError, match=fault) as refused:
        evaluated(tmp_path, rows)
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_a_wrong_argument(rules_desk: HashingEmbedding) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("evaluate", "rules", "/nowhere.jsonl")


def test_a_person_reads_one_line(rules_desk: HashingEmbedding, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(ROWS[0]), encoding="utf-8")
    stdout = io.StringIO()
    call_command("evaluate", "rules", str(tmp_path / "q.jsonl"), stdout=stdout)
    assert stdout.getvalue().startswith("1 queries (1 with questions)  precision@5 1.0")
    assert CIRCUIT
    assert DANGER
