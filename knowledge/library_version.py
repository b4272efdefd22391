"""The state of the library that searches depend on: its generation, its word index, and the embedding model in use.

Whatever changes the library calls `library_changed` in the same transaction. It rewrites the posting lists of the
blocks that database triggers marked stale, and raises the generation, which is part of every cache key.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F

from knowledge.db.connections import fetch_prepared
from knowledge.db.visibility_filter import IN_FORCE
from knowledge.models import LibraryGeneration, VectorSet

from . import conf

SHARED = 0  # means the shared library where tenants are numbers

Generations = tuple[tuple[int, int], ...]
"""(tenant key, generation) for each library that a tenant's searches depend on."""


def library_changed(tenant: int | None) -> None:
    """Call it in the transaction that adds, edits, deletes, publishes, archives or embeds again."""
    if not _indexing_later.get():
        index_words()
    key = SHARED if tenant is None else tenant
    LibraryGeneration.objects.bulk_create(
        [LibraryGeneration(tenant_key=key, generation=0)], ignore_conflicts=True
    )
    LibraryGeneration.objects.filter(tenant_key=key).update(generation=F("generation") + 1)


_indexing_later: ContextVar[bool] = ContextVar("indexing_later", default=False)


@contextmanager
def words_indexed_once() -> Iterator[None]:
    """Change many documents and rewrite the posting lists once, at the end: a block holds passages of many. Until
    then, searches read the stale blocks from their passages."""
    token = _indexing_later.set(True)
    try:
        yield
    finally:
        _indexing_later.reset(token)
        index_words()


def everything_changed() -> None:
    """Invalidate every cached search of all tenants and of the shared library."""
    LibraryGeneration.objects.update(generation=F("generation") + 1)


def generations_of(tenant: int | None) -> Generations:
    """The generations of the shared library and of the tenant's own."""
    keys = list({SHARED, SHARED if tenant is None else tenant})
    sql = """
        SELECT tenant_key, generation FROM knowledge_librarygeneration
        WHERE tenant_key = ANY(%(keys)s::bigint[]) ORDER BY tenant_key"""
    return tuple((key, generation) for key, generation in fetch_prepared(sql, {"keys": keys}))


def model_in_use() -> str:
    """The embedding model whose vectors are searched; until there are vectors, the one in the settings. It is a row
    that is read each time, so that all processes switch at once."""
    name = VectorSet.objects.filter(in_use=True).values_list("model", flat=True).first()
    return name or settings.EMBEDDING_MODEL


def models_beside() -> list[str]:
    """The models whose vectors are kept up to date beside those in use, oldest first."""
    return list(VectorSet.objects.filter(in_use=False).values_list("model", flat=True))


# --- The word index: for each owner and word, the passages that contain it -----------------------------------

_LOCK = 4_806_214  # of those who write posting lists: a number that nothing else here locks

_OF_BLOCKS = f"""
    FROM unnest(%(blocks)s::bigint[]) AS b (block)
    JOIN knowledge_chunk c ON c.ordinal BETWEEN b.block * {conf.WORDS_BLOCK} AND (b.block + 1) * {conf.WORDS_BLOCK} - 1
    JOIN knowledge_document d ON d.id = c.document_id"""

# One packed entry for each word and passage: `conf.WORDS_PLACE` and the numbers after it say how.
POSTINGS_OF_BLOCKS = f"""
    SELECT COALESCE(d.tenant_id, {SHARED}) AS owner, w.lexeme COLLATE "C" AS lexeme,
           (c.ordinal / {conf.WORDS_BLOCK})::int AS block, count(*)::int AS passages,
           string_agg(int4send((mod(c.ordinal, {conf.WORDS_BLOCK}) * {conf.WORDS_PLACE}
               + LEAST(63, cardinality(w.positions)) * {conf.WORDS_OFTEN}
               + ('A' = ANY(w.weights))::int * {conf.WORDS_HEADED}
               + LEAST({conf.WORDS_LONG - 1}, length(c.search_vector)))::int), '' ORDER BY c.ordinal) AS packed
    {_OF_BLOCKS} CROSS JOIN unnest(c.search_vector) AS w (lexeme, positions, weights) WHERE {IN_FORCE}"""

EXTENTS_OF_BLOCKS = f"""
    SELECT (c.ordinal / {conf.WORDS_BLOCK})::int AS block, c.document_id, COALESCE(d.tenant_id, {SHARED}) AS owner,
           count(*)::int AS passages
    {_OF_BLOCKS} WHERE {IN_FORCE} GROUP BY 1, 2, 3"""

_REWRITE_BLOCK = (
    "DELETE FROM knowledge_posting WHERE block = ANY(%(blocks)s)",
    "DELETE FROM knowledge_extent WHERE block = ANY(%(blocks)s)",
    "INSERT INTO knowledge_posting (owner, lexeme, block, passages, packed)"
    f" {POSTINGS_OF_BLOCKS} GROUP BY 1, 2, 3",
    f"INSERT INTO knowledge_extent (block, document_id, owner, passages) {EXTENTS_OF_BLOCKS}",
)

INDEX_STATE = """
    SELECT ARRAY(SELECT DISTINCT block FROM knowledge_staleblock ORDER BY block),
           (SELECT version::text FROM knowledge_wordindex)"""


@dataclass(frozen=True, slots=True)
class IndexState:
    """The blocks whose posting lists are out of date, and the version of all others ("" before the first indexing)."""

    stale: tuple[int, ...]
    version: str

    @property
    def is_cacheable(self) -> bool:
        """Whether what is read from the lists stays right until the version changes."""
        return bool(self.version) and not self.stale


_last_states: dict[str, IndexState] = {}  # by the alias of the connection


def index_words() -> int:
    """Rewrite the posting lists of all stale blocks; returns how many. Concurrent callers wait for this transaction and
    find their own blocks left to them."""
    if not read_index_state().stale:
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        cursor.execute("DELETE FROM knowledge_staleblock RETURNING block")
        blocks = sorted({block for (block,) in cursor.fetchall()})
        if not blocks:  # whoever held the lock has written them
            return 0
        for block in blocks:
            for statement in _REWRITE_BLOCK:
                cursor.execute(statement, {"blocks": [block]})
        cursor.execute("DELETE FROM knowledge_wordindex")
        cursor.execute("INSERT INTO knowledge_wordindex (version) VALUES (gen_random_uuid())")
    return len(blocks)


@transaction.atomic
def remove_from_library(row: Any) -> None:
    """Delete a row of a school or of the shared library, such as a note; the next question and search know it."""
    tenant = row.tenant_id
    row.delete()
    library_changed(tenant)


def has_word_index() -> bool:
    """Whether the tables exist: they do not before their migration, nor after it is reversed."""
    return "knowledge_staleblock" in connection.introspection.table_names()


def read_index_state() -> IndexState:
    with connection.cursor() as cursor:
        cursor.execute(INDEX_STATE)
        return remember_index_state(*cursor.fetchone())


def remember_index_state(stale: Sequence[int], version: str | None) -> IndexState:
    """The row of `INDEX_STATE` as a value. It is remembered unless a transaction read it: others may never see that."""
    state = IndexState(tuple(stale), version or "")
    if not connection.in_atomic_block:
        _last_states[connection.alias] = state
    return state


def last_index_state() -> IndexState:
    """The last state that this process read, which may have passed since; within a transaction the present one."""
    known = None if connection.in_atomic_block else _last_states.get(connection.alias)
    return known or read_index_state()
