"""Statements that every search makes are prepared on their connection at their first use: planned once for it, not each
time.

What is prepared takes every value as a parameter, so that the text that is kept says nothing of anybody.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection
from psycopg import Connection, Cursor


def rows_of(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """What one statement gives, in the transaction of Django's connection if there is one. Raises Django's errors."""
    connection.ensure_connection()
    with connection.wrap_database_errors, preparing(connection.connection):
        return Cursor(connection.connection).execute(sql, values).fetchall()


@contextmanager
def preparing(session: Connection[Any]) -> Iterator[None]:
    """Statements are prepared at their first use, and only here. Left to count, psycopg would believe in one that an
    error in the same message kept the server from making, and would keep the text of Django's own statements, which
    hold their values."""
    session.prepare_threshold = 0 if settings.PREPARED_STATEMENTS else None
    try:
        yield
    finally:
        session.prepare_threshold = None
