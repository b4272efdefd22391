"""Make and drop the index of one model's vectors: the column holds vectors of any length, an index those of one.

Migrations make the indexes of the models that the library comes with; that of another model is made when its vectors
are built, without locking the table, and is dropped with them.
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
    """A name that is unique to the model and fits into PostgreSQL's limit."""
    short = re.sub(r"[^a-z0-9]+", "_", model.lower())[:24].strip("_")
    return MIGRATED.get(model) or f"embedding_hnsw_{short}_{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def has_index(model: str) -> bool:
    """Whether the model's index is complete."""
    return _is_valid(index_name(model)) is True


def ensure_index(model: str, dimensions: int) -> None:
    """Make the index unless it is complete; one that a killed process left unfinished is made anew."""
    name = index_name(model)
    state = _is_valid(name)
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
    """Drop the index, unless a migration made it: an empty index costs nothing."""
    if model not in MIGRATED:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(index_name(model))))


def _is_valid(name: str) -> bool | None:
    """Whether the index is complete; None if there is no such index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE c.relname = %s AND pg_table_is_visible(c.oid)",
            [name],
        )
        row = cursor.fetchone()
    return None if row is None else bool(row[0])
