"""Two reviewers decide at the same moment, each on a connection of its own: on one claim, one wins and one is told; of
a whole queue, nothing is lost or doubled."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from curation.models import Claim, QueueEntry, ReviewDecision
from curation.oversight.audit import verify_chains
from curation.queue import next_to_read
from curation.review import StaleDecision, approve_claim, reject_claim
from knowledge.models import Concept, ConceptChunkEvidence
from tests.doubles.claims import RULES, make_claims, make_rules_chunk, make_user
from tests.sampling import WHOLE

MANY = 10_000 if WHOLE else 60
"""Claims that two reviewers decide on together."""


@pytest.mark.django_db(transaction=True)
def test_one_of_two_simultaneous_decisions_wins() -> None:
    claim = make_claims()[0]
    reviewers = [make_user("one"), make_user("two")]
    barrier = Barrier(2)

    def decide(place: int) -> str:
        barrier.wait()
        try:
            if place:
                reject_claim(claim.pk, reviewers[1], version=claim.version, reason="No.")
            else:
                approve_claim(claim.pk, reviewers[0], version=claim.version)
        except StaleDecision as refused:
            return "; ".join(refused.changed)
        finally:
            connection.close()
        return "won"

    with ThreadPoolExecutor(2) as pool:
        outcomes: list[Any] = list(pool.map(decide, range(2)))
    (loser,) = [outcome for outcome in outcomes if outcome != "won"]
    assert "one approved it" in loser or "two rejected it" in loser
    assert ReviewDecision.objects.count() == 1
    assert Claim.objects.get(pk=claim.pk).version == claim.version + 1


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_reviewers_clear_a_queue_and_lose_and_double_nothing() -> None:
    chunk = make_rules_chunk()
    rules = Concept.objects.bulk_create(
        Concept(key=f"claim:{number}", name=f"Rule {number}.", category="regulatory_claim")
        for number in range(MANY)
    )
    quote = RULES.splitlines()[-1]
    ConceptChunkEvidence.objects.bulk_create(
        ConceptChunkEvidence(concept=one, chunk=chunk, quote=quote) for one in rules
    )
    QueueEntry.objects.bulk_create(QueueEntry(claim=one) for one in rules)
    reviewers = [make_user("one"), make_user("two")]
    barrier = Barrier(2)

    def clear_queue(place: int) -> list[Any]:
        """The claims on which this reviewer's decision was kept."""
        kept = []
        barrier.wait()
        try:
            while claim := next_to_read(reviewers[place]):
                try:
                    kept.append(approve_claim(claim.pk, reviewers[place], version=claim.version).pk)
                except StaleDecision:  # the other one decided between its reading and its hand-out
                    continue
        finally:
            connection.close()
        return kept

    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(clear_queue, range(2))
    assert one
    assert two
    assert len(one) + len(two) == len({*one, *two}) == MANY
    assert Claim.objects.filter(validation_status="validated", version=2).count() == MANY
    recorded = set(ReviewDecision.objects.values_list("claim", "reviewer"))
    assert recorded == {(pk, who.pk) for who, kept in zip(reviewers, (one, two), strict=True) for pk in kept}
    done = verify_chains()
    assert (done.rows, done.broken) == (MANY, ())
