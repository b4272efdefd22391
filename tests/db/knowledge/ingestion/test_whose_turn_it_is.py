"""Which job a worker takes: what an operator moved up, then small files, and never two large ones at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from knowledge import conf
from knowledge.ingestion.jobs.jobs import (
    Place,
    cancel_job,
    move_job_up,
    next_job,
    places_in_queue,
    start_job,
    submit_file,
    submit_upload,
    take_lease,
    waiting_jobs,
)
from knowledge.ingestion.pipeline import run_job
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobState
from knowledge.tasks import ingest_job
from llm import registry
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import make_tenant

pytestmark = pytest.mark.django_db(transaction=True)


def job(name: str, **values: Any) -> IngestionJob:
    return IngestionJob.objects.create(source_name=name, content_hash=name, **values)


def test_small_ones_go_before_a_large_one_that_came_first() -> None:
    large, first, second = job("large", large=True), job("first"), job("second")
    assert waiting_jobs() == [first.pk, second.pk, large.pk]


def test_a_large_one_does_not_wait_for_ever() -> None:
    large = job("large", large=True)
    small = job("small")
    IngestionJob.objects.filter(pk=large.pk).update(created_at="2020-01-01T00:00Z")
    assert waiting_jobs() == [large.pk, small.pk]


def test_beside_a_large_one_that_runs_only_small_ones_begin() -> None:
    running = job("ten thousand pages", large=True)
    assert take_lease(running.pk) is not None
    other = job("another large one", large=True)
    assert next_job() is None
    small = job("small")
    assert next_job() == small.pk
    assert move_job_up(other)
    assert next_job() == small.pk
    assert take_lease(other.pk, in_turn=True) is None
    IngestionJob.objects.filter(pk=running.pk).update(lease_until="2020-01-01T00:00Z")  # its worker died
    other.delete()
    small.delete()
    assert next_job() == running.pk


def test_a_large_one_that_is_put_first_waits_for_that_of_another_school() -> None:
    running = job("theirs", tenant=make_tenant("other"), large=True)
    lease = take_lease(running.pk, in_turn=True)
    assert lease
    own = make_tenant("own")
    small, large = job("small", tenant=own), job("large", tenant=own, large=True)
    assert places_in_queue()[large.pk] == Place(1, 0, large_runs=True, can_move_up=True)
    assert move_job_up(large)
    assert not move_job_up(large)
    places = places_in_queue()
    assert places[large.pk] == Place(0, 0, large_runs=True, can_move_up=False)
    assert places[small.pk] == Place(0, 0, large_runs=False, can_move_up=True)  # it starts at once
    small.delete()
    ingest_job(str(large.pk))
    large.refresh_from_db()
    assert (large.state, large.attempts) == ("queued", 0)
    lease.finish(JobState.SUCCEEDED)
    assert next_job() == large.pk
    assert take_lease(large.pk, in_turn=True)


def test_a_large_one_that_is_being_cancelled_runs_until_its_worker_stops() -> None:
    running, other = job("running", large=True), job("other", large=True)
    lease = take_lease(running.pk)
    assert lease
    assert cancel_job(running)
    assert next_job() is None
    assert take_lease(other.pk, in_turn=True) is None
    assert places_in_queue() == {other.pk: Place(0, 0, large_runs=True, can_move_up=False)}
    assert lease.let_go()
    assert next_job() == other.pk
    assert take_lease(other.pk, in_turn=True)


def test_a_cancelled_large_one_whose_worker_died_is_ended_beside_one_that_runs() -> None:
    dead, running = job("dead", large=True), job("running", large=True)
    assert take_lease(dead.pk)
    assert cancel_job(dead)
    IngestionJob.objects.filter(pk=dead.pk).update(lease_until="2020-01-01T00:00Z")
    assert take_lease(running.pk, in_turn=True)
    assert places_in_queue() == {dead.pk: Place(0, 0, large_runs=False, can_move_up=False)}
    assert next_job() == dead.pk
    assert take_lease(dead.pk, in_turn=True) is None
    dead.refresh_from_db()
    assert dead.state == "cancelled"


def test_two_workers_that_chose_different_large_ones_start_one() -> None:
    jobs, together = [job("one", large=True), job("two", large=True)], Barrier(2)

    def take(one: IngestionJob) -> bool:
        try:
            together.wait()
            return take_lease(one.pk, in_turn=True) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        assert sorted(workers.map(take, jobs)) == [False, True]


def test_what_is_moved_up_goes_first_and_the_last_moved_before_it() -> None:
    first, second, third = job("first"), job("second"), job("third")
    assert move_job_up(third)
    assert waiting_jobs() == [third.pk, first.pk, second.pk]
    assert move_job_up(second)
    assert waiting_jobs() == [second.pk, third.pk, first.pk]
    assert not move_job_up(job("over", state="succeeded"))


def test_nothing_is_moved_before_a_job_of_another_school() -> None:
    own, other = make_tenant("own"), make_tenant("other")
    first, foreign, second, third = (
        job(name, tenant=school)
        for name, school in {"first": own, "foreign": other, "second": own, "third": own}.items()
    )
    order = waiting_jobs()
    assert not move_job_up(third)
    assert not move_job_up(foreign)
    assert waiting_jobs() == order == [first.pk, foreign.pk, second.pk, third.pk]
    first.delete()
    foreign.delete()
    assert move_job_up(third)
    assert waiting_jobs() == [third.pk, second.pk]


def test_a_held_job_waits_for_its_operator(tmp_path: Path) -> None:
    held = submit_upload(SimpleUploadedFile("a.md", b"# A\n\nSome text.\n"), tenant=None, held=True)
    assert next_job() is None
    run_job(held.pk, model=HashingEmbedding())
    held.refresh_from_db()
    assert held.state == "queued"
    assert start_job(held)
    assert not start_job(held)
    assert next_job() == held.pk


def test_a_message_wakes_a_worker_for_the_job_whose_turn_it_is(tmp_path: Path) -> None:
    registry.configure_models(chat={}, embedding=HashingEmbedding)
    jobs = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.md"
        path.write_text(f"# {name}\n\nSome text of the club {name}.\n")
        jobs.append(submit_file(path, wake=False))
    assert move_job_up(jobs[1])
    ingest_job(str(jobs[0].pk))
    assert [IngestionJob.objects.get(pk=one.pk).state for one in jobs] == ["queued", "succeeded"]


def test_size_tells_what_is_large(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text("# Long\n\n" + "Some text of the club.\n" * (conf.LARGE_TEXT_BYTES // 20))
    assert submit_file(path, wake=False).large
    path.write_text("# Short\n\nSome text.\n")
    assert not submit_file(path, wake=False).large


def test_what_is_handed_in_to_be_read_waits_for_nobody() -> None:
    text = b"# A\n\nSome text.\n"
    held = submit_upload(SimpleUploadedFile("a.md", text), tenant=None, held=True)
    again = submit_upload(SimpleUploadedFile("a.md", text), tenant=None, held=True)
    assert (again.pk, again.held, waiting_jobs()) == (held.pk, True, [])
    meant = submit_upload(SimpleUploadedFile("a.md", text), tenant=None)
    assert (meant.pk, meant.held, waiting_jobs()) == (held.pk, False, [held.pk])
