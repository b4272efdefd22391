"""Work that was left is taken up; what is still worked on is not, and what nobody holds is cleared away."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from knowledge import conf
from knowledge.ingestion.errors import ReadingKilled
from knowledge.ingestion.jobs.content_storage import clear_unfinished, store_once, work_folder
from knowledge.ingestion.jobs.jobs import submit_file, take_lease, waiting_jobs
from knowledge.ingestion.pipeline import STEPS, run_job
from knowledge.ingestion.run import Run
from knowledge.models import IngestionJob
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.source_files import handbook

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_SECONDS = 30


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def job(tmp_path: Path, media: Path) -> IngestionJob:
    return submit_file(handbook(tmp_path / "phak_ch07.pdf", 1), wake=False)


def test_a_step_that_says_nothing_for_long_keeps_the_job(job: IngestionJob, settings: Any) -> None:
    settings.JOB_LEASE_SECONDS = 1
    seen: list[Any] = []

    def structure(run: Run) -> None:
        seen.append(IngestionJob.objects.get(pk=job.pk).lease_until)
        end = time.monotonic() + PATIENCE_SECONDS
        while IngestionJob.objects.get(pk=job.pk).lease_until == seen[0] and time.monotonic() < end:
            time.sleep(0.05)
        seen.append(IngestionJob.objects.get(pk=job.pk).lease_until)
        STEPS["structure"](run)

    run_job(job.pk, model=HashingEmbedding(), steps={**STEPS, "structure": structure})
    job.refresh_from_db()
    assert job.state == "succeeded"
    assert seen[1] > seen[0]


def test_a_job_whose_reading_was_killed_is_tried_again(job: IngestionJob) -> None:
    def read(run: Run) -> None:
        raise ReadingKilled("Reading the file was stopped.")

    run_job(job.pk, model=HashingEmbedding(), steps={**STEPS, "read": read})
    job.refresh_from_db()
    assert (job.state, waiting_jobs()) == ("queued", [job.pk])
    run_job(job.pk, model=HashingEmbedding())
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == ("succeeded", 2, "")


def test_a_file_whose_reading_is_killed_each_time_is_given_up(job: IngestionJob) -> None:
    def read(run: Run) -> None:
        raise ReadingKilled("Reading the file was stopped.")

    IngestionJob.objects.update(attempts=conf.MAX_ATTEMPTS - 1)
    run_job(job.pk, model=HashingEmbedding(), steps={**STEPS, "read": read})
    job.refresh_from_db()
    assert (job.state, job.error, job.counts["code"]) == (
        "failed",
        "Reading the file was stopped.",
        "over_limits",
    )


def test_a_file_that_was_written_in_part_is_written_anew(media: Path) -> None:
    (media / "library").mkdir(parents=True)
    (media / "library" / "a.txt").write_bytes(b"ha")
    assert store_once("library/a.txt", 4, [b"ha", b"lf"]) == "library/a.txt"
    assert (media / "library" / "a.txt").read_bytes() == b"half"
    assert list((media / conf.UNFINISHED).iterdir()) == []


def test_a_write_that_fails_leaves_what_was_there(media: Path) -> None:
    store_once("library/a.txt", 4, [b"here"])
    with pytest.raises(ZeroDivisionError):
        store_once("library/a.txt", 5, (b"x" * (1 // at) for at in (1, 0)))
    assert (media / "library" / "a.txt").read_bytes() == b"here"
    assert list((media / conf.UNFINISHED).iterdir()) == []


def test_only_folders_of_lost_leases_are_cleared_away(job: IngestionJob, media: Path) -> None:
    lease = take_lease(job.pk)
    assert lease is not None
    old = media / conf.UNFINISHED / f"job-{job.pk}-0"
    with work_folder(job.pk, lease.fence) as held:
        old.mkdir()
        (media / conf.UNFINISHED / "file-new").write_bytes(b"")
        (media / conf.UNFINISHED / "file-old").write_bytes(b"")
        os.utime(media / conf.UNFINISHED / "file-old", (0, 0))
        assert clear_unfinished() == 2
        assert {path.name for path in (media / conf.UNFINISHED).iterdir()} == {held.name, "file-new"}


def test_a_sweep_sends_some_and_not_all(tmp_path: Path) -> None:
    paths = [handbook(tmp_path / f"phak_ch0{at}.pdf", 1, body=f"Text {at}. ") for at in (1, 2, 3)]
    jobs = [submit_file(path, wake=False).pk for path in paths]
    assert waiting_jobs(2) == jobs[:2]
    assert waiting_jobs() == jobs
