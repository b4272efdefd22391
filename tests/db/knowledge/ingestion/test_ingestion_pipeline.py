"""A file becomes the same document however often, and however badly, its job is run."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from knowledge.ingestion.jobs.jobs import submit_file, take_lease
from knowledge.ingestion.pipeline import STEPS, run_job
from knowledge.ingestion.run import Progress, Run, Step
from knowledge.models import (
    Chunk,
    ChunkEmbedding,
    ChunkImageLink,
    Document,
    EmbeddingCache,
    Image,
    IngestionJob,
    LibraryGeneration,
    Page,
)
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.source_files import handbook
from tests.sampling import WHOLE

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """The process ends here, with no chance to tidy up."""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return handbook(tmp_path / "phak_ch07.pdf")


def run(path: Path, steps: Mapping[str, Step] = STEPS, **options: Any) -> IngestionJob:
    job = submit_file(path, options=options, wake=False)
    run_job(job.pk, model=HashingEmbedding(), steps=steps)
    job.refresh_from_db()
    return job


def rows() -> dict[str, set[Any]]:
    return {
        "documents": set(Document.objects.values_list("id", "status", "page_count")),
        "pages": set(Page.objects.values_list("number", "label")),
        "chunks": set(Chunk.objects.values_list("id", "index", "content_hash", "page_start")),
        "vectors": set(ChunkEmbedding.objects.values_list("chunk_id", "model", "state")),
        "images": set(Image.objects.values_list("id", "sha256", "figure_label")),
        "links": set(ChunkImageLink.objects.values_list("chunk_id", "image_id", "strategy")),
    }


def ends_before(broken: str, error: BaseException) -> Mapping[str, Step]:
    return {**STEPS, broken: lambda run: _raise(error)}


def ends_after(broken: str, error: BaseException) -> Mapping[str, Step]:
    def step(run: Run) -> None:
        STEPS[broken](run)
        _raise(error)

    return {**STEPS, broken: step}


def _raise(error: BaseException) -> None:
    raise error


def test_a_file_becomes_a_document_that_can_be_found(book: Path) -> None:
    job = run(book)
    document = Document.objects.get()
    assert (job.state, job.document, job.error) == ("succeeded", document, "")
    assert (document.status, document.doc_type, document.abbreviation) == ("published", "handbook", "PHAK")
    assert [step["name"] for step in job.steps] == list(STEPS)
    assert all(step["state"] == "done" for step in job.steps)
    assert job.counts["pages"] == 3
    assert job.counts["chunks"] == Chunk.objects.count() > 0
    assert ChunkEmbedding.objects.count() == Chunk.objects.count()
    assert Image.objects.count() == 3
    assert not Chunk.objects.filter(search_vector=None).exists()
    assert LibraryGeneration.objects.get().generation > 0


def test_twice_is_once(book: Path) -> None:
    run(book)
    before = rows()
    second = run(book)
    assert rows() == before
    assert second.counts["embedded"] == 0


# Before `figures` a run leaves nothing, and to end before a step is to end after the one before it; `make soak` takes
# every step and both sides of it.
WRITING = STEPS if WHOLE else ("figures", "store", "embed", "publish")
SIDES = [ends_before, ends_after] if WHOLE else [ends_after]


@pytest.mark.parametrize("step", WRITING)
@pytest.mark.parametrize("place", SIDES)
def test_after_an_error_in_any_step_the_next_run_ends_in_the_same_rows(
    book: Path, step: str, place: Callable[[str, BaseException], Mapping[str, Step]]
) -> None:
    job = submit_file(book, wake=False)
    with pytest.raises(OSError, match="disk"):
        run_job(job.pk, model=HashingEmbedding(), steps=place(step, OSError("disk full")))
    job.refresh_from_db()
    assert (job.state, job.steps[-1]["state"]) == ("failed", "failed")
    _whole_or_nothing()
    first = {key: len(found) for key, found in rows().items()}
    assert run(book).state == "succeeded"
    clean = rows()
    assert all(first[key] in (0, len(clean[key])) for key in clean)
    run(book)
    assert rows() == clean


def _whole_or_nothing() -> None:
    """No chunk is without its page, none is served without a vector, no document is published half."""
    for document in Document.objects.filter(status="published"):
        assert document.chunks.count() == ChunkEmbedding.objects.filter(chunk__document=document).count() > 0


@pytest.mark.parametrize("step", WRITING)
def test_after_a_kill_the_sweep_finds_the_job_and_the_rows_are_the_same(book: Path, step: str) -> None:
    job = submit_file(book, wake=False)
    with pytest.raises(Killed):
        run_job(job.pk, model=HashingEmbedding(), steps=ends_after(step, Killed()))
    run_job(job.pk, model=HashingEmbedding())  # the lease still runs: a second worker gives way
    job.refresh_from_db()
    assert job.state == "running"
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")
    run_job(job.pk, model=HashingEmbedding())
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("succeeded", 2)
    after = rows()
    run(book)
    assert rows() == after


@pytest.mark.long
def test_a_worker_that_lost_its_lease_writes_nothing(book: Path) -> None:
    job = submit_file(book, wake=False)

    def loses_the_lease(run: Run) -> None:
        IngestionJob.objects.filter(pk=job.pk).update(lease_until="2020-01-01T00:00Z")
        assert take_lease(job.pk) is not None

    run_job(job.pk, model=HashingEmbedding(), steps={**STEPS, "link": loses_the_lease})
    job.refresh_from_db()
    assert (job.state, job.fence) == ("running", 2)
    assert not Document.objects.exists()


def test_progress_is_told_step_by_step(book: Path) -> None:
    seen: list[Progress] = []
    job = submit_file(book, wake=False)
    run_job(job.pk, seen.append, model=HashingEmbedding())
    assert list(dict.fromkeys(progress.step for progress in seen)) == list(STEPS)
    assert {progress.job_id for progress in seen} == {job.pk}


@pytest.mark.long
def test_chunks_that_did_not_change_keep_their_ids(book: Path) -> None:
    run(book)
    kept = dict(Chunk.objects.values_list("content_hash", "id"))
    changed = Chunk.objects.order_by("index").first()
    assert changed is not None
    Chunk.objects.filter(pk=changed.pk).update(content_hash="0" * 64, text="An older wording.")
    run(book)
    now = dict(Chunk.objects.values_list("content_hash", "id"))
    assert now.keys() == kept.keys()
    assert {key for key in kept if now[key] != kept[key]} == {changed.content_hash}


def test_what_an_operator_changed_by_hand_stays(book: Path) -> None:
    run(book)
    Document.objects.update(title="Our own title", status="archived")
    run(book)
    assert Document.objects.values_list("title", "status").get() == ("Our own title", "archived")
    run(book, title="Told anew")
    assert Document.objects.get().title == "Told anew"


def test_a_document_of_unknown_type_stays_a_draft(tmp_path: Path) -> None:
    job = run(handbook(tmp_path / "club.pdf"))
    assert (job.state, Document.objects.get().status) == ("succeeded", "draft")
    assert "draft" in job.steps[-1]["note"]
    run(handbook(tmp_path / "club.pdf"), doc_type="other")
    assert Document.objects.filter(status="published").exists()


@pytest.mark.long
def test_a_text_that_was_embedded_once_is_not_embedded_again(book: Path) -> None:
    run(book)
    kept = EmbeddingCache.objects.count()
    Document.objects.all().delete()
    again = run(book)
    assert (again.counts["embedded"], again.counts["from_cache"]) == (0, Chunk.objects.count())
    assert EmbeddingCache.objects.count() == kept


@pytest.mark.long
def test_two_jobs_for_one_file_at_once_make_one_document(book: Path) -> None:
    jobs = [
        submit_file(book, options=options, wake=False) for options in ({}, {"title": "Told"}, {"tags": "a"})
    ]
    started = threading.Barrier(len(jobs))

    def work(job: IngestionJob) -> None:
        started.wait()
        try:
            run_job(job.pk, model=HashingEmbedding())
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(IngestionJob.objects.values_list("state", flat=True)) == {"succeeded"}
    after = rows()
    assert len(after["documents"]) == 1
    run(book)
    assert rows() == after
