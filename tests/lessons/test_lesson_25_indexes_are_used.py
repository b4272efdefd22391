"""The SQL filtered on a computed score, so no vector index could be used; a selective filter lost 95 % of the
results."""

import hashlib
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

import pytest
from django.db import connection, transaction
from psycopg import Cursor
from pytest_django import DjangoDbBlocker

from knowledge import conf
from knowledge.library_version import index_words, read_index_state
from knowledge.models import Chunk, ChunkEmbedding, Document, Tenant
from knowledge.retrieval import postings
from knowledge.retrieval.candidates import (
    PassageReader,
    Search,
    nearest_numbers,
    rank_passages,
    scan_settings,
    selectivity_for,
    similarity_statement,
)
from knowledge.retrieval.query.builder import Asked, build_query
from knowledge.retrieval.searchable import Condition, Scope
from knowledge.retrieval.values import Filters
from tests.doubles.library import MODEL, make_document, make_searchable, make_tenant

pytestmark = pytest.mark.django_db
SIZE = 4506
OF_THE_SCHOOL = 6  # 0.1 % of the rows
DOCUMENTS = 18


@cache
def _vector(seed: int) -> list[float]:
    generator = random.Random(seed)
    return [generator.uniform(-1, 1) for _ in range(MODEL.dimensions)]


def _fill(document: Document, numbers: range) -> None:
    chunks = Chunk.objects.bulk_create(
        Chunk(
            document=document,
            index=number,
            text=f"passage number{number} of the crowd",
            section=str(number),
            content_hash=hashlib.sha256(str(number).encode()).hexdigest(),
        )
        for number in numbers
    )
    ChunkEmbedding.objects.bulk_create(
        ChunkEmbedding(chunk=chunk, model=MODEL.name, vector=_vector(chunk.index)) for chunk in chunks
    )


@contextmanager
def _index_built_at_once() -> Iterator[None]:
    """The model's index, dropped and built again from its own definition: quicker than row by row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_indexdef('embedding_hnsw_minilm'::regclass)")
        (definition,) = cursor.fetchone()
        cursor.execute("DROP INDEX embedding_hnsw_minilm")
        yield
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no index is built over rows still to be checked
        cursor.execute(definition)
        cursor.execute("REINDEX TABLE knowledge_chunk")  # what earlier tests rolled back still weighs on it
        cursor.execute("ANALYZE knowledge_chunk, knowledge_chunkembedding, knowledge_document")


@pytest.fixture(scope="module")
def school(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Tenant]:
    """A small school in a large library, filled once in a transaction that is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        school = make_tenant()
        share = (SIZE - OF_THE_SCHOOL) // DOCUMENTS
        with _index_built_at_once():
            for number in range(DOCUMENTS):
                _fill(make_document(f"Document {number}"), range(number * share, (number + 1) * share))
            _fill(make_document("House rules", tenant=school), range(SIZE - OF_THE_SCHOOL, SIZE))
            make_searchable()
        index_words()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE knowledge_posting, knowledge_extent")
        yield school
        transaction.set_rollback(True)


def _search(text: str, tenant: int | None = None, *, shared: bool = True, k: int = 5) -> Search:
    return Search(
        scope=Scope(tenant=tenant, model=MODEL.name, shared=shared),
        vector=_vector(-1),
        terms=build_query(Asked(text=text)).terms,
        numbers=("17",),
        filters=Filters(),
        arm="hybrid",
        k=k,
        floor=0.0,
    )


def _plan(search: Search, statement: Condition) -> str:
    """As the server makes it for a search: among few by the values, among many once and for all of them."""
    breadth = selectivity_for(search.scope, search.filters, read_index_state())
    with transaction.atomic(), Cursor(connection.connection) as cursor:
        scan = scan_settings(search.most_by_vector, breadth)
        cursor.execute(scan.sql, scan.values)
        if breadth.is_narrow:
            cursor.execute(f"EXPLAIN {statement.sql}", statement.values)
        else:
            cursor.execute(f"EXPLAIN (GENERIC_PLAN) {_without_values(statement)}")
        return "\n".join(row[0] for row in cursor.fetchall())


def _without_values(statement: Condition) -> str:
    places = {name: f"${place}" for place, name in enumerate(statement.values, 1)}
    return re.sub(r"%\((\w+)\)s", lambda found: places[found[1]], statement.sql)


def _nearest(search: Search) -> Condition:
    breadth = selectivity_for(search.scope, search.filters, read_index_state())
    if breadth.is_narrow:
        return nearest_numbers(search.vector, search.allowed, search.most_by_vector, breadth)
    return _reading(search).nearest(search.most_by_vector, breadth)


def _reading(search: Search) -> PassageReader:
    return PassageReader(allowed=search.allowed, vector=search.vector, sections=("17",))


def _reads_all_passages(plan: str) -> bool:
    return "Seq Scan on knowledge_chunk" in plan


def test_among_many_the_index_of_the_vectors_is_followed(school: Tenant) -> None:
    plan = _plan(_search(""), _nearest(_search("")))
    assert "embedding_hnsw_minilm" in plan
    assert not _reads_all_passages(plan)


def test_among_few_each_is_compared(school: Tenant) -> None:
    search = _search("", school.pk, shared=False)
    plan = _plan(search, _nearest(search))
    assert "embedding_hnsw_minilm" not in plan
    assert not _reads_all_passages(plan)


def test_words_are_read_from_their_lists(school: Tenant) -> None:
    asked = {"owners": [0], "lexemes": ["number42"], "blocks": []}
    search = _search("")
    for sql in (postings.READ_SHORT_LISTS, postings.READ_LISTS):
        plan = _plan(search, Condition(sql, asked))
        assert "Seq Scan" not in plan
        assert "knowledge_chunk" not in plan


def test_a_section_has_an_index(school: Tenant) -> None:
    search = _search("")
    plan = _plan(search, _reading(search).in_sections(10))
    assert "chunk_section" in plan
    assert not _reads_all_passages(plan)


@pytest.mark.parametrize("asked", [("17",), ("17.*",), ("17", "18", "4.*")])
def test_a_filter_by_section_has_an_index(school: Tenant, asked: tuple[str, ...]) -> None:
    search = replace(_search(""), filters=Filters(sections=asked))
    plan = _plan(search, _nearest(search))
    assert "chunk_section" in plan
    assert not _reads_all_passages(plan)


def test_candidates_are_read_by_their_numbers(school: Tenant) -> None:
    search = _search("")
    plan = _plan(search, _reading(search).numbered([1, 2, 3]))
    assert "chunk_ordinal" in plan
    assert not _reads_all_passages(plan)


def test_similarity_of_several_texts_uses_the_index(school: Tenant) -> None:
    search = _search("")
    breadth = selectivity_for(search.scope, search.filters, read_index_state())
    statement = similarity_statement([_vector(-1), _vector(-2)], search.scope, breadth)
    plan = _plan(search, statement)
    assert "embedding_hnsw_minilm" in plan
    assert not _reads_all_passages(plan)


def test_statement_over_many_passages_is_planned_once(school: Tenant) -> None:
    before = _plans_made()
    first, *others = [rank_passages(_search("passage of the crowd")) for _ in range(4)]
    assert all(one == first for one in others)
    assert _plans_since(before) == {(0, 4)}


def test_statement_over_few_passages_is_planned_each_time(school: Tenant) -> None:
    before = _plans_made()
    for _ in range(4):
        rank_passages(_search("passage of the crowd", school.pk, shared=False))
    assert _plans_since(before) == {(4, 0)}


def _plans_made() -> dict[str, tuple[int, int]]:
    """Of each statement about passages that this connection keeps, how often it was planned for its values, and how
    often not."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT statement, custom_plans, generic_plans FROM pg_prepared_statements"
            " WHERE statement LIKE '%%knowledge_chunkembedding%%' AND custom_plans + generic_plans > 1"
        )
        return {statement: (own, general) for statement, own, general in cursor.fetchall()}


def _plans_since(before: dict[str, tuple[int, int]]) -> set[tuple[int, int]]:
    made = _plans_made()
    return {
        (own - before.get(statement, (0, 0))[0], general - before.get(statement, (0, 0))[1])
        for statement, (own, general) in made.items()
        if (own, general) != before.get(statement)
    }


def test_a_tenant_of_few_rows_loses_none_of_them(school: Tenant) -> None:
    found = rank_passages(_search("of the crowd", school.pk, shared=False, k=10))
    assert len(found) == OF_THE_SCHOOL


def test_the_index_finds_what_an_exact_scan_finds(school: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    search = _search("", k=20)
    indexed = {ranked.chunk_id for ranked in rank_passages(search)}
    monkeypatch.setattr(conf, "EXACT_ROWS", SIZE)
    assert selectivity_for(search.scope, search.filters, read_index_state()).is_narrow
    exact = {ranked.chunk_id for ranked in rank_passages(search)}
    assert len(indexed & exact) >= 19
