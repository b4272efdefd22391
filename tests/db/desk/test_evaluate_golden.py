"""`manage.py evaluate golden FILE`: judged places of files become figures of the search over the library."""

import json
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledge.models import Document, RetrievalLog
from tests.doubles.library import FUEL, LIGHTS, MODEL, WEATHER, make_chunk, make_document

pytestmark = [pytest.mark.long, pytest.mark.django_db]
QUESTIONS = [
    {
        "id": "g1",
        "kind": "short",
        "question": "fuel for 30 minutes by day",
        "passages": [{"file": "part.md", "lines": [1, 1], "grade": 2}],
        "distractors": [{"file": "part.md", "lines": [3, 3], "why": "neighbouring section"}],
    },
    {
        "id": "g2",
        "kind": "wrong_answer",
        "question": "What does a green light from the tower mean?",
        "answer": "That fuel for 30 minutes beyond the first point of intended landing is carried by day.",
        "passages": [{"file": "part.md", "lines": [2, 2], "grade": 2}],
        "distractors": [{"file": "part.md", "lines": [1, 1], "why": "same words"}],
    },
]


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("desk.evaluation.golden_search.embedding_model", lambda: MODEL)
    content = "\n".join((FUEL, LIGHTS, WEATHER))
    (tmp_path / "part.md").write_text(content)
    document = make_document()
    Document.objects.filter(pk=document.pk).update(content_hash=sha256(content.encode()).hexdigest())
    for text in (FUEL, LIGHTS, WEATHER):
        make_chunk(text, document)


def evaluate(folder: Path, questions: list[dict[str, Any]] = QUESTIONS) -> dict[str, Any]:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, questions)))
    out = StringIO()
    call_command("evaluate", "golden", str(path), "--documents", str(folder), "--json", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_each_arm_has_its_figures_by_kind(tmp_path: Path) -> None:
    found = evaluate(tmp_path)
    assert set(found["arms"]) == {"lexical", "vector", "hybrid", "hybrid+rerank"}
    assert set(found["arms"]["hybrid"]) == {"all", "short", "wrong_answer"}
    assert found["arms"]["hybrid"]["short"]["ndcg@10"] == 1
    assert found["arms"]["hybrid"]["short"]["fooled"] == 0
    assert found["places in no passage"] == 0


def test_the_hybrid_arm_is_compared_with_the_better_leg(tmp_path: Path) -> None:
    beside = evaluate(tmp_path)["hybrid beside the better leg"]["all"]
    assert beside["leg"] in ("lexical", "vector")
    assert beside["lower"] <= beside["mean"] <= beside["upper"]


def test_the_hash_is_that_of_the_documents(tmp_path: Path) -> None:
    before = evaluate(tmp_path)["corpus"]
    (tmp_path / "further.md").write_text("More.")
    assert evaluate(tmp_path)["corpus"] != before


def test_an_evaluation_is_no_search_of_anybody(tmp_path: Path) -> None:
    evaluate(tmp_path)
    assert not RetrievalLog.objects.exists()


def test_documents_that_were_not_ingested_are_a_wrong_argument(tmp_path: Path) -> None:
    (tmp_path / "part.md").write_text("Another text.")
    with pytest.raises(CommandError, match="ingest"):
        evaluate(tmp_path)


def test_a_line_that_is_not_there_is_a_wrong_argument(tmp_path: Path) -> None:
    beyond = {**QUESTIONS[0], "passages": [{"file": "part.md", "lines": [9, 9], "grade": 2}]}
    with pytest.raises(CommandError, match="line 9"):
        evaluate(tmp_path, [beyond])
