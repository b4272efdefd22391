"""What was skipped was skipped in silence. In a new edition every claim is kept, moved or flagged, and counted."""

from pathlib import Path

import pytest

from knowledge.models import Concept, ConceptChunkEvidence
from tests.doubles import editions
from tests.doubles.editions import claim_on, document_of, feed, sentence

pytestmark = pytest.mark.django_db


def test_lesson_34_every_claim_is_accounted_for(tmp_path: Path) -> None:
    first = document_of(feed(editions.markdown(tmp_path / "a.md")))
    claims = [claim_on(first, sentence(text, at)) for _, _, text in editions.FIRST for at in (0, 1)]
    quotes = set(ConceptChunkEvidence.objects.values_list("concept_id", "quote"))
    job = feed(editions.markdown(tmp_path / "b.md", editions.SECOND))
    second = document_of(job)
    assert set(ConceptChunkEvidence.objects.values_list("concept_id", "quote")) == quotes
    counted = job.counts["edition"]["claims"]
    stale = Concept.objects.filter(stale=True)
    here = ConceptChunkEvidence.objects.filter(chunk__document=second)
    assert stale.count() == counted["stale"] == 4  # one in parking, one on oxygen, both of the logbook
    assert not stale.filter(stale_reason="").exists()
    assert here.count() + counted["stale"] == len(claims)
    assert counted["reanchored"] == 2  # the other sentences of parking and oxygen
    assert not here.filter(concept__stale=True).exists()
