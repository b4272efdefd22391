"""The tables, made by the migrations once a run and copied from then on: making them takes ten seconds.

The first test process writes down what it made. One that begins later makes a template of that for its database, and so
does the browser's house. A database of somebody else's server is made by the migrations.
"""

import os
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from heydpe.archive import OWNERLESS, Database, configured_database, dump_database, run_tool
from tests.embedded import are_ours_used


def folder_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that all test processes share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that they are written to."""
    return folder_of_the_run(tmp_path_factory) / "tables.dump"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tables: Path) -> None:
    """No test uses the database that our own server is made with: it becomes the template."""
    if tables.exists() and are_ours_used():
        put_tables(tables, os.environ["DATABASE_URL"])
        connection.settings_dict["TEST"]["TEMPLATE"] = connection.settings_dict["NAME"]


def write_tables(tables: Path) -> None:
    if not tables.exists():
        partial = tables.with_name(f"tables.{os.getpid()}")
        dump_database(partial, configured_database())
        partial.replace(tables)


def put_tables(tables: Path, url: str) -> None:
    """Into an empty database."""
    with psycopg.connect(url) as server:
        database = Database(conninfo=url, password="", version=server.info.server_version // 10_000)
    run_tool(database, "pg_restore", [*OWNERLESS, str(tables)])
