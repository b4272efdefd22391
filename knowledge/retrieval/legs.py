"""Ways to candidates, each by an index: the nearest vectors, the words, a section's number.

The nearest vectors are found by following the HNSW index of the model, which orders by distance alone and scans on
until enough passages pass the filters, or, where few pass, by comparing all of those. No leg filters on a computed
score. What a leg gives are the passages' numbers (`knowledge_chunk.ordinal`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from knowledge import conf

from .breadth import Breadth
from .searchable import FROM_CHUNKS, Condition

_ONE_BY_ONE = ("enable_seqscan", "enable_sort", "enable_hashjoin", "enable_mergejoin")


def scan_settings(candidates: int, breadth: Breadth) -> str:
    """Settings of a transaction, as a statement. Each statement names by its order the index that serves it; rows are
    then looked up one by one, since what is planned for many rows is slow for few. No query is compiled."""
    return _set(
        {
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.ef_search": str(_working_list(candidates, breadth)),
            "hnsw.max_scan_tuples": str(conf.MAX_SCAN_TUPLES),
            "jit": "off",
        }
        | dict.fromkeys(_ONE_BY_ONE, "off")
    )


def _set(settings: Mapping[str, str]) -> str:
    return "SELECT " + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())


def _working_list(candidates: int, breadth: Breadth) -> int:
    """The longer the fewer of what it meets may be given."""
    return min(conf.EF_MOST, max(2 * candidates, int(conf.EF_SEARCH / breadth.share)))


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


def rows_of(statement: Condition, settings: str) -> list[tuple[Any, ...]]:
    """Under these settings, which end with it, in one message to the server: on a busy machine each one waits."""
    plain = _set(dict.fromkeys(_ONE_BY_ONE, "on"))
    with connection.cursor() as cursor:
        cursor.execute(f"{settings}; {statement.sql}; {plain}", statement.values)
        cursor.nextset()
        return list(cursor.fetchall())


def numbers_of(statement: Condition, settings: str) -> list[int]:
    return [number for (number,) in rows_of(statement, settings)]
