"""Database connections beyond Django: give one back early, lock by name, prepare hot statements, send binary vectors.

A process has forty connections for all of its work. A prepared statement takes every value as a parameter, so the text
that the server keeps holds nobody's data.
"""

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import psycopg
from django.conf import settings
from django.db import connection, connections
from numpy.typing import NDArray
from psycopg import Connection, Cursor
from psycopg.adapt import Dumper
from psycopg.pq import Format


def give_connection_back() -> None:
    """Close this thread's connections before it waits on a network; the next query opens one. A transaction keeps
    its connection."""
    if not connections["default"].in_atomic_block:
        connections.close_all()


def lock_until_commit(name: str) -> None:
    """Hold the lock of this name until the transaction ends; whoever else wants it waits."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


@contextmanager
def try_lock(name: str) -> Iterator[bool]:
    """Hold the lock of this name for the block; False at once where somebody else holds it.

    It is a transaction on a connection of its own: the block may give its connections back, and a database's pooler
    keeps both together. It ends with the process."""
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
            try:
                yield cursor.fetchone()[0]
            finally:
                cursor.execute("ROLLBACK")
    finally:
        own.close()


def fetch_prepared(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of one prepared statement, within Django's transaction if there is one. Raises Django's errors."""
    connection.ensure_connection()
    with connection.wrap_database_errors, preparing_statements(connection.connection):
        return Cursor(connection.connection).execute(sql, values).fetchall()


@contextmanager
def preparing_statements(session: Connection[Any]) -> Iterator[None]:
    """Prepare every statement at its first use, in this block only.

    If psycopg counted uses itself, it would believe in a statement that an earlier error in the same pipeline kept the
    server from preparing, and would keep the text of Django's own statements, which contains their values.
    """
    session.prepare_threshold = 0 if settings.PREPARED_STATEMENTS else None
    try:
        yield
    finally:
        session.prepare_threshold = None


@dataclass(frozen=True, slots=True)
class BinaryVector:
    """A vector as a parameter of a psycopg cursor; the statement tells the server its type."""

    numbers: NDArray[np.float32]


class _VectorDumper(Dumper):
    """The format that pgvector's `vector_recv` reads: dimensions, two unused bytes, big-endian float32 values."""

    format = Format.BINARY

    def dump(self, vector: BinaryVector) -> bytes:
        return struct.pack(">HH", len(vector.numbers), 0) + vector.numbers.tobytes()


def register_vector_dumper() -> None:
    """Let every connection that is opened from now on send a BinaryVector."""
    psycopg.adapters.register_dumper(BinaryVector, _VectorDumper)
