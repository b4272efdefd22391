"""Vectors of another model are built beside those in use, and searches change over in one moment."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from knowledge.ingestion.jobs.jobs import retry_job, submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.vectors.index import has_index, index_name
from knowledge.ingestion.vectors.sets import (
    WrongSet,
    build_set,
    estimate_set,
    remove_set,
    switch_to_set,
    vector_sets,
)
from knowledge.library_version import model_in_use
from knowledge.models import Chunk, ChunkEmbedding, EmbeddingCache, IngestionJob, LibraryGeneration, VectorSet
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from llm.registry import embedding_model
from rules.countries import KNOWN_COUNTRIES
from rules.data.load import load_rules
from rules.data.parse import read_rules
from rules.models import AnswerVector, QuestionVector
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rule_files import two_questions
from tests.doubles.vector_models import LOCAL, REMOTE, two_models
from tests.doubles.vendors import Fails, Received, Reply, Vectors, VendorServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def vendor() -> Iterator[VendorServer]:
    with two_models(Vectors()) as vendor:
        yield vendor


def rules(path: Path, sections: int = 6) -> Path:
    """A file of so many passages."""
    text = (
        "The airspeed indicator of aircraft {0} of {1} is checked before each flight, and whoever finds that a mark "
        "is worn writes it into the book of aircraft {0} and tells the mechanic of {1}."
    )
    parts = [f"## Rule {number}\n\n{text.format(number, path.stem)}" for number in range(sections)]
    path.write_text("# Rules of the club\n\n" + "\n\n".join(parts) + "\n")
    return path


def feed(path: Path, **options: Any) -> IngestionJob:
    job = submit_file(path, options=options, wake=False)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "succeeded", job.error
    return job


def build(name: str = REMOTE) -> IngestionJob:
    job = build_set(name, wake=False)
    run_job(job.pk)
    job.refresh_from_db()
    return job


def vectors_of(name: str) -> int:
    return ChunkEmbedding.objects.filter(model=name, state="current").count()


def sent(vendor: VendorServer) -> list[str]:
    return [text for request in vendor.received for text in request.body["input"]]


@pytest.fixture
def library(vendor: VendorServer, tmp_path: Path) -> Path:
    feed(rules(tmp_path / "club.md"), doc_type="sop")
    assert vendor.received == []
    return tmp_path


def test_the_first_vectors_of_a_library_name_its_model(library: Path) -> None:
    assert model_in_use() == LOCAL
    (row,) = VectorSet.objects.all()
    assert (row.model, row.dimensions, row.in_use) == (LOCAL, 384, True)


@pytest.mark.long
def test_they_are_built_beside_and_searches_go_on_as_before(library: Path, vendor: VendorServer) -> None:
    before = [found.chunk_id for found in search(SearchRequest(query="airspeed indicator")).results]
    job = build()
    assert (job.state, job.counts["embedded"]) == ("succeeded", Chunk.objects.count())
    assert vectors_of(REMOTE) == vectors_of(LOCAL) == Chunk.objects.count()
    assert model_in_use() == LOCAL
    embedded = len(vendor.received)
    assert [found.chunk_id for found in search(SearchRequest(query="airspeed indicator")).results] == before
    assert len(vendor.received) == embedded


def test_from_the_switch_on_query_and_passages_are_of_the_other_model(
    library: Path, vendor: VendorServer
) -> None:
    build()
    generation = LibraryGeneration.objects.get().generation
    asked = len(vendor.received)
    assert switch_to_set(REMOTE) == LOCAL
    assert LibraryGeneration.objects.get().generation > generation
    assert search(SearchRequest(query="airspeed indicator", arm="lexical")).results
    assert [request.body["input"] for request in vendor.received[asked:]] == [["airspeed indicator"]]
    assert switch_to_set(LOCAL) == REMOTE
    asked = len(vendor.received)
    assert search(SearchRequest(query="airspeed indicator")).results
    assert len(vendor.received) == asked


@pytest.mark.long
def test_a_search_under_way_ends_with_the_model_that_it_began_with(library: Path) -> None:
    """The switch falls between the query's vector and the ranking."""
    build()

    class Switching(HashingEmbedding):
        def embed_query(self, text: str) -> list[float]:
            switch_to_set(REMOTE)
            return super().embed_query(text)

    found = search(SearchRequest(query="airspeed indicator"), Switching())
    assert model_in_use() == REMOTE
    assert max(one.similarity for one in found.results) > 0.1


def test_it_is_refused_while_a_passage_would_be_lost(library: Path) -> None:
    with pytest.raises(WrongSet, match="no vectors of text-embedding-3-small"):
        switch_to_set(REMOTE)
    build()
    ChunkEmbedding.objects.filter(model=REMOTE).order_by("pk")[0].delete()
    with pytest.raises(WrongSet, match="1 passages have no vector"):
        switch_to_set(REMOTE)
    assert model_in_use() == LOCAL
    assert build().counts["chunks"] == 1
    switch_to_set(REMOTE)


@pytest.mark.long
def test_what_is_fed_in_meanwhile_gets_vectors_of_both(library: Path, vendor: VendorServer) -> None:
    job = build_set(REMOTE, wake=False)
    late = feed(rules(library / "late.md", 2), doc_type="sop")
    assert late.counts["embedding"][REMOTE]["misses"] == late.document.chunks.count()  # type: ignore[union-attr]
    run_job(job.pk)
    switch_to_set(REMOTE)
    after = feed(rules(library / "after.md", 1), doc_type="sop")
    assert set(after.counts["embedding"]) == {LOCAL, REMOTE}
    switch_to_set(LOCAL)


def test_where_the_other_model_is_away_the_document_is_served_and_the_set_is_behind(tmp_path: Path) -> None:
    with two_models(Vectors(), Fails(500)) as vendor:
        feed(rules(tmp_path / "one.md", 1), doc_type="sop")
        build()
        job = feed(rules(tmp_path / "two.md", 2), doc_type="sop")
        assert job.document is not None
        assert job.document.status == "published"
        assert job.counts["behind"] == [REMOTE]
        assert "build them before you switch" in next(s["note"] for s in job.steps if s["name"] == "embed")
        (behind,) = [one for one in vector_sets() if one.model == REMOTE]
        assert (behind.behind, behind.ready) == (job.document.chunks.count(), False)
        with pytest.raises(WrongSet, match="have no vector"):
            switch_to_set(REMOTE)
        vendor.script[:] = [Vectors()]
        assert build().state == "succeeded"
        switch_to_set(REMOTE)


def test_building_goes_on_where_the_vendor_failed(tmp_path: Path) -> None:
    with two_models(Vectors(), Fails(500)) as vendor:
        feed(rules(tmp_path / "long.md", 120), doc_type="sop")
        assert Chunk.objects.count() > 100
        job = build()
        assert (job.state, job.attempts) == ("queued", 0)
        assert vectors_of(REMOTE) == 50
        spent = job.counts["embedding"][REMOTE]
        assert (spent["misses"], spent["requests"], spent["retries"]) == (50, 4, 2)
        vendor.script[:] = [Vectors()]
        IngestionJob.objects.update(lease_until=None)
        run_job(job.pk)
        job.refresh_from_db()
        assert job.state == "succeeded"
        assert vectors_of(REMOTE) == Chunk.objects.count()
        texts = sent(vendor)
        assert len(set(texts[200:])) == len(texts[200:])  # no text that was embedded was sent again
        spent = job.counts["embedding"][REMOTE]
        assert spent["misses"] == EmbeddingCache.objects.filter(model=REMOTE).count()
        assert spent["cost_usd"] == pytest.approx(spent["tokens"] * 0.02 / 1e6, abs=1e-6)


@pytest.mark.long
def test_cancelled_it_keeps_what_it_has_and_goes_on_when_retried(library: Path) -> None:
    job = build_set(REMOTE, wake=False)
    assert build_set(REMOTE, wake=False).pk == job.pk
    IngestionJob.objects.filter(pk=job.pk).update(state="cancelled")
    assert retry_job(job)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "succeeded"


@pytest.mark.long
def test_the_estimate_is_what_it_took(library: Path) -> None:
    told = estimate_set(REMOTE)
    assert told.passages == Chunk.objects.count()
    assert told.requests == 1
    job = build()
    assert job.estimate["tokens"] == told.tokens
    spent = job.counts["embedding"][REMOTE]
    assert spent["requests"] == told.requests
    assert spent["tokens"] == pytest.approx(told.tokens, rel=0.3)
    assert told.cost_usd == pytest.approx(told.tokens * 0.02 / 1e6, abs=1e-6)


def test_old_vectors_go_by_an_act_of_their_own(library: Path) -> None:
    build()
    with pytest.raises(WrongSet, match="Switch to another model first"):
        remove_set(LOCAL)
    switch_to_set(REMOTE)
    assert vectors_of(LOCAL) > 0
    assert remove_set(LOCAL) == Chunk.objects.count()
    assert vectors_of(LOCAL) == 0
    with pytest.raises(WrongSet):
        switch_to_set(LOCAL)
    assert [one.model for one in vector_sets() if one.kept] == [REMOTE]
    assert build(LOCAL).counts["from_cache"] == Chunk.objects.count()  # the cache still knows them
    switch_to_set(LOCAL)


def test_a_set_that_is_being_built_is_not_removed(library: Path) -> None:
    build_set(REMOTE, wake=False)
    with pytest.raises(WrongSet, match="Cancel that job first"):
        remove_set(REMOTE)


def test_a_model_that_is_not_set_up_is_said(library: Path) -> None:
    with pytest.raises(WrongSet, match="text-embedding-9 is not set up here"):
        build_set("text-embedding-9", wake=False)
    with pytest.raises(WrongSet, match="already"):
        build_set(LOCAL, wake=False)


def test_another_models_index_is_made_used_and_dropped(tmp_path: Path) -> None:
    name = "text-embedding-3-large"
    with two_models(Vectors(), name=name):
        feed(rules(tmp_path / "one.md", 2), doc_type="sop")
        assert not has_index(name)
        assert build(name).state == "succeeded"
        assert has_index(name)
        with connection.cursor() as cursor:
            cursor.execute("SET enable_seqscan = off; SET enable_sort = off")
            cursor.execute(
                "EXPLAIN SELECT chunk_id FROM knowledge_chunkembedding WHERE model = %s AND state = 'current'"
                " ORDER BY vector::vector(1536) <=> %s::vector(1536) LIMIT 5",
                [name, str([0.1] * 1536)],
            )
            plan = " ".join(row[0] for row in cursor.fetchall())
            cursor.execute("RESET enable_seqscan; RESET enable_sort")
        assert index_name(name) in plan
        remove_set(name)
        assert not has_index(name)


@pytest.mark.long
def test_a_passage_that_changed_while_the_model_worked_gets_no_old_vector(tmp_path: Path) -> None:
    class Changing(VendorServer):
        """While it answers, somebody gives a passage another heading."""

        def take(self, request: Received) -> Reply:
            Chunk.objects.filter(index=0).update(heading=f"Heading {len(self.received)}")
            connection.close()
            return super().take(request)

    with two_models(Vectors(), vendor=Changing(Vectors())):
        feed(rules(tmp_path / "club.md"), doc_type="sop")
        job = build()
        assert (job.state, job.counts["code"]) == ("failed", "embedding_incomplete")
        assert vectors_of(REMOTE) == Chunk.objects.count() - 1
        with pytest.raises(WrongSet):
            switch_to_set(REMOTE)


@pytest.mark.long
def test_a_switch_takes_the_vectors_of_the_rules_along(tmp_path: Path, vendor: VendorServer) -> None:
    feed(rules(tmp_path / "club.md"), doc_type="sop")
    file = read_rules(json.dumps({"questions": two_questions()}).encode(), KNOWN_COUNTRIES)
    load_rules(file, embedding_model(LOCAL))
    build()
    switch_to_set(REMOTE)
    assert QuestionVector.objects.filter(model=REMOTE).count() == 2
    assert AnswerVector.objects.filter(model=REMOTE).count() == 3


def test_a_switch_that_cannot_take_them_along_is_refused(tmp_path: Path, vendor: VendorServer) -> None:
    feed(rules(tmp_path / "club.md"), doc_type="sop")
    build()
    file = read_rules(json.dumps({"questions": two_questions()}).encode(), KNOWN_COUNTRIES)
    load_rules(file, embedding_model(LOCAL))
    vendor.script[:] = [Fails(status=400)]
    with pytest.raises(WrongSet, match="European rules"):
        switch_to_set(REMOTE)
    assert model_in_use() == LOCAL
