"""`manage.py evaluate retrieval DIR`: the product's own search, in a library of its own that is gone afterwards."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from desk.evaluation.scratch import PREFIX
from knowledge.models import Chunk, RetrievalLog, Tenant
from tests.doubles.library import FUEL, LIGHTS, MODEL, make_chunk

pytestmark = pytest.mark.django_db
TEXTS = {"lights": LIGHTS, "fuel": FUEL, "nothing": ""}


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desk.evaluation.retrieval.embedding_model", lambda: MODEL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    rows = [{"_id": name, "title": name.title(), "text": text} for name, text in TEXTS.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = [
        {"_id": "q1", "text": "green light signal from the tower"},
        {"_id": "q2", "text": "fuel for 30 minutes"},
    ]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)))
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tlights\t1\nq2\tfuel\t1\n")
    return tmp_path


def evaluate(folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    out = StringIO()
    call_command("evaluate", "retrieval", str(folder), "--json", stdout=out)
    found: dict[str, dict[str, dict[str, float]]] = json.loads(out.getvalue())
    return found


def test_each_arm_has_its_figures(folder: Path) -> None:
    arms = evaluate(folder)["arms"]
    assert set(arms) == {"lexical", "vector", "hybrid", "hybrid+rerank"}
    for figures in arms.values():
        assert figures["ndcg@10"] == 1
        assert {"recall@10", "recall@100", "precision@5", "mrr@10", "p50_ms", "p95_ms"} <= set(figures)


def test_nothing_is_left_and_what_was_there_stays(folder: Path) -> None:
    Tenant.objects.create(slug=f"{PREFIX}broken", name="of a broken run")
    kept = make_chunk("A passage of the shared library.")
    evaluate(folder)
    assert not Tenant.objects.filter(slug__startswith=PREFIX).exists()
    assert list(Chunk.every.all()) == [kept]
    assert not RetrievalLog.objects.exists()


def test_the_shared_library_is_not_read(folder: Path) -> None:
    for number in range(12):
        make_chunk(f"{FUEL} {number}", section=f"91.{number}")
    assert evaluate(folder)["arms"]["hybrid"]["mrr@10"] == 1


def test_a_folder_that_is_none_is_a_wrong_argument(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        evaluate(tmp_path)
    assert refused.value.returncode == 2
