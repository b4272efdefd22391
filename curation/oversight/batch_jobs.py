"""The job that decides on a batch of claims in its reviewer's name, or takes a batch back.

It gets the claims with the versions that the sample stood for. Each decision is stored together with how far the job
is, so another start continues there. A claim that was changed, decided on, put aside, or parked meanwhile is refused
by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet

from curation import conf
from curation.item_review import CONFIDENCE
from curation.models import Claim, QueueEntry, ReviewDecision
from curation.oversight.batches import Batch, batched_by
from curation.reading.served_elements import proposed_matches
from curation.review import StaleDecision, approve_claim, changes_since, reject_claim, state_of, undo_decision
from curation.selectors import UnknownClaim, WrongDecision
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import OPEN_STATES, submit_work
from knowledge.ingestion.run import Run
from knowledge.models import IngestionJob, Tenant
from knowledge.models.graph import ValidationStatus
from knowledge.models.telemetry import JobKind, JobState

APPROVED, REJECTED, TAKEN_BACK = "approved", "rejected", "taken_back"
CHANGED: Final = "changed or decided on since the batch was opened"
PUT_ASIDE: Final = "put aside or parked since the batch was opened"
NOT_THEIRS: Final = "of a school for which its reviewer does not review any more"

Read = Sequence[tuple[str, int]]
"""Claims by id, each at the version that was read or stood for."""


def request_batch(
    user: Any, batch: Batch, *, claims: Read, sample: int, wrong: set[str], wake: bool = True
) -> IngestionJob:
    """A job that approves all claims if none of the sample, the first `sample` of them, is among the `wrong` ids. Else
    it rejects the wrong ones, and approves the others of the sample, which were read."""
    read = claims[:sample]
    refused = sorted(wrong & {pk for pk, _ in read})
    reason = f"Read in a sample of {sample} of {len(claims)} claims ({batch.name})"
    note: dict[str, Any] = {}
    if not refused:
        reason = (
            f"Approved as a batch of {len(claims)} alike claims ({batch.name}) after a sample of {sample} was read and"
            f" none was wrong (at most {conf.CLAIMS_WRONG_MOST:.0%} wrong with {CONFIDENCE:.0%} confidence)."
        )
        note = {"batch": len(claims), "sample": sample, "batch_name": batch.name}
    decided = read if refused else claims
    return submit_work(
        JobKind.BATCH,
        f"{len(decided)} claims of {batch.name}",
        tenant=Tenant.objects.get(pk=batch.tenant) if batch.tenant else None,
        options={
            "reviewer": user.pk,  # of two who submit the same claims, each has a job
            "claims": [list(one) for one in decided],
            "wrong": refused,
            "reason": reason,
            "note": note,
        },
        created_by=user,
        large=False,
        wake=wake,
    )


def request_undo(batch_id: UUID, user: Any) -> IngestionJob:
    """A job that lets the claims of an own batch wait again. Raises WrongDecision where none is left to take back, or
    while the batch is still being decided on."""
    if IngestionJob.objects.filter(pk=batch_id, created_by=user, state__in=OPEN_STATES).exists():
        raise WrongDecision("This batch is still being decided on. Cancel its job first.")
    rows = list(
        batched_by(user)
        .filter(after__batch_id=str(batch_id))
        .exclude(claim__validation_status=ValidationStatus.PENDING)  # taken back one by one
    )
    if not any(_stands(row) for row in rows):
        raise WrongDecision("Nothing of this batch is left to take back.")
    return submit_work(
        JobKind.BATCH,
        f"Take back {len(rows)} claims of {rows[0].after['batch_name']}",
        tenant=rows[0].claim.tenant,
        options={"reviewer": user.pk, "decisions": [row.pk for row in rows]},
        created_by=user,
        large=False,
    )


def batch_jobs_of(user: Any) -> QuerySet[IngestionJob]:
    """The reviewer's jobs that are not over, or ended early, the last one first."""
    jobs = IngestionJob.objects.filter(kind=JobKind.BATCH, created_by=user, dismissed_at=None)
    return jobs.exclude(state=JobState.SUCCEEDED).order_by("-created_at")[: conf.OWN_DECISIONS_SHOWN]


def decide_batch(run: Run) -> None:
    """Decide on the job's claims one by one, or take its decisions back. Raises IngestionError without its reviewer."""
    options, counts = run.job.options, run.counts
    if run.job.created_by is None:
        raise IngestionError("The reviewer of this batch has no account any more.", "no_reviewer")
    counts |= {"done": 0, "reasons": {}, "examples": {}, **counts}
    if "decisions" in options:
        rows = ReviewDecision.objects.select_related("claim").in_bulk(options["decisions"])
        named = {row.pk: row.claim for row in rows.values()}
        act, steps = partial(_take_back, run.job, rows), [(pk, 0) for pk in options["decisions"]]
    else:
        claims = Claim.objects.select_related("queue_entry").in_bulk([pk for pk, _ in options["claims"]])
        named = {str(pk): claim for pk, claim in claims.items()}
        act, steps = partial(_decide, run.job), options["claims"]
        counts |= {"sample": len(steps), "wrong": len(options["wrong"])} if options["wrong"] else {}
    for at in range(counts["done"], len(steps)):
        run.tick(at, len(steps))
        key, version = steps[at]
        claim = named.get(key)
        if isinstance(claim, Claim) and claim.is_undecided:
            proposed_matches(claim)  # stored, so that no transaction is open while a model works
        with transaction.atomic():
            try:
                done = act(key, version)
                counts[done] = counts.get(done, 0) + 1
            except StaleDecision as error:
                _refuse(counts, CHANGED, f"{claim}: {'; '.join(error.changed)}")
            except (PermissionDenied, UnknownClaim):
                _refuse(counts, NOT_THEIRS, str(claim or key))
            except WrongDecision as error:
                _refuse(counts, str(error), str(claim))
            counts["done"] += 1
            run.keep()
    run.tick(len(steps), len(steps))


BATCH_STEPS: Final = {"decide": decide_batch}


def _decide(job: IngestionJob, claim_id: str, version: int) -> str:
    reviewer, reason, note = job.created_by, job.options["reason"], job.options["note"]
    if QueueEntry.objects.filter(claim__pk=UUID(claim_id)).exclude(aside="", parked=None).exists():
        raise WrongDecision(PUT_ASIDE)  # a colleague wants it to be looked at, or not at all
    if claim_id in job.options["wrong"]:
        reject_claim(claim_id, reviewer, version=version, reason=f"{reason}; wrong.")
        return REJECTED
    if note:
        note = note | {"batch_id": str(job.pk)}
    else:
        reason = f"{reason}; right, though others were wrong."
    approve_claim(claim_id, reviewer, version=version, reason=reason, note=note)
    return APPROVED


def _take_back(job: IngestionJob, rows: Mapping[int, ReviewDecision], decision_id: int, _: int) -> str:
    row = rows[decision_id]
    if not _stands(row):
        raise StaleDecision(state_of(row.claim), changes_since(row.claim, row.after["version"]))
    undo_decision(decision_id, job.created_by)
    return TAKEN_BACK


def _refuse(counts: dict[str, Any], why: str, what: str) -> None:
    counts["reasons"][why] = counts["reasons"].get(why, 0) + 1
    counts["examples"].setdefault(why, []).append(what)


def _stands(row: ReviewDecision) -> bool:
    return bool(row.after["version"] == row.claim.version)
