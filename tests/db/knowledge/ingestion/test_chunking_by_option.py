"""How a document is dealt out to passages: by its job, else by the setting; the document remembers it."""

from pathlib import Path
from typing import Any

import pytest

from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.models import Document
from knowledge.models.telemetry import JobState
from tests.doubles.embedding import HashingEmbedding

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

TEXT = "# Rules\n\n## All\n\n" + " ".join(
    f"No person may do thing {n} in airspace {n % 7} at {n} feet." for n in range(150)
)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    return path


def ingested(path: Path, **options: Any) -> Document:
    job = submit_file(path, options=options, wake=False)
    run_job(job.pk, model=HashingEmbedding())
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.SUCCEEDED, "")
    return Document.objects.get()


@pytest.mark.parametrize(
    ("option", "label", "limit"),
    [
        ("fixed", "fixed-800-100", 800),
        ("fixed-512-50", "fixed-512-50", 512),
        ("fixed-100-20", "fixed-100-20", 100),
        ("semantic", "semantic-0.35-800", 800),
        ("semantic-0.2-120", "semantic-0.2-120", 120),
    ],
)
def test_a_job_chooses_strategy_and_limits(rules: Path, option: str, label: str, limit: int) -> None:
    document = ingested(rules, chunking=option)
    assert document.chunking == label
    assert document.chunks.count() > 1
    assert all(0 < chunk.tokens <= limit for chunk in document.chunks.all())


def test_without_a_choice_the_setting_decides(rules: Path, settings: Any) -> None:
    settings.CHUNKING = "fixed-200-30"
    assert ingested(rules).chunking == "fixed-200-30"


def test_a_choice_outlives_a_change_of_the_setting(rules: Path, settings: Any) -> None:
    settings.CHUNKING = "fixed-200-30"
    assert ingested(rules, chunking="fixed-100-20").chunking == "fixed-100-20"


def test_another_strategy_leaves_nothing_of_the_first_and_every_passage_with_its_vector(rules: Path) -> None:
    ingested(rules, chunking="fixed-100-20")
    document = ingested(rules, chunking="semantic-0.2-120")
    texts = [chunk.text for chunk in document.chunks.order_by("index")]
    assert " ".join(texts).count("No person may do thing 149 ") == 1
    assert all(chunk.embeddings.filter(state="current").count() == 1 for chunk in document.chunks.all())
