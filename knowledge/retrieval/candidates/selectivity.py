"""How many passages a search may find at all, and so by which way the nearest of them are found.

Few are all read and compared. Among many the index of the vectors is followed, the farther the fewer of those that it
meets may be given. What a document meets as a whole is counted from the extents of documents, which are kept beside the
lists of words; what single passages meet is counted up to the number from which it no longer matters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from django.db import connection

from knowledge import conf
from knowledge.db.visibility_filter import IN_FORCE
from knowledge.retrieval.candidates.posting_store import owners_of
from knowledge.retrieval.searchable import ALWAYS, Condition, Scope, of_documents, of_passages
from knowledge.retrieval.values import Filters
from knowledge.word_index import EXTENTS, State


@dataclass(frozen=True, slots=True)
class Breadth:
    """Passages under the filters, those of the owners that are searched, and those of all owners."""

    allowed: int
    owned: int
    whole: int

    @property
    def is_narrow(self) -> bool:
        """Reading all of them costs less than following the index."""
        return self.allowed <= most_read(self.whole)

    @property
    def share(self) -> float:
        """Of the passages in the index those that may be given."""
        return self.allowed / self.whole if self.allowed else 1.0


def most_read(whole: int) -> int:
    return isqrt(conf.EXACT_ROWS * whole)


def breadth_of(scope: Scope, filters: Filters, state: State) -> Breadth:
    """Counted once for each state of the lists; each time where some are out of date."""
    return _kept(scope, filters, state) if state.lasts else _made(scope, filters, state)


def _made(scope: Scope, filters: Filters, state: State) -> Breadth:
    counted = _counted(scope, filters, state.stale)
    passages = of_passages(filters)
    if passages is ALWAYS or counted.is_narrow:
        return counted
    return Breadth(_bounded(scope, filters, most_read(counted.whole) + 1), counted.owned, counted.whole)


_kept = lru_cache(maxsize=4096)(_made)


def _counted(scope: Scope, filters: Filters, stale: Sequence[int]) -> Breadth:
    statement = statement_of(scope, filters, stale)
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, statement.values)
        return Breadth(*cursor.fetchone())


def statement_of(scope: Scope, filters: Filters, stale: Sequence[int]) -> Condition:
    """The three numbers as one statement with its parameters."""
    documents = of_documents(filters)
    joined = "" if documents is ALWAYS else "JOIN knowledge_document d ON d.id = x.document_id"
    live = f"UNION ALL {EXTENTS}" if stale else ""
    sql = f"""
        SELECT COALESCE(sum(x.passages) FILTER (WHERE x.owner = ANY(%(owners)s::bigint[]) AND {documents.sql}), 0)::int,
               COALESCE(sum(x.passages) FILTER (WHERE x.owner = ANY(%(owners)s::bigint[])), 0)::int,
               COALESCE(sum(x.passages), 0)::int
        FROM (SELECT block, document_id, owner, passages FROM knowledge_extent
              WHERE NOT block = ANY(%(blocks)s::int[]) {live}) AS x {joined}"""
    return Condition(sql, {**documents.values, "owners": owners_of(scope), "blocks": list(stale)})


def _bounded(scope: Scope, filters: Filters, most: int) -> int:
    allowed = of_documents(filters) & of_passages(filters)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM (SELECT FROM knowledge_chunk c JOIN knowledge_document d ON d.id = c.document_id"
            f" WHERE {IN_FORCE} AND COALESCE(d.tenant_id, 0) = ANY(%(owners)s::bigint[]) AND {allowed.sql}"
            " LIMIT %(most)s) AS first",
            {**allowed.values, "owners": owners_of(scope), "most": most},
        )
        return int(cursor.fetchone()[0])
