"""Claims shown beside a claim: those that say the same, and those that seem to contradict it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q

from curation import conf
from curation.extraction import find_fact_fault
from curation.models import Claim, QueueEntry
from curation.selectors import claims_for
from knowledge.models.graph import ConceptChunkEvidence, ValidationStatus
from knowledge.text.tokens import content_words


@dataclass(frozen=True, slots=True)
class SimilarClaim:
    """Another claim in much the same words. `fault` is where the two differ in a number, a limit or a negation;
    `of_one_rule`, whether they have the same reference and subject: rules of two classes of airspace may have the same
    words."""

    claim: Claim
    likeness: float
    fault: str = ""
    of_one_rule: bool = True

    @property
    def is_same(self) -> bool:
        return not self.fault and self.of_one_rule and self.likeness >= conf.SAME_LIKENESS


def likeness_of(one: Claim, other: Claim) -> float:
    """The share of content words that both have among those of either, 0 to 1."""
    own, words = set(content_words(one.name)), set(content_words(other.name))
    return len(own & words) / (len(own | words) or 1)


def difference_between(claim: Claim, other: Claim) -> str:
    """Where the claim differs from the other in a number, a limit or a negation, or ""."""
    fault = find_fact_fault(claim.name, other.name).removeprefix("facts differ from the quote: ")
    return re.sub(r"\bthe (?:source|quote)\b", "the other", fault)


def similar_claims(
    user: Any, claim: Claim, elements: Iterable[str] = (), quotes: Collection[str] = ()
) -> list[SimilarClaim]:
    """Claims, waiting or approved, that rest on one of the same `quotes`, or that share the first element (without one,
    the section) with this one, and most of its words; those on the same quote first, then the nearest, at most
    `conf.SIMILAR_SHOWN`."""
    entry: QueueEntry | None = getattr(claim, "queue_entry", None)
    reference = re.match(r"(.*?\d+\.\d+|AIM [\d-]+)", str(claim.key_facts.get("cfr_reference", "")))
    if first := next(iter(elements), ""):
        place = Q(queue_entry__elements__contains=[first])
    elif entry and reference:
        section = {"key_facts__cfr_reference__startswith": reference[1]}
        place = Q(queue_entry__source=entry.source, queue_entry__group=entry.group, **section)
    else:
        place = Q(pk__in=[])
    rows = ConceptChunkEvidence.objects.filter(quote__in=quotes, chunk__in=claim.evidence.values("chunk"))
    place |= Q(pk__in=rows.values("concept"))
    others = claims_for(user).filter(place, category=claim.category, tenant=claim.tenant_id)
    others = others.annotate(on_same=Exists(rows.filter(concept=OuterRef("pk"))))
    others = others.order_by("-on_same")  # of many, those on the same quote are read
    others = others.exclude(pk=claim.pk).exclude(validation_status=ValidationStatus.REJECTED)
    near = []
    for other in others.only("name", "key_facts", "validation_status", "version", "stale")[
        : conf.SIMILAR_READ
    ]:
        likeness = likeness_of(claim, other)
        if likeness >= conf.SIMILAR_LIKENESS or other.on_same:
            near.append((likeness, other))
    near.sort(key=lambda one: (not one[1].on_same, -one[0], str(one[1].pk)))
    return [
        SimilarClaim(other, likeness, difference_between(claim, other), _rule_of(other) == _rule_of(claim))
        for likeness, other in near[: conf.SIMILAR_SHOWN]
    ]


def _rule_of(claim: Claim) -> tuple[str, ...]:
    return tuple(
        str(claim.key_facts.get(name, "")) for name in ("cfr_reference", "subject", "airspace_class")
    )
