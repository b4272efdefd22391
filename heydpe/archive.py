"""Back up the database and its media files to one file, and restore them from it, all or nothing.

The file is a tar: `database.dump` (pg_dump's own format), `media/…`, and last `manifest.json` with the digest of each,
so that a file which was cut off has no manifest.
"""

import contextlib
import errno
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import IO

import psycopg
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg.conninfo import make_conninfo

from knowledge.conf import UNFINISHED

from .runtime.postgres import installed_binaries

FORMAT = 1
MANIFEST, DUMP, MEDIA = "manifest.json", "database.dump", "media"
PARTIAL = ".partial"  # the end of the name of an archive that is being written
WAIT = 0.5  # seconds between two looks at a program that runs
DISK_FULL = "The disk is full. Free some space, then try again."
# A schema cannot be replaced while a transaction uses it; none should last longer.
LOCK_LIMIT = "10s"
# Whoever restores owns everything: another machine's roles mean nothing here.
OWNERLESS = ("--no-owner", "--no-privileges")

# Those of Django's connection parameters that libpq knows.
LIBPQ = str.split("host port user dbname sslmode sslrootcert sslcert sslkey service passfile")

Migration = tuple[str, str]
Tick = Callable[[int, int], None]
"""Called with how much is done, of how much; what it raises ends the work."""


class ArchiveError(Exception):
    """Nothing was changed; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """`conninfo` without the password; `version` is the server's major."""

    conninfo: str
    password: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    path: Path
    created: str
    migrations: frozenset[Migration]
    files: int


def configured_database() -> Database:
    parameters = connection.get_connection_params()
    with connection.cursor() as cursor:
        cursor.execute("show server_version_num")
        version = int(cursor.fetchone()[0]) // 10_000
    conninfo = make_conninfo(**{name: parameters[name] for name in LIBPQ if parameters.get(name)})
    return Database(conninfo=conninfo, password=str(parameters.get("password") or ""), version=version)


def applied_migrations() -> frozenset[Migration]:
    return frozenset(MigrationRecorder(connection).applied_migrations())


def known_migrations() -> frozenset[Migration]:
    """The migrations of this version of the code, including squashed ones."""
    known = MigrationLoader(None).disk_migrations or {}
    replaced = {(str(app), str(name)) for one in known.values() for app, name in one.replaces}
    return frozenset(known) | replaced


def back_up(path: Path, database: Database, media: Path, migrations: frozenset[Migration]) -> Archive:
    """Write the archive; `path` appears only once it is complete."""
    if path.exists():
        raise ArchiveError(f"{path} exists already. Choose another name, or remove it.")
    if not path.parent.is_dir():
        raise ArchiveError(f"There is no folder {path.parent}.")
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / DUMP
        dump_database(dump, database)
        return pack(path, dump, media, migrations)


def dump_database(dump: Path, database: Database, tick: Tick = lambda done, total: None) -> None:
    """Write the database in pg_dump's own format. `tick` counts tables; it is called twice a second at least."""
    tables_there = "select count(*) from pg_tables where schemaname = 'public'"
    try:
        with psycopg.connect(database.conninfo, password=database.password or None) as server:
            total = next(iter(server.execute(tables_there)))[0]
    except psycopg.OperationalError as error:
        raise ArchiveError(f"The database does not answer: {' '.join(str(error).split())}") from error
    tick(0, total)
    tables = 0

    def read_line(line: str) -> None:
        nonlocal tables
        tables += "dumping contents of table" in line

    options = ["--verbose", "--format=custom", *OWNERLESS, f"--file={dump}"]
    run_tool(database, "pg_dump", options, on_line=read_line, wait=lambda: tick(min(tables, total), total))
    tick(total, total)


def pack(
    path: Path,
    dump: Path,
    media: Path,
    migrations: frozenset[Migration],
    tick: Tick = lambda done, total: None,
) -> Archive:
    """Write the archive of a dump and all media, readable by its owner alone. `tick` counts files."""
    partial = path.with_name(path.name + PARTIAL)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    digests: dict[str, str] = {}
    found = sorted(file for file in media.rglob("*") if file.is_file())
    kept = [file for file in found if file.relative_to(media).parts[0] != UNFINISHED]
    members = {DUMP: dump, **{f"{MEDIA}/{file.relative_to(media)}": file for file in kept}}
    try:
        partial.touch(mode=0o600)
        with tarfile.open(partial, "w") as tar:
            for done, (name, file) in enumerate(members.items()):
                tick(done, len(members))
                with contextlib.suppress(FileNotFoundError):  # a media file that was deleted meanwhile
                    digests[name] = _digest(file)
                    tar.add(file, name, recursive=False)
            told = {"created": created, "migrations": sorted(migrations), "files": digests}
            manifest = json.dumps({"format": FORMAT, **told}, indent=1).encode()
            member = tarfile.TarInfo(MANIFEST)
            member.size = len(manifest)
            tar.addfile(member, io.BytesIO(manifest))
        tick(len(members), len(members))
        partial.replace(path)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise ArchiveError(DISK_FULL) from error
        raise
    finally:
        partial.unlink(missing_ok=True)
    return Archive(path=path, created=created, migrations=migrations, files=len(digests) - 1)


def restore(path: Path, database: Database, media: Path, known: frozenset[Migration]) -> Archive:
    """Replace database and media by the archive's. `known` are the migrations of this version of the code."""
    media.parent.mkdir(parents=True, exist_ok=True)
    with _unpacked(path, media.parent) as (folder, archive):
        newer = sorted(archive.migrations - known)
        if newer:
            line = f"{path} was made by a newer version of HeyDPE ({'.'.join(newer[0])}). Update first."
            raise ArchiveError(line)
        # In one transaction: the new tables replace the old ones, or nothing changes.
        script = folder / "database.sql"
        run_tool(database, "pg_restore", [*OWNERLESS, f"--file={script}", str(folder / DUMP)], connects=False)
        empty = f"set lock_timeout = '{LOCK_LIMIT}'; drop schema public cascade; create schema public"
        careful = ["-X", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"]
        run_tool(database, "psql", [*careful, "-c", empty, f"--file={script}"])
        # Two renames on one disk; the old folder is removed last.
        fresh, old = folder / MEDIA, media.with_name(f"{media.name}.old-{os.getpid()}")
        fresh.mkdir(exist_ok=True)
        if media.exists():
            media.rename(old)
        fresh.rename(media)
        shutil.rmtree(old, ignore_errors=True)
    return archive


@contextmanager
def _unpacked(path: Path, beside: Path) -> Iterator[tuple[Path, Archive]]:
    """A checked copy of the archive's files, on the disk where they will stay."""
    if not path.is_file():
        raise ArchiveError(f"There is no file {path}.")
    folder = Path(tempfile.mkdtemp(prefix="restore-", dir=beside))
    try:
        try:
            with tarfile.open(path) as tar:
                tar.extractall(folder, filter="data")
        except (tarfile.TarError, EOFError) as error:
            raise ArchiveError(f"{path} is no backup, or was cut off: {error}.") from error
        yield folder, _check_files(path, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_files(path: Path, folder: Path) -> Archive:
    if not (folder / MANIFEST).is_file():
        raise ArchiveError(f"{path} is no backup, or was cut off: it has no manifest.")
    manifest = json.loads((folder / MANIFEST).read_text())
    if manifest.get("format") != FORMAT:
        raise ArchiveError(f"{path} has a format that this version of HeyDPE does not know. Update first.")
    for name, digest in manifest["files"].items():
        file = folder / name
        if not file.is_file() or _digest(file) != digest:
            raise ArchiveError(f"{path} is damaged: {name} is not what was written. Use another backup.")
    migrations = frozenset((str(app), str(name)) for app, name in manifest["migrations"])
    created = str(manifest["created"])
    return Archive(path=path, created=created, migrations=migrations, files=len(manifest["files"]) - 1)


def run_tool(
    database: Database,
    name: str,
    options: Sequence[str],
    connects: bool = True,
    on_line: Callable[[str], None] = lambda line: None,
    wait: Callable[[], None] = lambda: None,
) -> None:
    """Run a program of PostgreSQL to its end. `on_line` reads what it says, `wait` is called while it runs; what that
    raises ends the program."""
    tool = _find_tool(name, database.version)
    target = [f"--dbname={database.conninfo}"] if connects else []
    env = {**os.environ, "LC_ALL": "C", **({"PGPASSWORD": database.password} if database.password else {})}
    command = [str(tool), *target, *options]
    said: list[str] = []

    def read(stderr: IO[str]) -> None:
        for line in stderr:
            on_line(line)
            said.append(line.strip())

    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    reader = Thread(target=read, args=(process.stderr,), daemon=True)
    reader.start()
    try:
        while process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(WAIT)
            wait()
    finally:
        process.kill()
        process.wait()
        reader.join()
        assert process.stderr is not None
        process.stderr.close()
    if process.returncode == 0:
        return
    if any("lock timeout" in line for line in said):
        raise ArchiveError("The database is in use. Stop `make run` and other commands, then try again.")
    if any("No space left on device" in line for line in said):
        raise ArchiveError(DISK_FULL)
    first = next((line for line in said if "error" in line.lower()), said[0] if said else "it gave no reason")
    raise ArchiveError(f"{name} failed, and nothing was changed: {first}")


def _find_tool(name: str, server: int) -> Path:
    """The program of the server's own version, else of the next newer one."""
    folders = [*map(Path, os.get_exec_path()), *installed_binaries()]
    found: dict[int, Path] = {}
    for program in (folder / name for folder in folders if (folder / name).is_file()):
        said = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False).stdout
        number = re.search(r"\(PostgreSQL\) (\d+)", said)
        found[int(number.group(1)) if number else 0] = program
    usable = [major for major in sorted(found) if major >= server]
    if not usable:
        client = f"postgresql-client-{server}"
        raise ArchiveError(f"{name} of PostgreSQL {server} or newer is needed; install {client}.")
    return found[usable[0]]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
