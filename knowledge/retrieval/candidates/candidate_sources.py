"""Ways to candidates, each by an index: the nearest vectors, the words, a section's number.

The nearest vectors are found by following the HNSW index of the model, which orders by distance alone and scans on
until enough passages pass the filters, or, where few pass, by comparing all of those. No leg filters on a computed
score. What a leg gives are the passages' numbers (`knowledge_chunk.ordinal`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from django.db import connection
from psycopg import Cursor

from knowledge import conf
from knowledge.db.prepared_statements import preparing
from knowledge.db.vector_adapter import Sent
from knowledge.retrieval.candidates.selectivity import Breadth
from knowledge.retrieval.searchable import FROM_CHUNKS, Condition

_ONE_BY_ONE = ("enable_seqscan", "enable_sort", "enable_hashjoin", "enable_mergejoin", "enable_memoize")


def scan_settings(candidates: int, breadth: Breadth) -> Condition:
    """Settings of a transaction, as a statement with its parameters. Each statement names by its order the index that
    serves it; rows are then looked up one by one, since what is planned for many rows is slow for few. No query is
    compiled. What is asked of many passages is planned once for each connection; of few, by which filter they are few.
    """
    return _scan(breadth.is_narrow, _working_list(candidates, breadth))


@lru_cache(maxsize=256)
def _scan(is_narrow: bool, working_list: int) -> Condition:
    always = _set(
        {
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.max_scan_tuples": str(conf.MAX_SCAN_TUPLES),
            "jit": "off",
            "plan_cache_mode": "force_custom_plan" if is_narrow else "force_generic_plan",
        }
        | dict.fromkeys(_ONE_BY_ONE, "off")
    )
    return Condition(
        f"{always}, set_config('hnsw.ef_search', %(listed)s, true)", {"listed": str(working_list)}
    )


def _set(settings: Mapping[str, str]) -> str:
    return "SELECT " + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())


def _working_list(candidates: int, breadth: Breadth) -> int:
    """Long enough that twice what is wanted, and more, should be among what may be given."""
    allowed = max(conf.EF_ALLOWED, 2 * candidates)
    return min(conf.EF_MOST, max(conf.EF_SEARCH, int(allowed / breadth.share)))


def nearest(vector: Sequence[float], allowed: Condition, most: int, breadth: Breadth) -> Condition:
    """By distance: the nearest; all that there are where they are few."""
    return _passages("c.ordinal", _by_distance(vector, allowed, most, breadth))


def _by_distance(vector: Sequence[float], allowed: Condition, most: int, breadth: Breadth) -> Condition:
    dimensions = len(vector)
    distance = f"e.vector::vector({dimensions}) <=> %(vector)s::vector({dimensions})"
    order = f"({distance}) + 0" if breadth.is_narrow else f"{distance} LIMIT %(most)s"
    values = {**allowed.values, "vector": Sent(np.asarray(vector, ">f4")), "most": most}
    return Condition(f"{allowed.sql} ORDER BY {order}", values)


def written(vector: Sequence[float]) -> str:
    """With as many digits as tell one number of four bytes from its neighbours."""
    return "[" + ",".join([f"{one:.9g}" for one in vector]) + "]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is read of passages, as far as they may be given: the id, the number, whether the section is one that was
    asked for, the vector as bytes, and which of the runs of words it has."""

    allowed: Condition
    vector: Sequence[float]
    sections: Sequence[str] = ()
    runs: Sequence[str] = ()

    def nearest(self, most: int, breadth: Breadth) -> Condition:
        return self._of(_by_distance(self.vector, self.allowed, most, breadth))

    def numbered(self, ordinals: Sequence[int]) -> Condition:
        """Those that have these numbers."""
        among = {"ordinals": "{" + ",".join(map(str, ordinals)) + "}"}
        return self._of(self.allowed & Condition("c.ordinal = ANY(%(ordinals)s::bigint[])", among))

    def asked_for(self, most: int) -> Condition:
        """Those of the sections: few, so that their order needs no index."""
        last = Condition(
            "c.section = ANY(%(sections)s) ORDER BY c.ordinal + 0 LIMIT %(most)s", {"most": most}
        )
        return self._of(self.allowed & last)

    def _of(self, which: Condition) -> Condition:
        has = ", ".join(f"c.search_vector @@ %(run_{at})s::tsquery" for at in range(len(self.runs)))
        vector = f"vector_send(e.vector::vector({len(self.vector)}))"
        columns = f"c.id, c.ordinal, c.section = ANY(%(sections)s::text[]), {vector}, ARRAY[{has}]::bool[]"
        runs = {f"run_{at}": run for at, run in enumerate(self.runs)}
        return _passages(
            columns, replace(which, values={**which.values, **runs, "sections": list(self.sections)})
        )


def _passages(columns: str, which: Condition) -> Condition:
    return Condition(f"SELECT {columns} FROM {FROM_CHUNKS} WHERE {which.sql}", which.values)


def results_of(statements: Iterable[Condition], scan: Condition) -> list[list[Any]]:
    """The rows of each of them, under these settings, which end with the transaction: that of these statements alone,
    or one around them, in which what tells the planner how to read is taken back. As bytes, not as text in between. The
    server begins with each as soon as it is there, and is waited for once: what makes the next one costs no time of its
    own."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursors = []
        with preparing(connection.connection), connection.connection.pipeline():
            Cursor(connection.connection).execute(scan.sql, scan.values)
            try:
                for statement in statements:
                    cursors.append(Cursor(connection.connection))
                    cursors[-1].execute(statement.sql, statement.values, binary=True)
            finally:
                if connection.in_atomic_block:
                    Cursor(connection.connection).execute(_TAKEN_BACK)
        return [cursor.fetchall() for cursor in cursors]


_TAKEN_BACK = _set({**dict.fromkeys((*_ONE_BY_ONE, "jit"), "on"), "plan_cache_mode": "auto"})
