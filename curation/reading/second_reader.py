"""Decides whether a verdict on a P0 claim counts, or waits for a second reviewer who does not see it.

A waiting verdict is a decision of the kind `verdict`. It changes nothing, and it holds for the version of the claim
that was read. Two verdicts that agree decide. If they differ, a third reviewer decides, or one of the two changes the
verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Q, QuerySet

from curation.models import Claim, DecisionKind, ReviewDecision
from curation.selectors import WrongDecision, verdicts_waiting, with_readings
from knowledge.models import Concept
from knowledge.models.graph import Priority

JUDGED = (DecisionKind.APPROVE, DecisionKind.REJECT)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader said of the version that waits. `verdict` is "approve" or "reject"."""

    reviewer: int
    name: str
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class Readings:
    """How many readers a claim needs, and what was said. `single` says that the flag asks for one reader only;
    `lowered` that the version comes from an edit that took P0 away. `verdicts` has each reader's last word."""

    p0: bool
    lowered: bool
    single: bool
    reviewers: int
    verdicts: tuple[Verdict, ...]

    @property
    def two_needed(self) -> bool:
        return (self.p0 or self.lowered) and not self.single and self.reviewers > 1

    @property
    def disputed(self) -> bool:
        return len({one.verdict for one in self.verdicts}) > 1

    def verdict_of(self, reviewer: Any) -> Verdict | None:
        return next((one for one in self.verdicts if one.reviewer == reviewer.pk), None)

    def is_decided_by(self, reviewer: Any, verdict: str) -> bool:
        """Whether this verdict decides the claim. Raises WrongDecision for a second one of the same reader."""
        own = self.verdict_of(reviewer)
        if own and not self.disputed:
            raise WrongDecision(
                "You have read this claim; a second reviewer reads it too. To change your verdict, take it back first."
            )
        if self.disputed and own is None:
            return True
        others = {one.verdict for one in self.verdicts if one.reviewer != reviewer.pk}
        return others == {verdict}


def readings_of(claim: Concept) -> Readings:
    """One query, or none of a claim that came `with_readings`."""
    found: Any = claim if hasattr(claim, "said") else with_readings(Concept.objects.all()).get(pk=claim.pk)
    last = {one["reviewer"]: Verdict(**one) for one in found.said}
    return Readings(
        p0=found.priority == Priority.P0,
        lowered=found.lowered,
        single=found.single,
        reviewers=found.reviewers,
        verdicts=tuple(last.values()),
    )


def decisions_shown(claim: Claim, user: Any) -> QuerySet[ReviewDecision]:
    """The decisions on a claim, the last one first. A second reader does not see what the first one did with the
    version that waits, until both have read it."""
    rows = (
        ReviewDecision.objects.filter(claim=claim.pk)
        .select_related("reviewer")
        .order_by("-created_at", "-id")
    )
    if not claim.is_undecided:
        return rows
    waiting = verdicts_waiting().filter(claim=claim.pk, version_read=claim.version)
    differ = Q(*(Exists(waiting.filter(after__verdict=one)) for one in JUDGED))
    by_others = Q(Exists(waiting.exclude(reviewer=user.pk)))
    return rows.exclude(by_others & ~differ, after__version=claim.version)
