"""The job that decides on a batch of claims, or of key points, in its reviewer's name, or takes claims back.

It gets the claims or points with the versions that the sample stood for. Each decision is stored together with how far
the job is, so another start continues there. What was changed or decided on meanwhile, and a claim that was put aside
or parked, is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet

from curation import conf
from curation.item_review import CONFIDENCE, STILL_DECIDED, decide_clean_point, why_accepted
from curation.models import Claim, DecisionKind, QueueEntry, ReviewDecision
from curation.oversight.batches import Batch, batched_by
from curation.reading.served_elements import proposed_matches
from curation.review import StaleDecision, approve_claim, changes_since, reject_claim, state_of, undo_decision
from curation.selectors import UnknownClaim, WrongDecision
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import OPEN_STATES, submit_work
from knowledge.ingestion.run import Run
from knowledge.models import Concept, IngestionJob, Tenant
from knowledge.models.graph import ValidationStatus
from knowledge.models.telemetry import JobKind, JobState

APPROVED, REJECTED, TAKEN_BACK = "approved", "rejected", "taken_back"
CHANGED: Final = "changed or decided on since the batch was opened"
PUT_ASIDE: Final = "put aside or parked since the batch was opened"
NOT_THEIRS: Final = "of a school for which its reviewer does not review any more"

Read = Sequence[tuple[str, int]]
"""Claims, or concepts of points, by id, each at the version that was read or stood for."""


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
    options = {"claims": [list(one) for one in decided], "wrong": refused, "sample": sample}
    return _submit(
        user,
        batch.tenant,
        f"{len(decided)} claims of {batch.name}",
        options | {"reason": reason, "note": note},
        wake=wake,
    )


def request_points(
    user: Any, points: Read, *, read: int, sample: int, wrong: set[str], wake: bool = True
) -> list[IngestionJob]:
    """Jobs, one a school, that approve all these concepts of clean points if none that was read, the first `read` of
    them, is among the `wrong` ids; else they reject the wrong ones, and the others wait. `sample` is how many points
    were read: two may show one concept."""
    refused = sorted(wrong & {pk for pk, _ in points[:read]})
    decided = [list(one) for one in points if not refused or one[0] in refused]
    reason = "Wrong in the sample of a batch." if refused else why_accepted(len(points), sample)
    schools = dict(Concept.objects.filter(pk__in=[pk for pk, _ in decided]).values_list("pk", "tenant"))

    def school_of(one: Sequence[Any]) -> int:
        return schools.get(UUID(one[0])) or 0

    jobs = []
    for school, rows in groupby(sorted(decided, key=school_of), key=school_of):
        theirs = list(rows)
        note = {} if refused else {"batch": len(theirs), "sample": sample}
        keys = {pk for pk, _ in theirs}
        options = {"points": theirs, "wrong": [pk for pk in refused if pk in keys], "sample": sample}
        named = f"{len(theirs)} {'wrong' if refused else 'clean'} point{'s' if len(theirs) > 1 else ''}"
        jobs.append(_submit(user, school, named, options | {"reason": reason, "note": note}, wake=wake))
    return jobs


def _submit(
    user: Any, school: int | None, name: str, options: Mapping[str, Any], *, wake: bool
) -> IngestionJob:
    return submit_work(
        JobKind.BATCH,
        name,
        tenant=Tenant.objects.get(pk=school) if school else None,
        options={"reviewer": user.pk, **options},  # of two who submit the same, each has a job
        created_by=user,
        large=False,
        wake=wake,
    )


def request_undo(batch_id: UUID, user: Any) -> IngestionJob:
    """A job that lets the claims of an own batch wait again. Raises WrongDecision where none is left to take back, or
    while the batch is still being decided on."""
    if IngestionJob.objects.filter(pk=batch_id, created_by=user, state__in=OPEN_STATES).exists():
        raise WrongDecision(STILL_DECIDED)
    rows = list(
        batched_by(user)
        .filter(after__batch_id=str(batch_id))
        .exclude(claim__validation_status=ValidationStatus.PENDING)  # taken back one by one
    )
    if not any(_stands(row) for row in rows):
        raise WrongDecision("Nothing of this batch is left to take back.")
    name = f"Take back {len(rows)} claims of {rows[0].after['batch_name']}"
    return _submit(user, rows[0].claim.tenant_id, name, {"decisions": [row.pk for row in rows]}, wake=True)


def batch_jobs_of(user: Any, *, points: bool = False) -> QuerySet[IngestionJob]:
    """The reviewer's jobs on claims (or key points) that are not over, or ended early, the last one first."""
    jobs = IngestionJob.objects.filter(kind=JobKind.BATCH, created_by=user, dismissed_at=None)
    about_points = Q(options__has_key="points")
    jobs = jobs.filter(about_points if points else ~about_points)
    return jobs.exclude(state=JobState.SUCCEEDED).order_by("-created_at")[: conf.OWN_DECISIONS_SHOWN]


def decide_batch(run: Run) -> None:
    """Decide on the job's claims or points one by one, or take decisions back. Raises IngestionError without its
    reviewer."""
    options, counts = run.job.options, run.counts
    if run.job.created_by is None:
        raise IngestionError("The reviewer of this batch has no account any more.", "no_reviewer")
    counts |= {"done": 0, "reasons": {}, "examples": {}, **counts}
    if "decisions" in options:
        rows = ReviewDecision.objects.select_related("claim").in_bulk(options["decisions"])
        named = {row.pk: row.claim for row in rows.values()}
        act, steps = partial(_take_back, run.job, rows), [(pk, 0) for pk in options["decisions"]]
    elif "points" in options:
        concepts = Concept.objects.in_bulk([pk for pk, _ in options["points"]])
        named = {str(pk): concept for pk, concept in concepts.items()}
        act, steps = partial(_decide_point, run.job), options["points"]
        counts["decides_on"] = "point"
    else:
        claims = Claim.objects.select_related("queue_entry").in_bulk([pk for pk, _ in options["claims"]])
        named = {str(pk): claim for pk, claim in claims.items()}
        act, steps = partial(_decide, run.job), options["claims"]
    if options.get("wrong"):
        counts |= {"sample": options["sample"], "wrong": len(options["wrong"])}
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


def _decide_point(job: IngestionJob, concept_id: str, version: int) -> str:
    options = job.options
    wrong = concept_id in options["wrong"]
    note = {"batch_id": str(job.pk), **options["note"]} if options["note"] else {}
    decide_clean_point(
        UUID(concept_id),
        job.created_by,
        DecisionKind.REJECT if wrong else DecisionKind.APPROVE,
        options["reason"],
        version=version,
        note=note,
        at=job.created_at,
    )
    return REJECTED if wrong else APPROVED


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
