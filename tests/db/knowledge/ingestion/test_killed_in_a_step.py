"""A worker that is killed in any step leaves nothing half; whoever takes its job up ends where an undisturbed one ends.

The worker is a process of its own and ends by SIGKILL, so nothing of it tidies up.
"""

import signal
from pathlib import Path
from typing import Any

import pytest

from knowledge.ingestion.jobs.content_storage import clear_unfinished
from knowledge.ingestion.jobs.jobs import submit_file, waiting_jobs
from knowledge.ingestion.pipeline import STEPS, run_job
from knowledge.models import Chunk, Document, IngestionJob, Tenant
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.killed import calls_by_step, run_killed
from tests.doubles.libraries import said_by
from tests.doubles.source_files import handbook
from tests.sampling import sample_of

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def storage(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return handbook(tmp_path / "phak_ch07.pdf")


@pytest.fixture
def undisturbed(book: Path) -> dict[str, int]:
    """Another school's copy of the same document, and the calls that each step took."""
    school = Tenant.objects.create(slug="undisturbed", name="Undisturbed")
    return calls_by_step(submit_file(book, tenant=school, wake=False).pk)


@pytest.mark.parametrize("place", sample_of(["half way", "at the end"], 2))
def test_killed_in_each_step_in_turn(
    book: Path, undisturbed: dict[str, int], storage: Path, place: str
) -> None:
    files = stored(storage)
    job = submit_file(book, wake=False)
    ids: set[Any] = set()
    for step in STEPS:
        calls = max(1, undisturbed[step] // 2) if place == "half way" else None
        assert run_killed(job.pk, step, after_calls=calls) == -signal.SIGKILL
        job.refresh_from_db()
        assert (job.state, job.step) == ("running", step)
        nothing_is_served_half()
        found = own_ids()
        assert not ids or found == ids
        ids = found
        silence(job)
    run_job(job.pk, model=HashingEmbedding())
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("succeeded", len(STEPS) + 1)
    assert own_ids() == ids or place == "half way"
    assert said_by(tenant=None) == said_by(tenant=Tenant.objects.get())
    clear_unfinished()
    assert stored(storage) == files


def silence(job: IngestionJob) -> None:
    """Its worker has said nothing for longer than a lease."""
    assert waiting_jobs() == []
    IngestionJob.objects.filter(pk=job.pk).update(lease_until="2020-01-01T00:00Z")
    assert waiting_jobs() == [job.pk]


def own_ids() -> set[Any]:
    return set(Chunk.objects.filter(document__tenant=None).values_list("id", flat=True))


def nothing_is_served_half() -> None:
    for document in Document.objects.filter(status="published"):
        assert document.chunks.filter(embeddings=None).count() == 0 < document.chunks.count()


def stored(storage: Path) -> dict[str, int]:
    found = [path for path in storage.rglob("*") if path.is_file()]
    return {str(path.relative_to(storage)): path.stat().st_size for path in found}
