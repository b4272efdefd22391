"""Extracting claims is a job: it says how far it is, can be stopped, goes on where it stopped, adds nothing twice."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from curation.intake import request_claims
from curation.models import Claim
from knowledge.ingestion.jobs.jobs import cancel_job, retry_job, take_lease
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Progress
from knowledge.models import Chunk, ConceptChunkEvidence, Document, IngestionJob
from knowledge.models.tenancy import Role
from llm.errors import Refused, TimedOut
from llm.interfaces import ChatReply, ChatRequest
from tests.doubles.claims import EXTRACTOR, make_rules_chunk, make_user
from tests.doubles.models import Wire, wire
from tests.doubles.schools import Schools

__all__ = ["wire"]

pytestmark = pytest.mark.django_db
TEXTS = [f"({letter}) Each {who} must sign the book." for letter, who in (("a", "guest"), ("b", "pilot"))]
NO_RULE = "(e) This must be kept."


class Killed(BaseException):
    """The process ends here, with no chance to tidy up."""


class Extractor:
    """The offline extractor; `before` is called with the number of each call, and may raise."""

    provider, model, external = "test", "extractor", False

    def __init__(self, before: Callable[[int], None] = lambda call: None) -> None:
        self.before, self.calls = before, 0

    def complete(self, request: ChatRequest) -> ChatReply:
        self.calls += 1
        self.before(self.calls)
        return EXTRACTOR.complete(request)


def raising(error: BaseException, at: int = 2) -> Callable[[int], None]:
    def before(call: int) -> None:
        if call == at:
            raise error

    return before


@pytest.fixture
def document() -> Document:
    document = make_rules_chunk(f"{TEXTS[0]}\n{NO_RULE}").document
    make_rules_chunk(TEXTS[1], document=document)
    return document


def rows() -> tuple[list[str], int]:
    return sorted(Claim.objects.values_list("name", flat=True)), ConceptChunkEvidence.objects.count()


def run(job: IngestionJob) -> IngestionJob:
    run_job(job.pk)
    job.refresh_from_db()
    return job


def test_it_tells_its_total_before_the_first_passage(document: Document) -> None:
    told: list[Progress] = []
    job = request_claims(document, wake=False)
    run_job(job.pk, told.append)
    assert [(one.step, one.done, one.total) for one in told][:2] == [("extract", 0, 0), ("extract", 0, 2)]
    job.refresh_from_db()
    assert (job.state, job.steps[0]["done"], job.steps[0]["total"]) == ("succeeded", 2, 2)
    counted = {name: job.counts[name] for name in ("chunks", "claims", "new", "refused", "failed_chunks")}
    assert counted == {"chunks": 2, "claims": 2, "new": 2, "refused": 1, "failed_chunks": 0}
    [[example]] = job.counts["examples"].values()
    assert "must be kept" in example


def test_asking_twice_is_one_job_and_a_second_run_adds_nothing(document: Document) -> None:
    job = request_claims(document, wake=False)
    assert request_claims(document, wake=False).pk == job.pk
    run(job)
    before = rows()
    again = run(request_claims(document, wake=False))
    assert again.pk != job.pk
    assert (again.counts["claims"], again.counts["new"]) == (2, 0)
    assert rows() == before


def test_it_is_run_by_one_worker(document: Document) -> None:
    job = request_claims(document, wake=False)
    assert take_lease(job.pk) is not None
    assert run_job(job.pk) is False
    assert not Claim.objects.exists()


def test_killed_in_the_middle_it_goes_on_behind_what_is_stored(document: Document, wire: Wire) -> None:
    job = request_claims(document, wake=False)
    wire(extractor=Extractor(raising(Killed())))
    with pytest.raises(Killed):
        run_job(job.pk)
    assert len(rows()[0]) == 1
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")  # the dead worker is silent
    wire(extractor=(rest := Extractor()))
    assert run(job).state == "succeeded"
    assert rest.calls == 1
    assert (job.counts["chunks"], job.counts["claims"], job.counts["new"]) == (2, 2, 2)
    assert len(rows()[0]) == 2


def test_cancelled_in_the_middle_it_stores_nothing_more_and_a_retry_goes_on(
    document: Document, wire: Wire
) -> None:
    job = request_claims(document, wake=False)

    def cancel(call: int) -> None:
        if call == 2:
            assert cancel_job(job)
            assert not cancel_job(job)  # cancelled twice

    wire(extractor=Extractor(cancel))
    assert run(job).state == "cancelled"
    assert len(rows()[0]) == 1
    assert retry_job(job)
    assert not retry_job(job)  # it waits already
    wire(extractor=Extractor())
    assert run(job).state == "succeeded"
    assert (job.counts["new"], len(rows()[0])) == (2, 2)


def test_one_that_is_being_cancelled_serves_nobody_who_asks_anew(document: Document) -> None:
    job = request_claims(document, wake=False)
    take_lease(job.pk)
    cancel_job(job)
    assert request_claims(document, wake=False).pk != job.pk


def test_a_model_that_is_away_is_waited_for(document: Document, wire: Wire) -> None:
    job = request_claims(document, wake=False)
    wire(extractor=Extractor(raising(TimedOut("too slow"))))
    assert run(job).state == "queued"
    assert "unavailable" in job.error
    IngestionJob.objects.update(lease_until=None)
    wire(extractor=(rest := Extractor()))
    assert run(job).state == "succeeded"
    assert (rest.calls, job.counts["failed_chunks"]) == (1, 0)


def test_a_passage_without_a_usable_answer_is_listed_and_the_rest_goes_on(
    document: Document, wire: Wire
) -> None:
    wire(extractor=Extractor(raising(Refused("I would rather not."), at=1)))
    job = run(request_claims(document, wake=False))
    assert (job.state, job.counts["failed_chunks"], job.counts["claims"]) == ("succeeded", 1, 1)
    assert job.counts["failures"] == [["Taxi and logs", "model_refused"]]


def test_a_document_that_was_chunked_again_meanwhile_is_read_from_its_beginning(
    document: Document, wire: Wire
) -> None:
    job = request_claims(document, wake=False)
    wire(extractor=Extractor(raising(Killed())))
    with pytest.raises(Killed):
        run_job(job.pk)
    Document.objects.update(chunking="another")
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")
    wire(extractor=(whole := Extractor()))
    run(job)
    assert (whole.calls, job.counts["chunks"]) == (2, 2)


def test_a_document_that_is_gone_says_so(document: Document) -> None:
    job = request_claims(document, wake=False)
    Chunk.every.all().delete()
    document.delete()
    assert run(job).state == "failed"
    assert "not in the library" in job.error


def test_the_command_runs_the_same_job(document: Document) -> None:
    stdout = io.StringIO()
    call_command("extract_claims", "--json", stdout=stdout)
    found = json.loads(stdout.getvalue())
    assert (found["chunks"], found["claims"], found["refused"], found["errors"]) == (2, 2, 1, [])
    job = IngestionJob.objects.get()
    assert (job.kind, job.state, job.document) == ("claims", "succeeded", document)


def test_the_operator_reads_its_result_and_its_refusals(document: Document, client: Client) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    page = client.post(reverse("desk:extract", args=[document.pk]), follow=True)
    job = IngestionJob.objects.get()
    assert page.redirect_chain[-1][0] == reverse("desk:job", args=[job.pk])
    assert b"It is next" in page.content
    run(job)
    text = client.get(reverse("desk:job", args=[job.pk])).content.decode()
    for words in ("2 passages read, 2 claims found, 2 new", "1 sentence refused", "must be kept", "2 of 2"):
        assert words in text


def test_a_running_job_shows_its_step_and_how_far_it_is(document: Document, client: Client) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    job = request_claims(document, wake=False)
    step = {
        "name": "extract",
        "state": "running",
        "done": 1200,
        "total": 9180,
        "seconds": 0.0,
        "note": "",
    }
    IngestionJob.objects.filter(pk=job.pk).update(state="running", step="extract", steps=[step])
    for address in (reverse("desk:job", args=[job.pk]), reverse("desk:jobs"), reverse("desk:operations")):
        assert "Step 1 of 1, 1,200 of 9,180" in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("act", "state", "said"),
    [
        ("cancel", "cancelling", "stopping already"),
        ("cancel", "succeeded", "already over"),
        ("retry", "running", "cancel it first"),
        ("retry", "queued", "waits already"),
        ("retry", "succeeded", "nothing to retry"),
        ("first", "running", "no longer waiting"),
        ("start", "running", "not waiting for you"),
    ],
)
def test_what_comes_too_late_is_said(
    document: Document, client: Client, act: str, state: str, said: str
) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    job = request_claims(document, wake=False)
    IngestionJob.objects.filter(pk=job.pk).update(state=state)
    page = client.post(f"/operations/jobs/{job.pk}/{act}/", follow=True)
    assert said in next(str(one) for one in page.context["messages"])
    job.refresh_from_db()
    assert job.state == state


def test_another_schools_job_is_not_there(document: Document, schools: Schools) -> None:
    Document.objects.update(tenant=schools.first)
    document.refresh_from_db()
    job = request_claims(document, wake=False)
    address = reverse("desk:job", args=[job.pk])
    assert schools.client("operator-of-first").get(address).status_code == 200
    other: Any = schools.client("operator-of-second")
    assert other.get(address).status_code == 404
    assert other.post(f"{address}cancel/").status_code == 404
    assert str(job.pk) not in other.get(reverse("desk:jobs")).content.decode()
