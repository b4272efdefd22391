"""Each model's vectors have an index of their own: the column holds vectors of any length, an index only those of one.

Those of the models that the library comes with are made by a migration; another's is made when its vectors are built,
without locking the table, and goes with them.
"""

import hashlib
import re

from django.db import connection
from psycopg import sql

from knowledge import conf

MIGRATED = {
    "all-MiniLM-L6-v2": "embedding_hnsw_minilm",
    "text-embedding-3-small": "embedding_hnsw_openai_small",
}
_TABLE = "knowledge_chunkembedding"


def index_name(model: str) -> str:
    short = re.sub(r"[^a-z0-9]+", "_", model.lower())[:24].strip("_")
    return MIGRATED.get(model) or f"embedding_hnsw_{short}_{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def has_index(model: str) -> bool:
    return _validity(index_name(model)) is True


def ensure_index(model: str, dimensions: int) -> None:
    """Make the index if it is not there; one that a killed process left half made is made anew."""
    name = index_name(model)
    state = _validity(name)
    if state is True:
        return
    with connection.cursor() as cursor:
        if state is False:
            cursor.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(name)))
        cursor.execute(
            sql.SQL(
                "CREATE INDEX {how} IF NOT EXISTS {name} ON {table} USING hnsw"
                " ((vector::vector({dimensions})) vector_cosine_ops) WITH (ef_construction = {build})"
                " WHERE model = {model} AND state = 'current'"
            ).format(
                build=sql.Literal(conf.EF_CONSTRUCTION),
                how=sql.SQL("" if connection.in_atomic_block else "CONCURRENTLY"),
                name=sql.Identifier(name),
                table=sql.Identifier(_TABLE),
                dimensions=sql.Literal(dimensions),
                model=sql.Literal(model),
            )
        )


def drop_index(model: str) -> None:
    """Those of the migrations stay: an empty index costs nothing."""
    if model not in MIGRATED:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(index_name(model))))


def _validity(name: str) -> bool | None:
    """None where there is no such index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE c.relname = %s AND pg_table_is_visible(c.oid)",
            [name],
        )
        row = cursor.fetchone()
    return None if row is None else bool(row[0])
