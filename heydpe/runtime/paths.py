"""The data directory of the embedded services: its paths, socket addresses, folders and free space.

Two data directories share nothing. This module knows nothing of what runs in them.
"""

import contextlib
import hashlib
import os
import re
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from .conf import FREE_DISK_LEAST_MB, POSTGRES_PORT, SOCKET_PATH_LIMIT_BYTES

DATABASE = SUPERUSER = "heydpe"
# What every client takes in a URL, in a list of folders and in a configuration line without quoting.
PLAIN_PATH = re.compile(r"[A-Za-z0-9/._+-]+")


class ServicesError(Exception):
    """The services cannot run; the text is one line that tells a person at a terminal what to do."""


@dataclass(frozen=True, slots=True)
class ServiceAddresses:
    database_url: str
    redis_url: str


@dataclass(frozen=True, slots=True)
class DataPaths:
    """The paths in one data directory; `data_dir` is absolute."""

    data_dir: Path

    @property
    def postgres(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def redis(self) -> Path:
        return self.data_dir / "redis"

    @property
    def log(self) -> Path:
        return self.data_dir / "log"

    @property
    def registry(self) -> Path:
        return self.data_dir / "services"

    @property
    def users(self) -> Path:
        return self.registry / "users"

    @property
    def transition_lock(self) -> Path:
        return self.registry / "transition.lock"

    @property
    def manager_lock(self) -> Path:
        return self.registry / "keeper.lock"

    @property
    def state(self) -> Path:
        return self.registry / "state.json"

    @property
    def sockets(self) -> Path:
        """`sockets` in the data directory; a short folder of this user where that is too long or needs quoting.

        The short one is always below /tmp, not TMPDIR: every process must compute the same address.
        """
        near = self.data_dir / "sockets"
        longest = near / f".s.PGSQL.{POSTGRES_PORT}"
        if len(os.fsencode(longest)) <= SOCKET_PATH_LIMIT_BYTES and PLAIN_PATH.fullmatch(str(near)):
            return near
        key = hashlib.sha256(os.fsencode(self.data_dir)).hexdigest()[:12]
        return Path("/tmp") / f"heydpe-{os.getuid()}-{key}"

    @property
    def redis_socket(self) -> Path:
        return self.sockets / "redis.sock"

    @property
    def postgres_socket(self) -> Path:
        return self.sockets / f".s.PGSQL.{POSTGRES_PORT}"

    @property
    def addresses(self) -> ServiceAddresses:
        """Where the services of this data directory answer once they run."""
        host = quote(str(self.sockets), safe="")
        return ServiceAddresses(
            database_url=f"postgresql://{SUPERUSER}@{host}/{DATABASE}",
            redis_url=f"unix://{self.redis_socket}?db=0",
        )


def paths_for(data_dir: Path) -> DataPaths:
    return DataPaths(data_dir.expanduser().resolve())


def make_folders(paths: DataPaths) -> None:
    """Make the folders of a data directory; private ones are 0700 and ours. Raises ServicesError."""
    data_dir, registry = paths.data_dir, paths.registry
    try:
        for folder in (data_dir, paths.log):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (registry, paths.users, paths.redis):
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ServicesError(
            f"{data_dir} cannot be used ({error.strerror}). Set HEYDPE_DATA_DIR to a folder that can be written."
        ) from error
    make_private_folder(paths.sockets)
    owner = registry.stat().st_uid
    if owner != os.geteuid() or not os.access(registry, os.W_OK):
        raise ServicesError(
            f"{data_dir} belongs to user {owner} and this is user {os.geteuid()}. "
            "Run as that user, or set HEYDPE_DATA_DIR to a folder of your own."
        )


def make_private_folder(folder: Path) -> None:
    """A 0700 folder of ours. Raises ServicesError where it belongs to another user."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or (found.st_uid != os.geteuid() and os.geteuid() != 0):
        raise ServicesError(
            f"{folder} belongs to somebody else. Remove it, or choose another HEYDPE_DATA_DIR."
        )
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


def check_disk(data_dir: Path) -> None:
    """Raises ServicesError where less than FREE_DISK_LEAST_MB are free."""
    free_mb = shutil.disk_usage(data_dir).free // (1024 * 1024)
    if free_mb < FREE_DISK_LEAST_MB:
        raise ServicesError(
            f"The disk of {data_dir} is full: {free_mb} MB free, {FREE_DISK_LEAST_MB} MB are needed. "
            "Free some space, or set HEYDPE_DATA_DIR to a folder on another disk."
        )
