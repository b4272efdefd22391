"""Approved claims in a new edition: re-anchored by their quote, or flagged for the reviewers with the reason."""

from pathlib import Path

import pytest

from curation.models import Claim
from curation.queue import queue_for
from curation.review import approve_claim, reject_claim
from curation.selectors import WrongDecision
from knowledge.models import Chunk, ConceptChunkEvidence
from tests.doubles import editions
from tests.doubles.claims import make_user
from tests.doubles.editions import claim_on, document_of, feed, sentence

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def again(claim: Claim) -> Claim:
    return Claim.objects.get(pk=claim.pk)


def evidence_of(claim: Claim) -> ConceptChunkEvidence:
    return ConceptChunkEvidence.objects.select_related("chunk__document").get(concept=claim)


def test_a_quote_that_stands_in_a_changed_passage_takes_its_claim_along(folder: Path) -> None:
    first = document_of(feed(editions.markdown(folder / "a.md")))
    kept = sentence(editions.OXYGEN, 1)  # the other sentence of this passage changes
    claim = claim_on(first, kept)
    old = evidence_of(claim).chunk_id
    job = feed(editions.markdown(folder / "b.md", editions.SECOND))
    row = evidence_of(claim)
    assert (row.chunk.document, row.chunk_id != old) == (document_of(job), True)
    assert (again(claim).stale, again(claim).validation_status) == (False, "validated")
    assert job.counts["edition"]["claims"]["reanchored"] == 1


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        (sentence(editions.OXYGEN), "is no longer in"),
        (sentence(editions.LOGBOOK), "is no longer in"),
        ("for what is longer", "sentence around its quote changed"),
    ],
)
def test_a_quote_that_is_gone_flags_its_claim_and_drops_nothing(
    folder: Path, quote: str, reason: str
) -> None:
    first = document_of(feed(editions.markdown(folder / "a.md")))
    claim = claim_on(first, quote)
    job = feed(editions.markdown(folder / "b.md", editions.SECOND))
    found = again(claim)
    assert (found.stale, found.validation_status, found.version) == (True, "validated", 2)
    assert reason in found.stale_reason
    row = evidence_of(claim)
    assert (row.quote, row.chunk.document) == (quote, first)
    assert job.counts["edition"]["claims"]["stale"] == 1
    assert found in queue_for(make_user("reader"))


def test_a_rejected_claim_is_left_alone_and_a_pending_one_says_why(folder: Path) -> None:
    first = document_of(feed(editions.markdown(folder / "a.md")))
    rejected = claim_on(first, sentence(editions.OXYGEN), "rejected")
    pending = claim_on(first, sentence(editions.LOGBOOK), "pending")
    feed(editions.markdown(folder / "b.md", editions.SECOND))
    assert (again(rejected).stale, again(rejected).validation_status) == (False, "rejected")
    assert (again(pending).stale, again(pending).validation_status) == (True, "pending")


def test_a_quote_in_another_section_moves_only_if_it_cannot_be_mistaken(folder: Path) -> None:
    moved = (*editions.FIRST[:5], ("9.9", "Books", editions.LOGBOOK + " The book stays in the hangar."))
    first = document_of(feed(editions.markdown(folder / "a.md")))
    long, short = claim_on(first, sentence(editions.LOGBOOK)), claim_on(first, "Hours are written in tenths")
    second = document_of(feed(editions.markdown(folder / "b.md", moved)))
    assert (again(long).stale, evidence_of(long).chunk.document) == (False, second)
    assert "stands elsewhere: 9.9" in again(short).stale_reason


def test_approving_what_rests_on_nothing_in_force_is_refused(folder: Path) -> None:
    first = document_of(feed(editions.markdown(folder / "a.md")))
    claim = claim_on(first, sentence(editions.OXYGEN))
    feed(editions.markdown(folder / "b.md", editions.SECOND))
    reader = make_user("reader")
    with pytest.raises(WrongDecision, match="no edition in force"):
        approve_claim(claim.pk, reader, version=2)
    done = reject_claim(claim.pk, reader, version=2, reason="The new edition says 20 minutes.")
    assert (done.stale, done.stale_reason, done.validation_status) == (False, "", "rejected")


def test_chunking_the_same_file_anew_loses_no_claim_and_no_citation(folder: Path) -> None:
    path = editions.markdown(folder / "a.md")
    first = document_of(feed(path))
    claim = claim_on(first, sentence(editions.FUEL))
    cited = evidence_of(claim).chunk_id
    first.chunks.filter(pk=cited).update(
        content_hash="0" * 64, text=f"What an earlier reader made of it. {editions.FUEL}"
    )
    assert document_of(feed(path)) == first
    assert evidence_of(claim).chunk_id != cited
    assert not again(claim).stale
    retired = Chunk.every.get(pk=cited)
    assert retired.retired_at is not None
    assert cited not in first.chunks.values_list("pk", flat=True)
    assert not retired.embeddings.exists()
