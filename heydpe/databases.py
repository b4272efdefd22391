"""What Django knows of its database becomes plain values: address, tables, migrations."""

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg.conninfo import make_conninfo

from .archive import Database, Migration

# What of Django's connection parameters libpq itself knows.
LIBPQ = (
    "host",
    "port",
    "user",
    "dbname",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "service",
    "passfile",
)


def database_of_settings() -> Database:
    parameters = connection.get_connection_params()
    with connection.cursor() as cursor:
        cursor.execute("show server_version_num")
        version = int(cursor.fetchone()[0]) // 10_000
    conninfo = make_conninfo(**{name: parameters[name] for name in LIBPQ if parameters.get(name)})
    return Database(conninfo=conninfo, password=str(parameters.get("password") or ""), version=version)


def applied_migrations() -> frozenset[Migration]:
    return frozenset(MigrationRecorder(connection).applied_migrations())


def known_migrations() -> frozenset[Migration]:
    """Of this version of the code, with those that others have replaced."""
    known = MigrationLoader(None).disk_migrations or {}
    replaced = {(str(app), str(name)) for one in known.values() for app, name in one.replaces}
    return frozenset(known) | replaced


def tables() -> list[str]:
    with connection.cursor() as cursor:
        return [table.name for table in connection.introspection.get_table_list(cursor)]


def close_connections() -> None:
    """Also those that a pool keeps open."""
    connection.close()
    close_pool = getattr(connection, "close_pool", None)
    if close_pool is not None:
        close_pool()
