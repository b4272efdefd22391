"""`manage.py evaluate routing`: the router against labels, and files that are none."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db

ROWS: list[dict[str, Any]] = [
    {"query": "Is a flight plan required in France?", "path": "rules", "countries": ["FR"]},
    {"query": "and Germany?", "history": ["PPR in France?"], "route": "rules", "countries": ["DE"]},
    {"query": "Find airports near Nice", "route": "rules", "countries": []},
    {"query": "Runway length at EDAZ", "countries": []},
]


def evaluated(path: Path, *rows: Any) -> Any:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    out = StringIO()
    call_command("evaluate", "routing", str(path), "--json", stdout=out)
    return json.loads(out.getvalue())


def test_what_differs_from_a_label_is_counted(tmp_path: Path) -> None:
    figures = evaluated(tmp_path / "queries.jsonl", *ROWS)
    assert figures["queries"] == 4
    assert figures["accuracy"] == {"path": 0.6667, "countries": 0.5}
    assert figures["confusion"]["rules"] == {"rules": 2, "database": 1, "both": 0}
    assert figures["countries"] == {"exactly right": 2, "with one too many": 2, "with one missed": 0}
    assert len(figures["sha256"]) == 64


def test_without_a_label_of_the_path_none_is_judged(tmp_path: Path) -> None:
    figures = evaluated(tmp_path / "queries.jsonl", ROWS[3])
    assert figures["accuracy"] == {"path": None, "countries": 0.0}


@pytest.mark.parametrize(
    "row", [[], {"query": ""}, {"query": "x", "countries": ["France"]}, {"query": "x", "path": "air"}]
)
def test_a_wrong_line_is_refused_with_its_number(tmp_path: Path, row: Any) -> None:
    with pytest.raises(CommandError, match="line 1") as refused:
        evaluated(tmp_path / "queries.jsonl", row)
    assert refused.value.returncode == 2


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("evaluate", "routing", str(tmp_path / "none.jsonl"))
