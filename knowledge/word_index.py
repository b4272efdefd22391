"""Passages become lists, word by word: of each owner's words, in which passages they stand.

An owner is the shared library, or one tenant. Triggers of the database note each block of passages of which something
changed; `index_words` writes the lists of those anew, in the transaction of the change (`knowledge.library_version`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from knowledge.db.visibility_filter import IN_FORCE

from . import conf

SHARED = 0  # the owner of the shared library
_LOCK = 4_806_214  # of those who write lists: a number that nothing else here locks

_OF_BLOCKS = f"""
    FROM unnest(%(blocks)s::bigint[]) AS b (block)
    JOIN knowledge_chunk c ON c.ordinal BETWEEN b.block * {conf.WORDS_BLOCK} AND (b.block + 1) * {conf.WORDS_BLOCK} - 1
    JOIN knowledge_document d ON d.id = c.document_id"""

# One entry for each word and passage (`conf.WORDS_PLACE` and the following).
LISTS = f"""
    SELECT COALESCE(d.tenant_id, {SHARED}) AS owner, w.lexeme COLLATE "C" AS lexeme,
           (c.ordinal / {conf.WORDS_BLOCK})::int AS block, count(*)::int AS passages,
           string_agg(int4send((mod(c.ordinal, {conf.WORDS_BLOCK}) * {conf.WORDS_PLACE}
               + LEAST(63, cardinality(w.positions)) * {conf.WORDS_OFTEN}
               + ('A' = ANY(w.weights))::int * {conf.WORDS_HEADED}
               + LEAST({conf.WORDS_LONG - 1}, length(c.search_vector)))::int), '' ORDER BY c.ordinal) AS packed
    {_OF_BLOCKS} CROSS JOIN unnest(c.search_vector) AS w (lexeme, positions, weights) WHERE {IN_FORCE}"""

EXTENTS = f"""
    SELECT (c.ordinal / {conf.WORDS_BLOCK})::int AS block, c.document_id, COALESCE(d.tenant_id, {SHARED}) AS owner,
           count(*)::int AS passages
    {_OF_BLOCKS} WHERE {IN_FORCE} GROUP BY 1, 2, 3"""


@dataclass(frozen=True, slots=True)
class State:
    """Blocks whose lists are out of date, and the name of the state of all others; what was counted under a name can be
    kept. Empty where no list was written yet."""

    stale: tuple[int, ...]
    version: str

    @property
    def lasts(self) -> bool:
        return bool(self.version) and not self.stale


def index_words() -> int:
    """Write the lists of all blocks that changed anew; their number. What others change at the same time is theirs to
    write: they wait until this transaction is over."""
    if not state_of_words().stale:
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        cursor.execute("DELETE FROM knowledge_staleblock RETURNING block")
        blocks = sorted({block for (block,) in cursor.fetchall()})
        if not blocks:  # whoever held the lock has written them
            return 0
        for block in blocks:
            for statement in _WRITTEN_ANEW:
                cursor.execute(statement, {"blocks": [block]})
        cursor.execute("DELETE FROM knowledge_wordindex")
        cursor.execute("INSERT INTO knowledge_wordindex (version) VALUES (gen_random_uuid())")
    return len(blocks)


_WRITTEN_ANEW = (
    "DELETE FROM knowledge_posting WHERE block = ANY(%(blocks)s)",
    "DELETE FROM knowledge_extent WHERE block = ANY(%(blocks)s)",
    f"INSERT INTO knowledge_posting (owner, lexeme, block, passages, packed) {LISTS} GROUP BY 1, 2, 3",
    f"INSERT INTO knowledge_extent (block, document_id, owner, passages) {EXTENTS}",
)


def is_there() -> bool:
    """Whether the tables of the lists are: before them, and after going back behind them, they are not."""
    return "knowledge_staleblock" in connection.introspection.table_names()


STATE = """
    SELECT ARRAY(SELECT DISTINCT block FROM knowledge_staleblock ORDER BY block),
           (SELECT version::text FROM knowledge_wordindex)"""

_last: dict[str, State] = {}


def state_of_words() -> State:
    with connection.cursor() as cursor:
        cursor.execute(STATE)
        return state_from(*cursor.fetchone())


def state_from(stale: Sequence[int], version: str | None) -> State:
    """What `STATE` gives. It is remembered, but for one that a transaction sees: nobody else may ever see that."""
    state = State(tuple(stale), version or "")
    if not connection.in_atomic_block:
        _last[connection.alias] = state
    return state


def state_before() -> State:
    """The last state that this process has met: it may have passed since. In a transaction the present one."""
    known = None if connection.in_atomic_block else _last.get(connection.alias)
    return known or state_of_words()
