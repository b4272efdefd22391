"""A vendor that fails in the middle of a document: nothing skipped in silence, taken up where it stopped, counted."""

from itertools import chain
from pathlib import Path

import pytest

from knowledge.ingestion.jobs.jobs import retry_job, submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.models import Chunk, ChunkEmbedding, Document, IngestionJob, VectorSet
from tests.doubles.vector_models import LOCAL, REMOTE, two_models
from tests.doubles.vendors import Fails, Reply, Vectors, VendorServer
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db(transaction=True)

SECTIONS = 120
TEXT = "# Rules\n\n" + "\n\n".join(
    f"## Rule {n}\n\nAircraft {n} of the club is washed by whoever flew it last, and dried by hand after that."
    for n in range(SECTIONS)
)


@pytest.fixture
def job(tmp_path: Path) -> IngestionJob:
    VectorSet.objects.create(model=REMOTE, dimensions=1536, in_use=True)
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    return submit_file(path, options={"doc_type": "sop"}, wake=False)


def run(job: IngestionJob) -> IngestionJob:
    run_job(job.pk)
    job.refresh_from_db()
    return job


def sent(vendor: VendorServer) -> list[str]:
    return list(chain.from_iterable(request.body["input"] for request in vendor.received))


@pytest.mark.long
@pytest.mark.parametrize("trouble", [Fails(429, {"retry-after": "0"}), Fails(500), Vectors(only=(0, 1, 2))])
def test_a_failure_that_passes_is_counted_and_costs_no_passage(job: IngestionJob, trouble: Reply) -> None:
    with two_models(Vectors(), trouble, Vectors()) as vendor:
        assert run(job).state == "succeeded", job.error
    spent = job.counts["embedding"][REMOTE]
    assert (spent["misses"], spent["requests"], spent["retries"]) == (SECTIONS, 4, 1)
    answered = [50, 50, 20] if isinstance(trouble, Fails) else [50, 50, 50, 20]
    assert sum(map(len, (request.body["input"] for request in vendor.received))) == 170
    assert spent["tokens"] >= sum(answered)
    assert ChunkEmbedding.objects.filter(model=REMOTE).count() == Chunk.objects.count() == SECTIONS


@pytest.mark.parametrize(
    "trouble", sample_of([Fails(429, {"retry-after": "90"}), Fails(503), Vectors(only=(7,))], 3)
)
def test_one_that_stays_lets_the_job_wait_and_go_on_behind_what_it_has(
    job: IngestionJob, trouble: Reply
) -> None:
    with two_models(Vectors(), trouble) as vendor:
        run(job)
        assert (job.state, job.attempts) == ("queued", 0)
        assert "unavailable" in job.error
        assert ChunkEmbedding.objects.filter(model=REMOTE).count() == 50
        assert Document.objects.get().status == "draft"  # half of it is not served
        first, asked = job.counts["embedding"][REMOTE], len(vendor.received)
        vendor.script[:] = [Vectors()]
        IngestionJob.objects.update(lease_until=None)
        assert run(job).state == "succeeded"
        again = vendor.received[asked:]
    assert [len(request.body["input"]) for request in again] == [50, 20]
    spent = job.counts["embedding"][REMOTE]
    assert spent["misses"] == job.counts["embedded"] == SECTIONS
    assert spent["requests"] == first["requests"] + 2
    assert spent["tokens"] > first["tokens"]
    assert spent["cost_usd"] == pytest.approx(spent["tokens"] * 0.02 / 1e6)
    assert Document.objects.get().status == "published"


def test_what_an_operator_must_mend_fails_the_job_and_a_retry_goes_on(job: IngestionJob) -> None:
    with two_models(Vectors(), Fails(401)) as vendor:
        run(job)
        assert (job.state, job.counts["code"]) == ("failed", "model_bad_key")
        assert ChunkEmbedding.objects.filter(model=REMOTE).count() == 50
        assert not ChunkEmbedding.objects.filter(model=LOCAL).exists()
        vendor.script[:] = [Vectors()]
        assert retry_job(job)
        assert run(job).state == "succeeded"
    assert job.counts["embedding"][REMOTE]["misses"] == SECTIONS
