"""A batch is decided on by a job: exactly what its sample stood for, also after a stop, and taken back as a whole."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import post_save
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.models import Aside, Claim, ReviewDecision
from curation.oversight.audit import verify_chains
from curation.oversight.batch_jobs import CHANGED, PUT_ASIDE, request_batch
from curation.oversight.batches import batches_for, sample_size
from curation.oversight.progress import progress_of
from curation.queue import put_aside
from curation.review import edit_claim, reject_claim
from curation.selectors import decisions_by
from knowledge.ingestion.jobs.jobs import cancel_job, retry_job
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Progress
from knowledge.models import Chunk, IngestionJob, Membership
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role
from tests.db.curation.test_oversight import address, batch_page, chunk, client, make_alike
from tests.doubles.claims import make_rules_chunk, make_user
from tests.doubles.schools import Schools

__all__ = ["chunk", "client"]
pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """The process ends here, with no chance to tidy up."""


@contextmanager
def at_decision(number: int, act: Callable[[], Any]) -> Iterator[None]:
    """Act within the transaction of so many decisions' last one."""
    seen: list[ReviewDecision] = []

    def notice(instance: ReviewDecision, **_: Any) -> None:
        seen.append(instance)
        if len(seen) == number:
            act()

    post_save.connect(notice, sender=ReviewDecision)
    try:
        yield
    finally:
        post_save.disconnect(notice, sender=ReviewDecision)


def kill() -> None:
    raise Killed


def submit(client: Client, wrong: tuple[int, ...] = ()) -> tuple[IngestionJob, list[Claim]]:
    """The job of the only batch there is, and its sample, of which those in these places are wrong."""
    where, page = batch_page(client)
    sample = page.context["sample"]
    said = {"stands_for": page.context["stands_for"], "wrong": [str(sample[place].pk) for place in wrong]}
    answer: Any = client.post(where, said)
    job = IngestionJob.objects.latest("created_at")
    assert answer.url == reverse("desk:job", args=[job.pk])
    return job, sample


def run(job: IngestionJob) -> IngestionJob:
    run_job(job.pk)
    job.refresh_from_db()
    return job


def shown(client: Client, job: IngestionJob) -> str:
    return client.get(reverse("desk:job", args=[job.pk])).content.decode()


def statuses() -> Counter[str]:
    return Counter(Claim.objects.values_list("validation_status", flat=True))


def test_batch_is_approved_after_a_clean_sample(chunk: Chunk, client: Client) -> None:
    make_alike(chunk, 24)
    job, sample = submit(client)
    assert len(sample) == sample_size(24)
    assert statuses() == {"pending": 24}  # nothing is decided on within the request
    assert "24 claims of 14 CFR Part 91, Subpart B" in client.get(address("batches")).content.decode()
    run(job)
    assert (job.state, job.steps[0]["done"], job.steps[0]["total"]) == ("succeeded", 24, 24)
    assert "24 claims approved." in shown(client, job)
    assert statuses() == {"validated": 24}
    row = ReviewDecision.objects.latest("number")
    assert (row.after["batch"], row.after["sample"]) == (24, len(sample))
    assert row.after["batch_id"] == str(job.pk)
    assert "batch of 24 alike claims (14 CFR Part 91, Subpart B)" in row.reason
    assert verify_chains().broken == ()
    assert progress_of(row.reviewer, timezone.now()).days[0].batched == 24


def test_submitting_twice_is_one_job(chunk: Chunk, client: Client) -> None:
    make_alike(chunk, 24)
    assert submit(client)[0] == submit(client)[0]


def test_one_wrong_claim_stops_the_batch(chunk: Chunk, client: Client) -> None:
    make_alike(chunk, 24)
    job, sample = submit(client, wrong=(3,))
    page = shown(client, run(job))
    assert f"{len(sample) - 1} claims approved, 1 claim rejected." in page
    assert f"1 of the {len(sample)} claims that were read was wrong, so the rest of the batch waits." in page
    assert Claim.objects.get(validation_status="rejected") == sample[3]
    assert statuses() == {"validated": len(sample) - 1, "rejected": 1, "pending": 24 - len(sample)}


def test_what_changed_since_the_page_was_opened_is_refused_by_name(chunk: Chunk, client: Client) -> None:
    """Also a claim outside the sample, and whether it changed before or after the reviewer submitted."""
    claims = make_alike(chunk, 24)
    where, page = batch_page(client)
    edited, rejected = [one for one in claims if one not in page.context["sample"]][:2]
    bert = make_user("bert")
    edit_claim(edited.pk, bert, version=1, statement=f"{edited.name[:-1]}, and only then.")
    client.post(where, {"stands_for": page.context["stands_for"]})
    reject_claim(rejected.pk, bert, version=1, reason="It is old.")
    job = run(IngestionJob.objects.get())
    text = shown(client, job)
    assert "22 claims approved, 2 refused" in text
    assert (job.state, job.counts["reasons"]) == ("succeeded", {CHANGED: 2})
    for name, act in ((f"{edited.name[:-1]}, and only then.", "edited"), (rejected.name, "rejected")):
        assert f"{name}: bert {act} it on" in text
    assert statuses() == {"validated": 22, "pending": 1, "rejected": 1}


def test_what_a_colleague_put_aside_meanwhile_is_not_approved_unread(chunk: Chunk, client: Client) -> None:
    claims = make_alike(chunk, 24)
    job, sample = submit(client)
    flagged = next(one for one in claims if one not in sample)
    put_aside(flagged, make_user("bert"), Aside.FLAGGED)
    assert f"{flagged}" in shown(client, run(job))
    assert job.counts["reasons"] == {PUT_ASIDE: 1}
    assert statuses() == {"validated": 23, "pending": 1}


def test_changed_sample_is_read_again(chunk: Chunk, client: Client) -> None:
    make_alike(chunk, 24)
    where, page = batch_page(client)
    Claim.objects.filter(pk=page.context["sample"][0].pk).update(version=2)
    answer = client.post(where, {"stands_for": page.context["stands_for"]}, follow=True)
    assert "The batch has changed since you opened it" in answer.content.decode()
    assert not IngestionJob.objects.exists()


def test_what_a_sample_stands_for_counts_for_its_reader_and_batch_alone(chunk: Chunk, client: Client) -> None:
    make_alike(chunk, 24)
    where, page = batch_page(client)
    other = Client()
    other.force_login(make_user("bert"))
    for who, told in ((other, page.context["stands_for"]), (client, "forged"), (client, "")):
        answer: Any = who.post(where, {"stands_for": told})
        assert answer.url == where
    assert not IngestionJob.objects.exists()


@pytest.mark.parametrize("number", [1, 9])
def test_killed_at_a_decision_it_goes_on_and_doubles_nothing(
    chunk: Chunk, client: Client, number: int
) -> None:
    make_alike(chunk, 24)
    job, _ = submit(client)
    with at_decision(number, kill), pytest.raises(Killed):
        run_job(job.pk)
    assert statuses()["validated"] == number - 1
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")  # the dead worker is silent
    assert run(job).state == "succeeded"
    assert (job.counts["approved"], job.counts["reasons"]) == (24, {})
    assert ReviewDecision.objects.count() == 24
    assert verify_chains().broken == ()


def test_cancelled_it_decides_on_nothing_more_and_its_reviewer_retries_it(
    chunk: Chunk, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.conf.PROGRESS_SECONDS", 0.0)
    make_alike(chunk, 24)
    job, _ = submit(client)

    def cancel(progress: Progress) -> None:
        if progress.done == 4:
            assert cancel_job(job)

    run_job(job.pk, cancel)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert statuses()["validated"] == 4
    operator = make_user("olga", Role.OPERATOR)
    assert not retry_job(job, operator)  # it decides in the name of another
    assert client.post(reverse("desk:retry_job", args=[job.pk])).status_code == 302
    assert run(job).counts["approved"] == 24
    assert statuses() == {"validated": 24}


def test_of_one_who_reviews_no_more_nothing_is_approved(chunk: Chunk, client: Client) -> None:
    make_alike(chunk, 24)
    job, _ = submit(client)
    Membership.objects.filter(role=Role.REVIEWER).delete()
    assert sum(run(job).counts["reasons"].values()) == 24
    assert statuses() == {"pending": 24}


def test_batch_is_taken_back_but_for_claims_that_were_decided_on_since(chunk: Chunk, client: Client) -> None:
    make_alike(chunk, 24)
    job, _ = submit(client)
    undo = reverse("admin:curation_claim_batch_undo", args=[job.pk])
    assert "still being decided on" in client.post(undo, follow=True).content.decode()
    run(job)
    claim = Claim.objects.filter(validation_status=ValidationStatus.VALIDATED).first()
    assert claim is not None
    reject_claim(claim.pk, make_user("bert"), version=claim.version, reason="It is old.")
    (batch,) = client.get(address("batches")).context["own"]
    assert (batch["claims"], batch["what"]) == (23, "14 CFR Part 91, Subpart B")
    stranger = Client()
    stranger.force_login(make_user("cora"))
    assert "Nothing of this batch is left" in stranger.post(undo, follow=True).content.decode()
    client.post(undo)
    taking_back = IngestionJob.objects.latest("created_at")
    with at_decision(7, kill), pytest.raises(Killed):
        run_job(taking_back.pk)
    IngestionJob.objects.update(lease_until="2020-01-01T00:00Z")
    text = shown(client, run(taking_back))
    assert "23 claims taken back, 1 refused" in text
    assert f"{claim.name}: bert rejected it on" in text
    assert client.get(address("batches")).context["own"] == []
    assert statuses() == {"pending": 23, "rejected": 1}
    assert "Nothing of this batch is left" in client.post(undo, follow=True).content.decode()
    assert verify_chains().broken == ()


def test_a_batch_is_seen_by_its_reviewer_and_the_operators_of_its_school(
    schools: Schools, chunk: Chunk
) -> None:
    claims = make_alike(chunk, 24, schools.first)
    anna = schools.people["reviewer-of-first"]
    (batch,) = batches_for(anna)
    read = [(str(one.pk), one.version) for one in claims]
    job = request_batch(anna, batch, claims=read, sample=16, wrong=set(), wake=False)
    page, cancel = reverse("desk:job", args=[job.pk]), reverse("desk:cancel_job", args=[job.pk])
    for name in ("operator-of-second", "reviewer-of-second", "student-of-first"):
        other: Any = schools.client(name)
        assert (other.get(page).status_code, other.post(cancel).status_code) == (404, 404)
    job.refresh_from_db()
    assert job.state == "queued"
    for name in ("reviewer-of-first", "operator-of-first"):
        assert schools.client(name).get(page).status_code == 200
    retry = reverse("desk:retry_job", args=[job.pk])
    assert schools.client("reviewer-of-first").post(cancel, {"back": page}).status_code == 302
    answer: Any = schools.client("operator-of-first").post(retry, follow=True)
    assert "Only its reviewer" in answer.content.decode()
    assert retry not in schools.client("operator-of-first").get(page).content.decode()
    assert retry in schools.client("reviewer-of-first").get(page).content.decode()


def test_the_reviewer_dismisses_an_own_batch_that_ended_early(schools: Schools, chunk: Chunk) -> None:
    claims = make_alike(chunk, 24, schools.first)
    anna, browser = schools.people["reviewer-of-first"], schools.client("reviewer-of-first")
    (batch,) = batches_for(anna)
    read = [(str(one.pk), one.version) for one in claims]
    job = request_batch(anna, batch, claims=read, sample=16, wrong=set(), wake=False)
    dismiss, listed = reverse("desk:dismiss_job", args=[job.pk]), address("batches")
    assert dismiss not in browser.get(listed).content.decode()
    assert "not over yet" in browser.post(dismiss, {"back": listed}, follow=True).content.decode()
    assert cancel_job(job)
    for page in (listed, reverse("desk:job", args=[job.pk])):
        assert dismiss in browser.get(page).content.decode()
    answer: Any = schools.client("reviewer-of-second").post(dismiss)
    assert answer.status_code == 404
    assert "The job is dismissed." in browser.post(dismiss, {"back": listed}, follow=True).content.decode()
    assert list(browser.get(listed).context["jobs"]) == []
    assert dismiss not in browser.get(reverse("desk:job", args=[job.pk])).content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_reviewers_of_one_batch_lose_and_double_nothing() -> None:
    claims = make_alike(make_rules_chunk(), 24)
    reviewers = [make_user("anna"), make_user("bert")]
    read = [(str(one.pk), one.version) for one in claims]
    batch = batches_for(reviewers[0])[0]
    jobs = [request_batch(who, batch, claims=read, sample=16, wrong=set(), wake=False) for who in reviewers]
    assert jobs[0] != jobs[1]
    barrier = Barrier(2)

    def work(job: IngestionJob) -> IngestionJob:
        barrier.wait()
        try:
            return run(job)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(work, jobs))
    for job, who in zip(ended, reviewers, strict=True):
        approved = job.counts.get("approved", 0)
        assert (job.state, approved + job.counts["reasons"].get(CHANGED, 0)) == ("succeeded", 24)
        assert decisions_by(who).count() == approved
    assert statuses() == {"validated": 24}
    assert ReviewDecision.objects.count() == 24
    assert verify_chains().broken == ()
