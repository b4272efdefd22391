"""Agreement of reviewers on the claims that two or more of them read, from the record of decisions.

A judgment is a decision on one version by a reader who does not know the other verdicts. A decision that settles a
difference does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any
from uuid import UUID

from django.db.models import F
from django.db.models.fields.json import KT, KeyTextTransform

from curation import conf
from curation.models import DecisionKind, ReviewDecision
from curation.oversight.agreement import cohens_kappa, krippendorffs_alpha, pairs_of
from curation.selectors import verdicts_waiting
from knowledge.access.people import acts_for
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role

JUDGMENTS = (DecisionKind.VERDICT, DecisionKind.APPROVE, DecisionKind.EDIT, DecisionKind.REJECT)


@dataclass(slots=True)
class ReadClaim:
    """One version of a claim, what each reader judged of it, and the claim's status now."""

    claim: UUID
    statement: str
    domain: str
    status: str
    judgments: dict[str, str] = field(default_factory=dict)

    @property
    def status_words(self) -> str:
        return str(ValidationStatus(self.status).label).lower()

    @property
    def agree(self) -> bool:
        return len(set(self.judgments.values())) == 1


@dataclass(frozen=True, slots=True)
class Measure:
    """Agreement over `claims` claims, of which `agreed` had one judgment. `value` is kappa or alpha, None where it
    cannot be computed."""

    name: str
    claims: int
    agreed: int
    value: float | None

    @property
    def is_small(self) -> bool:
        return self.claims < conf.AGREEMENT_LEAST


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """`overall`, `reviewers` and `domains` are alphas, `pairs` kappas; `differing` the claims on which readers differ,
    the last read first, of `differing_count`."""

    overall: Measure
    pairs: tuple[Measure, ...]
    reviewers: tuple[Measure, ...]
    domains: tuple[Measure, ...]
    differing: tuple[ReadClaim, ...]
    differing_count: int


def agreement_report(user: Any, domain: str = "") -> AgreementReport:
    """For the schools that the user reviews for or operates; one query. Pairs, reviewers and claims of one domain if
    given."""
    every = claims_read_twice(user)
    chosen = [one for one in every if not domain or one.domain == domain]
    names = sorted({name for one in chosen for name in one.judgments})
    pairs = [_kappa(one, other, chosen) for one, other in combinations(names, 2)]
    differing = [one for one in reversed(chosen) if not one.agree]
    return AgreementReport(
        overall=_alpha("all reviewers", chosen),
        pairs=tuple(one for one in pairs if one.claims),
        reviewers=tuple(_alpha(name, [one for one in chosen if name in one.judgments]) for name in names),
        domains=tuple(
            _alpha(name, [one for one in every if one.domain == name])
            for name in sorted({one.domain for one in every})
        ),
        differing=tuple(differing[: conf.DISAGREEMENTS_SHOWN]),
        differing_count=len(differing),
    )


def claims_read_twice(user: Any) -> list[ReadClaim]:
    """The versions of claims that two or more read, in the order in which they were read last."""
    own = ReviewDecision.objects.filter(acts_for(user, Role.REVIEWER, Role.OPERATOR))
    read = own.filter(decision__in=JUDGMENTS, claim__in=verdicts_waiting().values("claim"))
    rows = read.exclude(after__has_key="settles").order_by("tenant_id", "number")
    found: dict[tuple[UUID, int], ReadClaim] = {}
    for row in rows.values(
        "claim",
        "version_read",
        "decision",
        reader=F("reviewer__username"),
        verdict=KT("after__verdict"),
        name=F("claim__name"),
        status=F("claim__validation_status"),
        domain=KeyTextTransform("domain", "claim__key_facts"),
    ):
        key = row["claim"], row["version_read"]
        one = found.pop(key, None) or ReadClaim(row["claim"], row["name"], row["domain"] or "", row["status"])
        judgment = row["verdict"] if row["decision"] == DecisionKind.VERDICT else row["decision"]
        one.judgments.setdefault(row["reader"], judgment)
        found[key] = one
    return [one for one in found.values() if len(one.judgments) > 1]


def _kappa(one: str, other: str, claims: Sequence[ReadClaim]) -> Measure:
    pairs = pairs_of(one, other, [read.judgments for read in claims])
    agreed = sum(first == second for first, second in pairs)
    return Measure(f"{one} and {other}", len(pairs), agreed, cohens_kappa(pairs))


def _alpha(name: str, claims: Sequence[ReadClaim]) -> Measure:
    agreed = sum(one.agree for one in claims)
    value = krippendorffs_alpha([list(one.judgments.values()) for one in claims])
    return Measure(name, len(claims), agreed, value)
