"""An argument list becomes a command with what it needs around it: services that run, a database with tables.

Exit status: 0 done, 1 failed, 2 wrong arguments, 3 a service is away. 2 is known before anything is started.
"""

import os
import secrets
import sys
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager

import django
import psycopg
import redis
from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.db import Error as DatabaseFailure
from django.db import connection
from kombu.exceptions import OperationalError as BrokerFailure

from .databases import close_connections, tables
from .embedded import Embedded, embedded_for, give_secret_key
from .services import ServicesError, acquire_services

FAILED, WRONG_ARGUMENTS, SERVICE_AWAY = 1, 2, 3

# These look at code and settings alone.
WITHOUT_SERVICES = frozenset(
    {
        *("check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "help", "makemessages"),
        *("makemigrations", "spectacular", "startapp", "startproject", "version"),
    }
)
# These make, fill or look into the database themselves.
WITHOUT_MIGRATING = frozenset(
    {
        *("backup", "dbshell", "flush", "inspectdb", "migrate", "restore", "showmigrations", "sqlflush"),
        *("sqlmigrate", "test"),
    }
)
# Long enough for a server across a slow network, short enough for a person who waits.
CONNECT_SECONDS = 5
# One number for "this database is being migrated": two first commands at once take turns.
MIGRATION_LOCK = 0x4845_5944

Environ = MutableMapping[str, str]


class ServiceAway(Exception):
    """A service does not answer; the text is the one line to print."""


def main(arguments: Sequence[str], environ: Environ = os.environ) -> int:
    environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
    if not all(map(_is_text, arguments)):
        return _say("An argument is not UTF-8 text. Rename the file, or give its folder.", WRONG_ARGUMENTS)
    name = _command_name(arguments)
    try:
        return _run(list(arguments), name, environ)
    except (ServicesError, ServiceAway) as error:
        return _say(str(error), SERVICE_AWAY)
    except ImproperlyConfigured as error:
        return _say(f"The settings are wrong: {error}", FAILED)
    except KeyboardInterrupt:
        return _say("Stopped.", 128 + 2)


def _is_text(argument: str) -> bool:
    """Bytes that the terminal could not read stand in an argument as half letters, which no table holds."""
    return not any("\ud800" <= letter <= "\udfff" for letter in argument)


def needs_services(name: str, arguments: Sequence[str]) -> bool:
    """`check` looks into the database only when asked to."""
    if name == "check":
        return any(argument.startswith("--database") for argument in arguments)
    return bool(name) and name not in WITHOUT_SERVICES


def _run(arguments: list[str], name: str, environ: Environ) -> int:
    if not needs_services(name, arguments):
        give_secret_key(environ, make=False)
        if name != "check":  # they look at code alone, and a key of a moment is enough for that
            environ["SECRET_KEY"] = environ.get("SECRET_KEY") or secrets.token_urlsafe(50)
        django.setup()
        # `makemigrations` looks whether a database is there, and a pool would look for ten seconds.
        connection.settings_dict["OPTIONS"].pop("pool", None)
        return _execute(arguments)
    embedded = embedded_for(environ)
    give_secret_key(environ, make=True)
    environ.update(embedded.missing)
    django.setup()
    if not _is_understood(arguments, name):
        return WRONG_ARGUMENTS
    if "DATABASE_URL" not in embedded.missing:
        require_database()  # before Redis is started for nothing
    with _services(embedded):
        require_database()
        if name not in WITHOUT_MIGRATING:
            with absences_told():
                migrate_if_empty()
        return _execute(arguments)


def _command_name(arguments: Sequence[str]) -> str:
    """The first word that is no option; `--help` and `--version` are no commands."""
    return next((word for word in arguments[1:] if not word.startswith("-")), "")


@contextmanager
def _services(embedded: Embedded) -> Iterator[None]:
    if not embedded.missing:
        yield
        return
    use = acquire_services(
        embedded.data_dir, name=" ".join(sys.argv[1:2]) or "manage.py", report=_report_to_person
    )
    try:
        yield
    finally:
        connection.close()
        use.release()


def _is_understood(arguments: list[str], name: str) -> bool:
    """Parse before anything is started. Wrong options leave by SystemExit(2), `--help` by SystemExit(0)."""
    app = get_commands().get(name)
    if app is None:
        _say(f"There is no command “{name}”. `manage.py help` lists them.", WRONG_ARGUMENTS)
        return False
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    rest = arguments[arguments.index(name) + 1 :]
    # Errors are for a person: usage and status 2, no exception.
    setattr(command, "_called_from_command_line", True)  # noqa: B010  (Django's own mark, not in its types)
    command.create_parser(arguments[0], name).parse_args(rest)
    return True


def _execute(arguments: list[str]) -> int:
    with absences_told():
        ManagementUtility(arguments).execute()
    return 0


@contextmanager
def absences_told() -> Iterator[None]:
    """A service that goes away meanwhile becomes ServiceAway; anything else is as it is."""
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError, BrokerFailure) as error:
        raise ServiceAway(f"Redis does not answer: {_first_line(error)}. Look at REDIS_URL.") from error
    except DatabaseFailure as error:
        close_connections()
        require_database(error)
        raise


def require_database(because: BaseException | None = None) -> None:
    """Raises ServiceAway with one line where the database does not answer."""
    parameters = connection.get_connection_params()
    parameters.pop("pool", None)  # a pool tries again for long, and logs each time
    try:
        psycopg.connect(**parameters, connect_timeout=CONNECT_SECONDS).close()
    except psycopg.Error as error:
        where = connection.settings_dict.get("HOST") or "localhost"
        line = f"The database at {where} does not answer: {_first_line(error)}. Look at DATABASE_URL."
        raise ServiceAway(line) from (because or error)


def migrate_if_empty() -> None:
    """A database without tables gets them; one that has some is left to `migrate` and `make run`."""
    if _has_tables():
        return
    with migration_lock():
        if not _has_tables():
            _report("The database is empty; making its tables.")
            call_command("migrate", verbosity=0, interactive=False)


def _has_tables() -> bool:
    return "django_migrations" in tables()


@contextmanager
def migration_lock() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_lock(%s)", [MIGRATION_LOCK])
        try:
            yield
        finally:
            cursor.execute("select pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def _report_to_person(line: str) -> None:
    """A program that reads stderr gets one line, why it failed; a person is told what is waited for."""
    if sys.stderr.isatty():
        _report(line)


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _say(line: str, exit_status: int) -> int:
    _report(" ".join(line.split()))
    return exit_status
