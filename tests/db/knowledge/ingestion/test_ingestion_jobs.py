"""Jobs: handed in once, taken by one, cancelled, tried again."""

import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from knowledge import conf
from knowledge.ingestion.errors import IngestionError, RefusedFile
from knowledge.ingestion.jobs.jobs import (
    cancel_job,
    retry_job,
    submit_file,
    submit_upload,
    take_lease,
    waiting_jobs,
)
from knowledge.ingestion.pipeline import STEPS, run_job
from knowledge.ingestion.run import Run
from knowledge.ingestion.source_files import BadOption, check_file
from knowledge.models import Document, IngestionJob, Tenant
from llm.errors import Overloaded
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.source_files import handbook, locked, one_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def job(tmp_path: Path) -> IngestionJob:
    return submit_file(handbook(tmp_path / "phak_ch07.pdf", 1), wake=False)


def state(job: IngestionJob) -> str:
    job.refresh_from_db()
    return job.state


def test_handing_in_twice_is_one_job_while_it_waits(tmp_path: Path, job: IngestionJob) -> None:
    assert submit_file(tmp_path / "phak_ch07.pdf", wake=False).pk == job.pk
    school = Tenant.objects.create(slug="s", name="S")
    assert submit_file(tmp_path / "phak_ch07.pdf", tenant=school, wake=False).pk != job.pk


def test_one_worker_takes_a_job(job: IngestionJob) -> None:
    assert take_lease(job.pk) is not None
    assert take_lease(job.pk) is None
    assert waiting_jobs() == []


def test_a_silent_worker_loses_its_job(job: IngestionJob) -> None:
    lease = take_lease(job.pk)
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")
    assert waiting_jobs() == [job.pk]
    assert take_lease(job.pk) is not None
    assert lease is not None
    assert not lease.rows().exists()


def test_a_job_that_ends_early_too_often_is_given_up(job: IngestionJob) -> None:
    for _ in range(conf.MAX_ATTEMPTS):
        assert take_lease(job.pk) is not None
        IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")
    assert take_lease(job.pk) is None
    assert state(job) == "failed"
    assert "too often" in job.error
    assert retry_job(job)
    assert state(job) == "queued"


def test_a_waiting_job_is_cancelled_at_once(job: IngestionJob) -> None:
    assert cancel_job(job)
    assert state(job) == "cancelled"
    assert not cancel_job(job)
    run_job(job.pk, model=HashingEmbedding())
    assert state(job) == "cancelled"


def test_a_running_job_is_cancelled_at_its_next_step(job: IngestionJob) -> None:
    def cancels(run: Run) -> None:
        assert cancel_job(job)

    run_job(job.pk, model=HashingEmbedding(), steps={**STEPS, "structure": cancels})
    assert state(job) == "cancelled"
    assert not Document.objects.exists()


def test_a_job_is_over_while_its_worker_is_in_the_middle_of_a_step(job: IngestionJob) -> None:
    def sits(run: Run) -> None:
        assert cancel_job(job)
        for _ in range(1_200):  # an exception reaches a thread between two calls, not within one
            time.sleep(0.05)
        pytest.fail("the step was not ended")

    run_job(job.pk, model=HashingEmbedding(), steps={**STEPS, "chunk": sits})
    assert state(job) == "cancelled"
    assert retry_job(job)  # it is nobody's, and may be taken
    assert not Document.objects.exists()


def test_a_job_is_over_that_is_stopped_where_vectors_are_stored(job: IngestionJob) -> None:
    class Stops(HashingEmbedding):
        def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
            cancel_job(job)
            return super().embed_passages(texts)

    run_job(job.pk, model=Stops())
    assert state(job) == "cancelled"


def test_a_cancelled_job_whose_worker_died_ends_as_cancelled(job: IngestionJob) -> None:
    take_lease(job.pk)
    cancel_job(job)
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")
    assert take_lease(job.pk) is None
    assert state(job) == "cancelled"


def test_a_job_whose_model_is_away_is_tried_again_later(job: IngestionJob) -> None:
    class Away(HashingEmbedding):
        def embed_passages(self, texts: object) -> list[list[float]]:
            raise Overloaded("too much to do", retry_after=5.0)

    run_job(job.pk, model=Away())
    assert state(job) == "queued"
    assert "unavailable" in job.error
    assert waiting_jobs() == []
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")
    run_job(job.pk, model=HashingEmbedding())
    assert (state(job), job.error) == ("succeeded", "")


def test_no_transaction_is_open_while_the_model_works(job: IngestionJob) -> None:
    seen: list[bool] = []

    class Looks(HashingEmbedding):
        def embed_passages(self, texts: object) -> list[list[float]]:
            seen.append(connection.in_atomic_block)
            return super().embed_passages(texts)  # type: ignore[arg-type]

    run_job(job.pk, model=Looks())
    assert seen == [False]


REFUSED = [
    ("a.pdf", b"", "empty"),
    ("a.pdf", b"<html>", "not_a_pdf"),
    ("a.docx", b"x", "unknown_type"),
    ("a", b"x", "unknown_type"),
    ("a.html", b"\x89PNG", "not_text"),
    ("a.txt", b"\x00\x01", "not_text"),
]


@pytest.mark.parametrize(("name", "data", "code"), REFUSED)
def test_a_file_that_cannot_be_read_is_refused_before_anything_is_stored(
    name: str, data: bytes, code: str
) -> None:
    with pytest.raises(RefusedFile) as refused:
        submit_upload(SimpleUploadedFile(name, data), tenant=None)
    assert refused.value.code == code
    job = IngestionJob.objects.get()  # it says why; there is nothing to run
    assert (job.state, job.counts, str(job.file)) == ("failed", {"code": code}, "")


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(RefusedFile, match="larger than"):
        check_file("a.txt", BytesIO(b"x" * 11), limit=10)
    assert check_file("a.txt", BytesIO(b"x" * 10), limit=10).size == 10


def test_an_option_that_cannot_be_is_refused_with_what_can(tmp_path: Path) -> None:
    path = handbook(tmp_path / "a.pdf", 1)
    with pytest.raises(BadOption, match="known are cfr, aim"):
        submit_file(path, options={"doc_type": "novel"}, wake=False)
    with pytest.raises(BadOption, match="not a date"):
        submit_file(path, options={"edition_date": "yesterday"}, wake=False)
    with pytest.raises(IngestionError, match="chunking 'smart'"):
        submit_upload(
            SimpleUploadedFile("a.pdf", path.read_bytes()), tenant=None, options={"chunking": "smart"}
        )


def test_a_locked_file_and_blank_pages_fail_with_their_reason(tmp_path: Path) -> None:
    for path, code in (
        (locked(tmp_path / "a.pdf"), "encrypted"),
        (one_page(tmp_path / "b.pdf", []), "no_text"),
    ):
        job = submit_file(path, wake=False)
        run_job(job.pk, model=HashingEmbedding())
        assert (state(job), job.counts["code"]) == ("failed", code)
        assert not Document.objects.exists()
