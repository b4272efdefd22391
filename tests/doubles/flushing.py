"""A test that commits empties the tables when it is over: by DELETE, which takes a fifth of a TRUNCATE's time.

TRUNCATE gives each table and each of its indexes a new file. Vectors alone need that: copies of one vector that come
and go by the hundred stay in an HNSW index until a vacuum, and it loses its way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.contenttypes.management import create_contenttypes
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import post_migrate
from pytest_django import DjangoDbBlocker

from tests.doubles.tables import write_tables

KEPT = ("django_content_type", "auth_permission")
"""The same in every test; a flush would make them anew."""

CHECKS = (
    "SELECT CASE WHEN usesuper THEN set_config('session_replication_role', '{}', true) END"
    " FROM pg_user WHERE usename = current_user"
)
"""Foreign keys and triggers are left alone ("replica") or looked at ("origin") for the rest of the transaction. Only a
superuser may say so, as the tests' own server's user is."""


@dataclass
class Between:
    """What the database holds between two tests: nothing, or the demo. Only where the next one wants the other is it
    changed."""

    put_demo: Callable[[], None] | None = None
    blocker: DjangoDbBlocker | None = None
    wants_demo: bool = False
    has_demo: bool = False

    def prepare(self, item: pytest.Item) -> None:
        names = getattr(item, "fixturenames", ())
        self.wants_demo = "demo" in names
        if self.blocker is None or not (
            self.wants_demo or "db" in names or item.get_closest_marker("django_db")
        ):
            return
        with self.blocker.unblock():
            if self.wants_demo and self.put_demo is not None:
                self.put_demo()
                self.has_demo = True
            elif self.has_demo and not self.wants_demo:
                self.has_demo = False
                call_command("flush", verbosity=0, interactive=False)

    def offer_demo(self, put_demo: Callable[[], None]) -> None:
        self.put_demo = put_demo
        if self.wants_demo:
            put_demo()
            self.has_demo = True


between = Between()


def flush_by_delete(style: Any, tables: Sequence[str], **options: object) -> list[str]:
    """Stands for `DatabaseOperations.sql_flush`. Foreign keys are not looked at, since all tables are emptied. What a
    test did to the demo is seen to before the next one."""
    if between.has_demo:
        return []
    emptied = [f'DELETE FROM "{table}"' for table in sorted(tables) if table not in KEPT]
    return [
        "; ".join(
            ["TRUNCATE knowledge_chunk CASCADE", CHECKS.format("replica"), *emptied, CHECKS.format("origin")]
        )
    ]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tables: Path) -> None:
    between.blocker = django_db_blocker
    with django_db_blocker.unblock():
        write_tables(tables)
    post_migrate.disconnect(create_contenttypes)  # what these make is kept
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    connection.ops.sql_flush = flush_by_delete  # type: ignore[method-assign]


def pytest_runtest_setup(item: pytest.Item) -> None:
    between.prepare(item)
