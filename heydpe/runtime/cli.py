"""`manage.py`: run a command with the services it needs and a database with tables.

Exit status: 0 done, 1 failed, 2 wrong arguments, 3 a service is unavailable. Arguments are checked before anything
starts.
"""

import os
import secrets
import select
import sys
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager, nullcontext

import django
import psycopg
import redis
from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.db import Error as DatabaseFailure
from django.db import connection
from kombu.exceptions import OperationalError as BrokerFailure

from llm.errors import LocalModelUnavailable

from .embedded import embedded_for, set_secret_key
from .paths import ServicesError
from .services import services

FAILED, WRONG_ARGUMENTS, SERVICE_AWAY = 1, 2, 3

# These look at code and settings alone.
WITHOUT_SERVICES = frozenset(
    {
        *("check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "help", "makemessages"),
        *("makemigrations", "spectacular", "startapp", "startproject", "version"),
    }
)
# These create, fill or inspect the database themselves.
WITHOUT_MIGRATING = frozenset(
    {
        *("backup", "dbshell", "flush", "inspectdb", "migrate", "restore", "showmigrations", "sqlflush"),
        *("sqlmigrate", "test"),
    }
)
# Long enough for a server across a slow network, short enough for a person who waits.
CONNECT_SECONDS = 5
# The advisory lock of "this database is being migrated": two first commands at once take turns.
MIGRATION_LOCK = 0x4845_5944

Environ = MutableMapping[str, str]


class ServiceAway(Exception):
    """A service does not answer; the text is the one line to print."""


def main(arguments: Sequence[str], environ: Environ = os.environ) -> int:
    environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
    # Bytes that are not UTF-8 are lone surrogates in an argument, which no table can store.
    if any("\ud800" <= letter <= "\udfff" for argument in arguments for letter in argument):
        return _fail("An argument is not UTF-8 text. Rename the file, or give its folder.", WRONG_ARGUMENTS)
    try:
        status = _run_command(list(arguments), environ)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        if not _has_lost_its_reader(sys.stdout.fileno()):
            raise  # the pipe to something else
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still to be flushed
        return 0
    except (ServicesError, ServiceAway) as error:
        return _fail(str(error), SERVICE_AWAY)
    except ImproperlyConfigured as error:
        return _fail(f"The settings are wrong: {error}", FAILED)
    except KeyboardInterrupt:
        return _fail("Stopped.", 128 + 2)


def _has_lost_its_reader(output: int) -> bool:
    """Whether nobody reads what is written there: `| head` has read enough."""
    watched = select.poll()
    watched.register(output, 0)
    return any(event & select.POLLERR for _, event in watched.poll(0))


def needs_services(name: str, arguments: Sequence[str]) -> bool:
    """`check` looks into the database only when asked to."""
    if name == "check":
        return any(argument.startswith("--database") for argument in arguments)
    return bool(name) and name not in WITHOUT_SERVICES


def _run_command(arguments: list[str], environ: Environ) -> int:
    # The first word that is no option; `--help` and `--version` are no commands.
    name = next((word for word in arguments[1:] if not word.startswith("-")), "")
    if not needs_services(name, arguments):
        set_secret_key(environ, make=False)
        if name != "check":  # the others only read code, so a temporary key is enough
            environ["SECRET_KEY"] = environ.get("SECRET_KEY") or secrets.token_urlsafe(50)
        django.setup()
        # `makemigrations` looks whether a database is there, and a pool would look for ten seconds.
        connection.settings_dict["OPTIONS"].pop("pool", None)
        return _execute(arguments)
    embedded = embedded_for(environ)
    set_secret_key(environ, make=True)
    environ.update(embedded.missing)
    django.setup()
    if not _check_arguments(arguments, name):
        return WRONG_ARGUMENTS
    if "DATABASE_URL" not in embedded.missing:
        require_database()  # before Redis is started for nothing
    user = " ".join(sys.argv[1:2]) or "manage.py"
    # A program that reads stderr gets one line only, on failure.
    report = _report if sys.stderr.isatty() else lambda line: None
    held = services(embedded.data_dir, name=user, report=report)
    with held if embedded.missing else nullcontext():
        try:
            require_database()
            if name not in WITHOUT_MIGRATING:
                with translated_outages():
                    migrate_if_empty()
            return _execute(arguments)
        finally:
            connection.close()


def _check_arguments(arguments: list[str], name: str) -> bool:
    """Parse before anything is started. Wrong options exit with status 2, `--help` with 0."""
    app = get_commands().get(name)
    if app is None:
        _report(f"There is no command “{name}”. `manage.py help` lists them.")
        return False
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    rest = arguments[arguments.index(name) + 1 :]
    # Errors are for a person: usage and status 2, no exception.
    setattr(command, "_called_from_command_line", True)  # noqa: B010  (Django's own mark, not in its types)
    command.create_parser(arguments[0], name).parse_args(rest)
    return True


def _execute(arguments: list[str]) -> int:
    with translated_outages():
        ManagementUtility(arguments).execute()
    return 0


@contextmanager
def translated_outages() -> Iterator[None]:
    """Raises ServiceAway for a service that goes away meanwhile, or a local model that is not there; other errors
    pass."""
    try:
        yield
    except LocalModelUnavailable as error:
        raise ServiceAway(str(error)) from error
    except (redis.ConnectionError, redis.TimeoutError, BrokerFailure) as error:
        raise ServiceAway(f"Redis does not answer: {_first_line(error)}. Look at REDIS_URL.") from error
    except DatabaseFailure as error:
        close_connections()
        require_database(error)
        raise


def require_database(because: BaseException | None = None) -> None:
    """Raises ServiceAway with one line if the database does not answer."""
    parameters = connection.get_connection_params()
    parameters.pop("pool", None)  # a pool keeps retrying, and logs each time
    try:
        psycopg.connect(**parameters, connect_timeout=CONNECT_SECONDS).close()
    except psycopg.Error as error:
        where = connection.settings_dict.get("HOST") or "localhost"
        line = f"The database at {where} does not answer: {_first_line(error)}. Look at DATABASE_URL."
        raise ServiceAway(line) from (because or error)


def close_connections() -> None:
    """Including those that a pool keeps open."""
    connection.close()
    close_pool = getattr(connection, "close_pool", None)
    if close_pool is not None:
        close_pool()


def table_names() -> list[str]:
    with connection.cursor() as cursor:
        return [table.name for table in connection.introspection.get_table_list(cursor)]


def migrate_if_empty() -> None:
    """Create the tables of a database without any; one that has some is left to `migrate` and `make run`."""
    if "django_migrations" in table_names():
        return
    with migration_lock():
        if "django_migrations" not in table_names():
            _report("The database is empty; making its tables.")
            call_command("migrate", verbosity=0, interactive=False)


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


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _fail(line: str, exit_status: int) -> int:
    _report(" ".join(line.split()))
    return exit_status
