"""An evaluation is a job: its figures are read on its page, and a file that cannot be used is named by its line."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from desk.operations.evaluation_jobs import request_evaluation
from desk.operations.figure_tables import facts_of, tables_of
from knowledge.ingestion.jobs.jobs import cancel_job, retry_job
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Progress
from knowledge.models import Document, IngestionJob, Tenant
from tests.doubles.schools import Schools

pytestmark = [pytest.mark.long, pytest.mark.django_db]
ROUTED = [
    {"query": "Is a flight plan required in France?", "path": "rules", "countries": ["FR"]},
    {"query": "What is the stall speed of a Cessna 172?", "path": "database", "countries": []},
]
PAIR = {"claim": "A pilot must log it.", "passage": "A pilot must log it.", "label": "supported"}


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def operator(schools: Schools) -> Client:
    return schools.client("operator-of-shared")


def lines(*rows: Any) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    return out.getvalue()


def start(client: Client, what: str, content: bytes, name: str = "rows.jsonl", k: str = "10") -> Any:
    sent = {"what": what, "k": k, "file": SimpleUploadedFile(name, content)}
    return client.post(reverse("desk:evaluations"), sent, follow=True)


def ended(client: Client) -> str:
    """Run the one job; what its page says."""
    job = IngestionJob.objects.get()
    run_job(job.pk)
    return str(client.get(reverse("desk:job", args=[job.pk])).content.decode())


def test_the_page_has_figures_and_the_confusion(operator: Client) -> None:
    start(operator, "routing", lines(*ROUTED))
    page = ended(operator)
    job = IngestionJob.objects.get()
    told = f"accuracy path {job.counts['figures']['accuracy']['path']}"
    assert told in page
    assert "Confusion" in page
    assert (job.state, job.steps[0]["done"], job.steps[0]["total"]) == ("succeeded", 2, 2)
    assert told in operator.get(reverse("desk:evaluations")).content.decode()


def test_a_judged_collection_comes_as_a_zip_and_leaves_nothing_behind(operator: Client) -> None:
    folder = {
        "small/corpus.jsonl": lines(
            {"_id": "a", "title": "Fuel", "text": "Fuel for 30 minutes by day."},
            {"_id": "b", "title": "Light", "text": "A steady red light means stop."},
        ),
        "small/queries.jsonl": lines({"_id": "1", "text": "How much fuel by day?"}),
        "small/qrels/test.tsv": b"query-id\tcorpus-id\tscore\n1\ta\t1\n",
    }
    start(operator, "retrieval", zipped(folder), "small.zip")
    page = ended(operator)
    assert "hybrid+rerank" in page
    assert "ndcg@10" in page
    assert IngestionJob.objects.get().steps[0]["total"] == 3
    assert not Document.objects.exists()
    assert not Tenant.objects.filter(slug__startswith="scratch").exists()


def test_a_wrong_line_is_named_without_the_machine_s_folders(operator: Client) -> None:
    start(operator, "entailment", lines(PAIR, {**PAIR, "label": "perhaps"}))
    page = ended(operator)
    assert "the file, line 2: label" in page
    assert "Mend the file, then upload it again" in page
    assert "/media/" not in page


@pytest.mark.parametrize(
    ("what", "name", "k", "said"),
    [
        ("nonsense", "rows.jsonl", "10", "Choose what to evaluate"),
        ("retrieval", "rows.jsonl", "10", "as one zip"),
        ("grading", "answers.pdf", "10", "is no .jsonl file"),
        ("grading", "answers.jsonl", "0", "Places that count must be 1 to"),
        ("grading", "answers.jsonl", "9" * 400, "Places that count must be 1 to"),
    ],
)
def test_what_cannot_be_evaluated_starts_nothing(
    operator: Client, what: str, name: str, k: str, said: str
) -> None:
    assert said in start(operator, what, b"{}", name, k).content.decode()
    assert not IngestionJob.objects.exists()


def test_a_zip_without_a_collection_fails_with_the_reason(operator: Client) -> None:
    start(operator, "retrieval", zipped({"readme.txt": b"nothing"}), "empty.zip")
    assert "There is no corpus.jsonl in the zip" in ended(operator)


def test_cancelled_it_has_no_figures_and_a_retry_measures_all(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines(*ROUTED))
    job = request_evaluation("routing", path.name, path=path, wake=False)

    def cancel(progress: Progress) -> None:
        if progress.total:
            cancel_job(job)

    run_job(job.pk, cancel)
    job.refresh_from_db()
    assert (job.state, "figures" in job.counts) == ("cancelled", False)
    assert retry_job(job)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.counts["figures"]["queries"] == 2


def test_evaluations_belong_to_the_house(schools: Schools) -> None:
    client = schools.client("operator-of-first")
    assert client.get(reverse("desk:evaluations")).status_code == 403
    assert start(client, "routing", lines(*ROUTED)).status_code == 403


def test_figures_of_any_depth_are_facts_and_tables() -> None:
    figures = {
        "questions": 1200,
        "sha256": "0" * 64,
        "accuracy": {"path": 0.5, "countries": None},
        "arms": {"hybrid": {"all": {"hit@5": 0.9}, "exact": {"hit@5": 1.0, "fooled": 2}}},
    }
    assert facts_of(figures) == [
        ("questions", "1,200"),
        ("accuracy path", "0.5"),
        ("accuracy countries", "–"),
    ]
    [table] = tables_of(figures)
    assert (table.title, table.columns) == ("arms", ("hit@5", "fooled"))
    assert table.rows == (("hybrid all", ("0.9", "–")), ("hybrid exact", ("1.0", "2")))
