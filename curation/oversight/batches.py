"""Approves similar claims of low risk as a batch, after a random sample was read and none was wrong.

Similar claims share school, document part, subject, and priority (P2 or P1). A claim is left out if its numbers,
limits, or negations do not agree with its quotes, or if it contradicts another claim of its part. A job approves the
rest (`batch_jobs`), and a batch is taken back as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any, Final

from django.db.models import Count, F, IntegerField, Max, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from curation import conf
from curation.extraction import find_fact_fault
from curation.item_review import CONFIDENCE
from curation.models import Claim, ReviewDecision
from curation.queue import QueueFilter, queue_for
from curation.review import NOT_UNDONE
from curation.selectors import decisions_by, with_evidence
from knowledge.conf import UNBOUND
from knowledge.grounding.fact_check import compare_facts
from knowledge.models.graph import UNDECIDED, Priority, ValidationStatus
from knowledge.text.tokens import content_words

LOW_RISK: Final = (Priority.P2, Priority.P1)


@dataclass(frozen=True, slots=True)
class Batch:
    """Which claims are alike. `tenant` is a school's id, None the shared library; `claims` how many wait."""

    tenant: int | None
    school: str
    source: str
    group: str
    domain: str
    priority: str
    claims: int = 0

    @property
    def name(self) -> str:
        return ", ".join(filter(None, (self.source, self.group)))

    @property
    def wanted(self) -> QueueFilter:
        return QueueFilter(
            source=self.source, group=self.group, domain=self.domain, priority=self.priority, bound="yes"
        )


@dataclass(frozen=True, slots=True)
class Sound:
    """The claims of a batch that may be approved together, and those left out with the reason."""

    claims: tuple[Claim, ...]
    left_out: tuple[tuple[Claim, str], ...]


def batches_for(user: Any) -> list[Batch]:
    """The groups of alike claims that wait, the largest first; one query."""
    waiting = queue_for(user).filter(priority__in=LOW_RISK).exclude(key_facts__has_key=UNBOUND)
    grouped = (
        waiting.exclude(queue_entry__source="")
        .order_by()
        .values(
            "priority",
            "tenant",
            school=F("tenant__name"),
            source=F("queue_entry__source"),
            group=F("queue_entry__group"),
            domain=KT("key_facts__domain"),
        )
        .annotate(claims=Count("pk"))
        .filter(claims__gte=conf.BATCH_LEAST)
        .order_by("-claims", "source", "group", "domain")
    )
    return [Batch(**row | {"school": row["school"] or "", "domain": row["domain"] or ""}) for row in grouped]


def sound_claims(user: Any, batch: Batch) -> Sound:
    """The claims of a batch, checked as they stand now. At most three queries."""
    waiting = with_evidence(queue_for(user, batch.wanted).filter(tenant=batch.tenant))
    claims = list(waiting[: conf.BATCH_MOST])
    approved = Claim.objects.filter(
        tenant=batch.tenant,
        queue_entry__source=batch.source,
        queue_entry__group=batch.group,
        validation_status=ValidationStatus.VALIDATED,
    ).exclude(UNDECIDED)
    said = [*(one.name for one in claims), *approved.values_list("name", flat=True)]
    words = {name: frozenset(content_words(name)) for name in said}
    sound, left_out = [], []
    for claim in claims:
        fault = _fault_with_quotes(claim) or _fault_with_others(claim.name, words)
        if fault:
            left_out.append((claim, fault))
        else:
            sound.append(claim)
    return Sound(tuple(sound), tuple(left_out))


def _fault_with_quotes(claim: Claim) -> str:
    """Where its facts do not agree with its quotes, or ""."""
    quotes = [str(one) for one in claim.key_facts.get("quotes") or ()]
    quotes = quotes or [row.quote for row in claim.evidence.all()]
    return find_fact_fault(claim.name, *quotes) if quotes else "it has no evidence"


def _fault_with_others(statement: str, words: Mapping[str, frozenset[str]]) -> str:
    """The first statement in much the same words whose facts contradict this one, or ""."""
    own = words[statement]
    for other, theirs in words.items():
        is_near = len(own & theirs) >= conf.SIMILAR_LIKENESS * len(own | theirs)
        if is_near and other != statement and (wrong := compare_facts(statement, other).contradictions):
            return f"it contradicts “{other}”: {wrong[0]}"
    return ""


def sample_size(claims: int) -> int:
    """How many of a batch have to be read without one wrong, so that with the certainty of `CONFIDENCE` at most
    `conf.CLAIMS_WRONG_MOST` of it are wrong: the zero-acceptance plan of Dodge and Romig for a lot of this size."""
    wrong = int(conf.CLAIMS_WRONG_MOST * claims) + 1  # the least number that is too many
    for read in range(claims):
        if comb(claims - wrong, read) <= (1 - CONFIDENCE) * comb(claims, read):
            return read
    return claims


def last_batches(user: Any) -> list[dict[str, Any]]:
    """The reviewer's own batches of which something stands, the last one first: `batch`, `what`, `claims` that stand,
    and when (`at`). One query."""
    standing = batched_by(user).alias(version_left=Cast(KT("after__version"), IntegerField()))
    named = (
        standing.filter(version_left=F("claim__version"))
        .order_by()
        .values(batch=KT("after__batch_id"), what=KT("after__batch_name"))
        .annotate(claims=Count("pk"), at=Max("created_at"))
    )
    return [dict(row) for row in named.order_by("-at")[: conf.OWN_DECISIONS_SHOWN]]


def batched_by(user: Any) -> QuerySet[ReviewDecision]:
    """The reviewer's own approvals by batches that can be taken back as a whole."""
    return decisions_by(user).exclude(decision__in=NOT_UNDONE).filter(after__has_key="batch_id")
