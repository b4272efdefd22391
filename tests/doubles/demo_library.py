"""The demo as rows: loaded once a run through the real pipeline, in place while tests that want it follow each other.

What a test commits is noticed before the next one, which finds the tables that were written as they were. Test
processes that run side by side share one load: the first to need it makes it, the others wait.
"""

import fcntl
import pickle
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from desk.demo.load import DemoLoaded, load_demo
from tests.doubles.caches import caches_in_memory
from tests.doubles.flushing import CHECKS, between
from tests.doubles.tables import folder_of_the_run

KEPT = "django_migrations"
WITH_VECTORS = {"knowledge_chunk", "knowledge_chunkembedding"}
"""Written again together with all that depends on them: see `_begin_new_indexes`."""
SEQUENCES = (
    "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, greatest(last_value, 100000))"
    " FROM pg_sequences WHERE schemaname = 'public'"
)


@dataclass(frozen=True)
class Rows:
    """Every table's rows in PostgreSQL's own copy format, the folder of the demo's files, and what the load said."""

    tables: dict[str, tuple[tuple[str, ...], bytes]]
    media: Path
    said: DemoLoaded
    signatures: dict[str, object] = field(default_factory=dict)
    """Of each table in the database, as it was when its rows were put there."""


@dataclass(frozen=True)
class Demo:
    """The three accounts of the demo."""

    student: Any
    reviewer: Any
    operator: Any


@pytest.fixture(scope="session")
def demo_rows(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Rows:
    shared, media = folder_of_the_run(tmp_path_factory), tmp_path_factory.mktemp("demo") / "media"
    with django_db_blocker.unblock():
        with (shared / "demo.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (shared / "demo.pickle").exists():
                _load_into(shared)
        tables, said = pickle.loads((shared / "demo.pickle").read_bytes())
        rows = Rows(tables, media, said)
        shutil.copytree(shared / "demo-media", media)
        _advance_sequences()
        between.offer_demo(lambda: put_in_place(rows))
    return rows


def _load_into(shared: Path) -> None:
    media = shared / "demo-media"
    shutil.rmtree(media, ignore_errors=True)  # of a process that ended halfway
    here = override_settings(DEBUG=True, DEMO_PASSWORD="demo", MEDIA_ROOT=media, CACHES=caches_in_memory())
    with here, _taken_back():
        said = load_demo()
        tables = {table: (columns, _copied(table, columns)) for table, columns in _tables()}
    (shared / "demo.partial").write_bytes(pickle.dumps((tables, said)))
    (shared / "demo.partial").replace(shared / "demo.pickle")


def _advance_sequences() -> None:
    """Another process may have made the rows: its numbers must not be given out again, nor those that were."""
    with connection.cursor() as cursor:
        cursor.execute(SEQUENCES)


@contextmanager
def _taken_back() -> Iterator[None]:
    with transaction.atomic():
        _begin_new_indexes()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def demo(demo_rows: Rows, db: None, settings: LazySettings) -> Demo:
    """The demo library, elements, claims and accounts; a test with threads is marked `transaction=True`."""
    settings.MEDIA_ROOT = demo_rows.media
    settings.DEMO_PASSWORD = (
        "not the one they have"  # tests run without DEBUG, where the demo's accounts are shut
    )
    with connection.cursor() as cursor:
        # A process knows what was counted under a version, which never comes back.
        cursor.execute("UPDATE knowledge_wordindex SET version = gen_random_uuid()")
        # Nor does a generation of the library: what a test found in a library that it changed is kept in Redis.
        cursor.execute(
            "UPDATE knowledge_librarygeneration SET generation = 1000000 * extract(epoch FROM clock_timestamp())"
        )
    accounts = get_user_model().objects.in_bulk(field_name="username")
    return Demo(accounts["student"], accounts["reviewer"], accounts["operator"])


def put_in_place(rows: Rows) -> None:
    """The rows as they were loaded, whatever earlier tests left: only tables that were written are written again."""
    found = _signatures(rows)
    written = {table for table in rows.tables if found[table] != rows.signatures.get(table)}
    if not written:
        return
    put_back(rows, rows.tables if written & WITH_VECTORS else written)
    rows.signatures.update(_signatures(rows))


def _signatures(rows: Rows) -> dict[str, object]:
    """How many rows each table has and the latest transaction that wrote one of them: these change whatever is
    committed. Vectors that were rolled back count as well, by the pages that they took."""
    asked = [
        f"SELECT '{table}', count(*), max(xmin::text::bigint), "
        + (f"pg_total_relation_size('{table}')" if table in WITH_VECTORS else "0")
        + f' FROM "{table}"'
        for table in rows.tables
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return {table: signature for table, *signature in cursor.fetchall()}


def put_back(rows: Rows, tables: Collection[str] | None = None) -> None:
    """Foreign keys are not looked at: the rows come from one database, whole. The planner has to know how many there
    are: where it takes a table for empty, as it was when last looked at, one statement can take minutes."""
    with transaction.atomic(), connection.cursor() as cursor:
        if tables is None or WITH_VECTORS & set(tables):
            _begin_new_indexes()
        _write_rows(cursor, rows, rows.tables if tables is None else tables)
        if tables is None or len(tables) == len(rows.tables):
            cursor.execute("ANALYZE")


def furnish(data_dir: Path, database_url: str, rows: Rows) -> None:
    """The rows and files in another, migrated database that has none: loading them anew takes most of a minute."""
    with psycopg.connect(database_url) as other, other.cursor() as cursor:
        _write_rows(cursor, rows, rows.tables)
        cursor.execute(SEQUENCES)
    shutil.copytree(rows.media, data_dir / "media", dirs_exist_ok=True)


def _write_rows(cursor: Any, rows: Rows, tables: Iterable[str]) -> None:
    cursor.execute(CHECKS.format("replica"))
    for table in tables:
        columns, data = rows.tables[table]
        cursor.execute(f'DELETE FROM "{table}"')
        if data:
            with cursor.copy(f"COPY {_place(table, columns)} FROM STDIN") as copy:
                copy.write(data)
    cursor.execute(CHECKS.format("origin"))


def _begin_new_indexes() -> None:
    """Rows that are rolled back stay in an index until a vacuum, and copies of one vector by the hundred make an HNSW
    index lose its way. A truncated table has new files, which go with the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE knowledge_chunk CASCADE")


def _tables() -> list[tuple[str, tuple[str, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position) FROM information_schema.columns"
            " JOIN information_schema.tables USING (table_schema, table_name)"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'"
            " GROUP BY table_name"
        )
        return [(table, tuple(columns)) for table, columns in cursor.fetchall() if table != KEPT]


def _copied(table: str, columns: tuple[str, ...]) -> bytes:
    with connection.cursor() as cursor, cursor.copy(f"COPY {_place(table, columns)} TO STDOUT") as copy:
        return b"".join(bytes(block) for block in copy)


def _place(table: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(f'"{column}"' for column in columns)
    return f'"{table}" ({names})'
