"""A scratch database beside the configured one, removed when the measurement is over."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection

COPY = "copy"


@contextmanager
def scratch_database() -> Iterator[str]:
    """Migrated and empty, on the same server; its name."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield connection.settings_dict["NAME"]
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


@contextmanager
def copied() -> Iterator[str]:
    """The scratch database as it is now, under another name, which is given. The session with its settings ends."""
    creation = connection.creation
    creation.clone_test_db(COPY, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")  # else the copy is written while times are measured
    try:
        yield creation.get_test_db_clone_settings(COPY)["NAME"]
    finally:
        creation.destroy_test_db(suffix=COPY, verbosity=0)


def no_cache() -> dict[str, Any]:
    """No answer is kept; the flags are, as in a running process."""
    return {**settings.CACHES, "default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
