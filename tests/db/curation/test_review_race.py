"""Two reviewers decide on one claim at the same moment, each on a connection of its own: one wins, one is
told."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from curation.models import Claim, ReviewDecision
from curation.review import StaleDecision, approve_claim, reject_claim
from tests.doubles.claims import make_claims, make_user


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
