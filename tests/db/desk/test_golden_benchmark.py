"""The benchmark of golden questions: plain ways beside the product's arms, and what was stored before."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.golden import measured, with_earlier
from benchmarks.plots import golden
from knowledge.models import Document
from tests.doubles.library import FUEL, LIGHTS, MODEL, WEATHER, make_chunk, make_document

pytestmark = pytest.mark.django_db
QUESTION = {
    "id": "g1",
    "kind": "short",
    "question": "fuel for 30 minutes by day",
    "passages": [{"file": "part.md", "lines": [1, 1], "grade": 2}],
}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    content = "\n".join((FUEL, LIGHTS, WEATHER))
    (tmp_path / "part.md").write_text(content)
    document = make_document()
    Document.objects.filter(pk=document.pk).update(content_hash=sha256(content.encode()).hexdigest())
    for text in (FUEL, LIGHTS, WEATHER):
        make_chunk(text, document)
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(QUESTION))
    return path


def test_plain_ways_stand_beside_the_arms(questions: Path) -> None:
    ways = measured(questions, questions.parent, MODEL)["ways"]
    assert set(ways) == {
        *("BM25", "model", "reciprocal rank", "0.65 / 0.35"),
        *("lexical", "vector", "hybrid", "hybrid+rerank"),
    }
    assert all(figures["all"]["ndcg@10"] == 1 for figures in ways.values())


def test_what_was_stored_before_stays(questions: Path) -> None:
    result = measured(questions, questions.parent, MODEL)
    first = with_earlier(result, None)
    second = with_earlier(result, {"date": "2026-01-02", "commit": "abc", "result": first})
    third = with_earlier(result, {"date": "2026-01-03", "commit": "def", "result": second})
    assert first["earlier"] == []
    assert [one["commit"] for one in third["earlier"]] == ["abc", "def"]
    assert third["earlier"][0] == {
        "date": "2026-01-02",
        "commit": "abc",
        "corpus": result["corpus"],
        "ndcg@10": {"all": 1, "short": 1},
    }
    assert "2026-01-02 abc" in golden(third)
