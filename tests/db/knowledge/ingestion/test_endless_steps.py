"""A step that would compute for ever ends when its job is cancelled, and when it gets no further."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from knowledge.ingestion.jobs.jobs import cancel_job, submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Run
from knowledge.models import IngestionJob, Tenant
from tests.doubles.embedding import HashingEmbedding

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 60  # s after which the step of a broken product ends by itself


def compute_for_ever(run: Run) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        sum(range(1000))
    raise AssertionError("nobody ended this step")


def compute_in_a_transaction(run: Run) -> None:
    with transaction.atomic():
        Tenant.objects.create(slug="half-done", name="Half done")
        compute_for_ever(run)


def swallow_the_first_end(run: Run) -> None:
    try:
        compute_for_ever(run)
    except Exception:
        compute_for_ever(run)


@pytest.fixture
def job(tmp_path: Path, settings: Any) -> IngestionJob:
    settings.MEDIA_ROOT = tmp_path / "media"
    path = tmp_path / "notes.txt"
    path.write_text("Carburetor ice forms between 20 and 70 degrees Fahrenheit.")
    return submit_file(path, wake=False)


@contextmanager
def cancelled_soon(job: IngestionJob) -> Iterator[None]:
    def cancel() -> None:
        time.sleep(1)
        cancel_job(job)
        connection.close()

    thread = threading.Thread(target=cancel)
    thread.start()
    yield
    thread.join()


@pytest.mark.parametrize("step", [compute_in_a_transaction, swallow_the_first_end])
def test_cancel_ends_a_step_that_never_looks(job: IngestionJob, step: Any) -> None:
    with cancelled_soon(job):
        assert run_job(job.pk, model=HashingEmbedding(), steps={"compute": step})
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert not Tenant.objects.filter(slug="half-done").exists()


@pytest.mark.long
def test_step_that_gets_no_further_fails_its_job(job: IngestionJob, settings: Any) -> None:
    settings.STALLED_SECONDS = 2
    run_job(job.pk, model=HashingEmbedding(), steps={"compute": compute_for_ever})
    job.refresh_from_db()
    assert (job.state, job.counts["code"]) == ("failed", "over_limits")
    assert "Split the file" in job.error


@pytest.mark.long
def test_step_that_says_how_far_it_is_goes_on(job: IngestionJob, settings: Any) -> None:
    settings.STALLED_SECONDS = 2

    def slow_but_sound(run: Run) -> None:
        for at in range(8):
            time.sleep(0.5)
            run.tick(at, 8)

    run_job(job.pk, model=HashingEmbedding(), steps={"compute": slow_but_sound})
    job.refresh_from_db()
    assert job.state == "succeeded"
