"""The ACS elements that a claim serves: proposed while it waits, changed by its reviewer, linked when it is approved.

Finding them takes a model some 50 ms per claim, so the claim's queue entry stores them. They are found again after a
standard was loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.db.models import F, Max, Q
from django.db.models.functions import Lower
from django.utils import timezone

from curation import conf
from curation.models import Claim, QueueEntry
from knowledge.db.connections import give_connection_back, try_lock
from knowledge.graph.claim_links import LinkTargets, Match, elements_for_claim, link_targets, source_of
from knowledge.models import AcsElement, Standard
from knowledge.models.graph import UNDECIDED, ConceptCategory, RelationType
from knowledge.standards.elements import UnknownElement
from llm.registry import embedding_model

BY_REVIEWER = "added by a reviewer"


@dataclass(frozen=True, slots=True)
class ServedElement:
    """An element that a claim serves or will serve, and why in words. `kept` is false where the reviewer who is being
    shown it has just taken it out."""

    code: str
    text: str
    task: str
    reason: str
    kept: bool = True


def proposed_matches(claim: Claim, statement: str = "") -> tuple[Match, ...]:
    """The elements that an approval would link the claim to, each with its reason; for a new `statement`, looked up."""
    if statement and statement != claim.name:
        return _look_up(claim, statement)
    entry: QueueEntry | None = getattr(claim, "queue_entry", None)
    if entry is None or entry.elements_found_at is None:
        entry = _store(claim, _look_up(claim, claim.name))
    return tuple(Match(code, *entry.element_reasons.get(code, (1.0, BY_REVIEWER))) for code in entry.elements)


def chosen_matches(claim: Claim, codes: Iterable[str]) -> tuple[Match, ...]:
    """The elements a reviewer chose; what was not proposed is theirs. Raises UnknownElement, which lists the codes."""
    wanted = list(dict.fromkeys(code.strip() for code in codes if code.strip()))
    proposed = {match.code: match for match in proposed_matches(claim)}
    known = _elements_by_code(wanted)
    if missing := [code for code in wanted if code.lower() not in known]:
        raise UnknownElement(f"No standard in use has {', '.join(missing)}. Codes look like PA.I.E.K1.")
    chosen = dict.fromkeys(known[code.lower()].code for code in wanted)
    return tuple(proposed.get(code) or Match(code, 1.0, BY_REVIEWER) for code in chosen)


def keep_chosen(claim: Claim, matches: Sequence[Match]) -> None:
    """Keep what a reviewer chose as the claim's elements."""
    _store(claim, matches)


def served_elements(claim: Claim, chosen: Sequence[str] | None = None) -> list[ServedElement]:
    """What the claim's page shows: the links of a claim that was decided, else what is proposed. `chosen` are the codes
    that a refused form had: others are shown as taken out."""
    found = proposed_matches(claim) if claim.is_undecided else _linked(claim)
    reasons = {match.code.lower(): match.reason for match in found}
    kept = None if chosen is None else {code.lower() for code in chosen}
    known = _elements_by_code([*reasons, *(kept or ())])
    return [
        ServedElement(
            known[code].code,
            known[code].text,
            known[code].task.title,
            reasons.get(code, BY_REVIEWER),
            kept=kept is None or code in kept,
        )
        for code in dict.fromkeys([*reasons, *(kept or ())])
        if code in known
    ]


def find_missing_elements(seconds: float = conf.ELEMENTS_SECONDS) -> int:
    """Look up the elements of waiting claims that have none yet, the most urgent first, for so long. Does nothing while
    another process does it. How many claims were read."""
    with try_lock("curation.find_elements") as ours:
        until = monotonic() + seconds
        since = Standard.objects.aggregate(last=Max("created_at"))["last"] if ours else None
        if since is None:
            return 0
        old = Q(queue_entry__elements_found_at__isnull=True) | Q(queue_entry__elements_found_at__lt=since)
        waiting = Claim.objects.filter(UNDECIDED & old, queue_entry__parked__isnull=True)
        claims = list(waiting.order_by("priority", "created_at", "pk")[: conf.ELEMENTS_A_SWEEP])
        targets = link_targets() if claims else ()
        for found, claim in enumerate(claims):
            if monotonic() >= until:
                return found
            give_connection_back()
            _store(claim, _look_up(claim, claim.name, targets))
        return len(claims)


def _linked(claim: Claim) -> tuple[Match, ...]:
    """The elements that the claim is linked to, the likeliest first."""
    links = claim.relations_out.filter(
        relation_type=RelationType.APPLIES_IN_SCENARIO, target__category=ConceptCategory.ACS_ELEMENT
    ).order_by("-confidence", "target__key")
    rows = links.values_list("target__key", "confidence", "reason")
    return tuple(Match(key.partition(":")[2], score, reason) for key, score, reason in rows)


def _look_up(claim: Claim, statement: str, targets: Sequence[LinkTargets] | None = None) -> tuple[Match, ...]:
    """The elements it is linked to already; without any, those that it is likely to belong to."""
    if statement == claim.name and (linked := _linked(claim)):
        return linked
    evidence = claim.evidence.select_related("chunk__document").order_by("evidence_type", "id").first()
    if evidence is None:
        return ()
    return elements_for_claim(statement, source_of(evidence.chunk), embedding_model(), targets)


def _store(claim: Claim, matches: Sequence[Match]) -> QueueEntry:
    found: dict[str, Any] = {
        "elements": [match.code for match in matches],
        "element_reasons": {match.code: [match.score, match.reason] for match in matches},
        "elements_found_at": timezone.now(),
    }
    entry, _ = QueueEntry.objects.update_or_create(claim_id=claim.pk, defaults=found)
    return entry


def _elements_by_code(codes: Iterable[str]) -> dict[str, AcsElement]:
    """By code in small letters; of elements with the same code, the one of a standard in use, the newest."""
    rows = AcsElement.objects.alias(lower=Lower("code")).filter(lower__in={code.lower() for code in codes})
    newest_last = F("task__area__standard__edition_date").asc(nulls_first=True)
    found = rows.select_related("task__area__standard").order_by("task__area__standard__current", newest_last)
    return {row.code.lower(): row for row in found}
