"""Ways to candidates, each by an index: the nearest vectors, the words, a section's number.

The nearest vectors are found by following the HNSW index of the model, which orders by distance alone and scans on
until enough passages pass the filters, or, where few pass, by comparing all of those. No leg filters on a computed
score. What a leg gives are the passages' numbers (`knowledge_chunk.ordinal`).
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from knowledge import conf

from .breadth import Breadth
from .searchable import FROM_CHUNKS, Condition


def scan_settings(candidates: int, breadth: Breadth) -> tuple[str, list[str]]:
    """Settings of this transaction. Each statement names by its order the index that serves it; rows are then looked up
    one by one, since what is planned for many rows is slow for few. No query is compiled."""
    settings = {
        "hnsw.iterative_scan": "relaxed_order",
        "hnsw.ef_search": str(_working_list(candidates, breadth)),
        "hnsw.max_scan_tuples": str(conf.MAX_SCAN_TUPLES),
        "enable_seqscan": "off",
        "enable_sort": "off",
        "enable_hashjoin": "off",
        "enable_mergejoin": "off",
        "jit": "off",
    }
    calls = ", ".join("set_config(%s, %s, true)" for _ in settings)
    return f"SELECT {calls}", [part for pair in settings.items() for part in pair]


def _working_list(candidates: int, breadth: Breadth) -> int:
    """Long enough that the candidates are among what it meets, of which only a share may be given."""
    return min(conf.EF_MOST, max(conf.EF_SEARCH, 2 * candidates, int(candidates / breadth.share)))


def nearest(vector: Sequence[float], allowed: Condition, most: int, breadth: Breadth) -> Condition:
    """By distance: the nearest; all that there are where they are few."""
    dimensions = len(vector)
    distance = f"e.vector::vector({dimensions}) <=> %(vector)s::vector({dimensions})"
    order = f"({distance}) + 0" if breadth.is_narrow else f"{distance} LIMIT %(most)s"
    sql = f"SELECT c.ordinal FROM {FROM_CHUNKS} WHERE {allowed.sql} ORDER BY {order}"
    return Condition(sql, {**allowed.values, "vector": written(vector), "most": most})


def written(vector: Sequence[float]) -> str:
    return "[" + ",".join(map(repr, map(float, vector))) + "]"


def of_sections(numbers: Sequence[str], allowed: Condition, most: int) -> Condition:
    """The passages of sections that were asked for by number: few, so that their order needs no index."""
    sql = f"""SELECT c.ordinal FROM {FROM_CHUNKS}
        WHERE {allowed.sql} AND c.section = ANY(%(numbers)s) ORDER BY c.ordinal + 0 LIMIT %(most)s"""
    return Condition(sql, {**allowed.values, "numbers": list(numbers), "most": most})


def told_of(
    ordinals: Sequence[int], allowed: Condition, dimensions: int, numbers: Sequence[str], runs: Sequence[str]
) -> Condition:
    """Of each of these passages, as far as it may be given: its id, its number, whether its section was asked for, its
    vector as bytes, and which of the runs of words it has."""
    has = ", ".join(f"c.search_vector @@ %(run_{at})s::tsquery" for at in range(len(runs)))
    sql = f"""
        SELECT c.id, c.ordinal, c.section = ANY(%(numbers)s), vector_send(e.vector::vector({dimensions})),
               ARRAY[{has}]::bool[]
        FROM {FROM_CHUNKS} WHERE {allowed.sql} AND c.ordinal = ANY(%(ordinals)s::bigint[])"""
    values: dict[str, Any] = {f"run_{at}": run for at, run in enumerate(runs)}
    return Condition(sql, {**allowed.values, **values, "numbers": list(numbers), "ordinals": list(ordinals)})


def rows_of(statement: Condition) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, statement.values)
        return list(cursor.fetchall())


def numbers_of(statement: Condition) -> list[int]:
    return [number for (number,) in rows_of(statement)]
