"""A database of its own beside the configured one, removed when the measurement is over."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def scratch_database() -> Iterator[None]:
    """Migrated and empty, on the same server."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
