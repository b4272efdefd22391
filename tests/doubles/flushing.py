"""A test that commits empties the tables when it is over: by DELETE, which takes a fifth of a TRUNCATE's time.

TRUNCATE gives each table and each of its indexes a new file. Vectors alone need that: copies of one vector that come
and go by the hundred stay in an HNSW index until a vacuum, and it loses its way.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection

KEPT = ("django_content_type", "auth_permission")
"""The same in every test; a flush would make them anew."""

CHECKS = (
    "SELECT CASE WHEN usesuper THEN set_config('session_replication_role', '{}', true) END"
    " FROM pg_user WHERE usename = current_user"
)
"""Foreign keys and triggers are left alone ("replica") or looked at ("origin") for the rest of the transaction. Only a
superuser may say so, as the tests' own server's user is."""


def flush_by_delete(style: Any, tables: Sequence[str], **options: object) -> list[str]:
    """Stands for `DatabaseOperations.sql_flush`. Foreign keys are not looked at, since all tables are emptied."""
    emptied = [f'DELETE FROM "{table}"' for table in sorted(tables) if table not in KEPT]
    return [
        "; ".join(
            ["TRUNCATE knowledge_chunk CASCADE", CHECKS.format("replica"), *emptied, CHECKS.format("origin")]
        )
    ]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    connection.ops.sql_flush = flush_by_delete  # type: ignore[method-assign]
