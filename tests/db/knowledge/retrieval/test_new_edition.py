"""A changed edition: what did not change keeps its row, vector and claims, the rest is made anew."""

from pathlib import Path

import pytest

from knowledge.models import Chunk, ChunkEmbedding, ConceptChunkEvidence, Document
from knowledge.retrieval.searchable import Scope, searchable_chunks
from tests.doubles import editions
from tests.doubles.editions import CountingEmbedding, claim_on, document_of, feed, ids_by_text, sentence
from tests.doubles.library import MODEL

pytestmark = pytest.mark.django_db
SCOPE = Scope(tenant=None, model=MODEL.name)


@pytest.fixture(params=["markdown", "pdf"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def made(folder: Path, kind: str, name: str, sections: editions.Sections) -> Path:
    make = {"markdown": editions.markdown, "pdf": editions.pdf}[kind]
    return make(folder / f"{name}.{'md' if kind == 'markdown' else 'pdf'}", sections)


def test_unchanged_passages_keep_id_vector_and_evidence_and_only_changed_ones_are_embedded(
    tmp_path: Path, kind: str
) -> None:
    first = document_of(feed(made(tmp_path, kind, "first", editions.FIRST), edition_date="2024-01-01"))
    claim = claim_on(first, sentence(editions.FUEL))
    before = ids_by_text(first)
    vectors = dict(ChunkEmbedding.objects.values_list("chunk_id", "id"))
    model = CountingEmbedding()
    job = feed(made(tmp_path, kind, "second", editions.SECOND), model, edition_date="2026-01-01")
    second = document_of(job)
    after = ids_by_text(second)
    same = before.keys() & after.keys()
    assert len(same) == 3
    assert all(before[text] == after[text] for text in same)
    assert len(model.passages) == len(after) - len(same) == 3
    assert all(ChunkEmbedding.objects.get(chunk=after[text]).pk == vectors[after[text]] for text in same)
    evidence = ConceptChunkEvidence.objects.get(concept=claim)
    assert evidence.chunk.document_id == second.pk
    claim.refresh_from_db()
    assert (claim.validation_status, claim.stale, claim.version) == ("validated", False, 1)
    counted = job.counts["edition"]
    assert (counted["kept"], counted["new"], counted["gone"]) == (3, 3, 3)


def test_the_old_edition_is_superseded_and_no_longer_served(tmp_path: Path, kind: str) -> None:
    first = document_of(feed(made(tmp_path, kind, "first", editions.FIRST)))
    second = document_of(feed(made(tmp_path, kind, "second", editions.SECOND)))
    first.refresh_from_db()
    assert (first.superseded_by, first.status, second.follows) == (second, "published", first)
    assert {chunk.document_id for chunk in searchable_chunks(SCOPE)} == {second.pk}
    assert searchable_chunks(SCOPE).count() == second.chunks.count() == 6
    assert [chunk.index for chunk in second.chunks.order_by("index")] == list(range(6))


def test_pages_of_evidence_follow_the_passage(tmp_path: Path) -> None:
    first = document_of(feed(editions.pdf(tmp_path / "first.pdf")))
    claim = claim_on(first, sentence(editions.LIGHTS))
    feed(editions.pdf(tmp_path / "second.pdf", editions.SECOND, front=2))
    evidence = ConceptChunkEvidence.objects.get(concept=claim)
    assert (evidence.page, evidence.chunk.page_start) == (6, 6)


@pytest.mark.long
def test_a_draft_of_a_new_edition_changes_nothing_until_it_is_published(tmp_path: Path, kind: str) -> None:
    first = document_of(feed(made(tmp_path, kind, "first", editions.FIRST)))
    before = ids_by_text(first)
    draft = document_of(feed(made(tmp_path, kind, "second", editions.SECOND), status="draft"))
    first.refresh_from_db()
    assert first.superseded_by is None
    assert ids_by_text(first) == before
    assert draft.chunks.count() == draft.places.count() == 3
    assert {chunk.document_id for chunk in searchable_chunks(SCOPE)} == {first.pk}


@pytest.mark.long
def test_the_same_new_edition_twice_is_once(tmp_path: Path, kind: str) -> None:
    old, path = made(tmp_path, kind, "first", editions.FIRST), made(tmp_path, kind, "second", editions.SECOND)
    first = document_of(feed(old))
    second = document_of(feed(path))
    rows = set(Chunk.objects.values_list("id", "document_id", "index", "content_hash"))
    assert document_of(feed(path)) == second
    assert set(Chunk.objects.values_list("id", "document_id", "index", "content_hash")) == rows
    job = feed(old)  # the old file once more changes nothing
    assert job.document == first
    assert set(Chunk.objects.values_list("id", "document_id", "index", "content_hash")) == rows
    assert any("superseded" in step["note"] for step in job.steps)


@pytest.mark.long
def test_an_older_edition_fed_in_later_takes_no_place(tmp_path: Path, kind: str) -> None:
    second = document_of(feed(made(tmp_path, kind, "second", editions.SECOND), edition_date="2026-01-01"))
    job = feed(made(tmp_path, kind, "first", editions.FIRST), edition_date="2024-01-01")
    first, second = document_of(job), Document.objects.get(pk=second.pk)
    assert (first.superseded_by, second.superseded_by) == (second, None)
    assert {chunk.document_id for chunk in searchable_chunks(SCOPE)} == {second.pk}
    assert job.counts["edition"]["older"]


def test_documents_of_one_name_that_share_nothing_are_two_works(tmp_path: Path) -> None:
    one = document_of(feed(editions.markdown(tmp_path / "one.md", editions.FIRST[:3])))
    two = document_of(feed(editions.markdown(tmp_path / "two.md", editions.FIRST[3:])))
    assert (one.superseded_by, two.follows) == (None, None)
    assert searchable_chunks(SCOPE).count() == 6


def test_an_operator_may_say_that_it_is_an_edition(tmp_path: Path) -> None:
    one = document_of(feed(editions.markdown(tmp_path / "one.md", editions.FIRST[:3])))
    two = document_of(
        feed(
            editions.markdown(tmp_path / "two.md", editions.FIRST[3:]),
            edition_of=str(one.pk),
            status="published",
        )
    )
    one.refresh_from_db()
    assert (one.superseded_by, two.follows) == (two, one)


def test_a_school_supersedes_nothing_of_the_shared_library(tmp_path: Path) -> None:
    from tests.doubles.library import make_tenant

    shared = document_of(feed(editions.markdown(tmp_path / "first.md")))
    own = document_of(feed(editions.markdown(tmp_path / "second.md", editions.SECOND), tenant=make_tenant()))
    shared.refresh_from_db()
    assert (shared.superseded_by, own.follows) == (None, None)
