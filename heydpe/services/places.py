"""A data directory becomes the paths and addresses of its services. Starts and creates nothing."""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from .conf import POSTGRES_PORT, SOCKET_PATH_LIMIT_BYTES

DATABASE = SUPERUSER = "heydpe"
# What every client takes in a URL, in a list of folders and in a configuration line without quoting.
PLAIN_PATH = re.compile(r"[A-Za-z0-9/._+-]+")


@dataclass(frozen=True, slots=True)
class ServiceAddresses:
    database_url: str
    redis_url: str


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything of one data directory stands; two directories share nothing."""

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
    def keeper_lock(self) -> Path:
        return self.registry / "keeper.lock"

    @property
    def state(self) -> Path:
        return self.registry / "state.json"

    @property
    def sockets(self) -> Path:
        return _socket_folder(self.data_dir)

    @property
    def redis_socket(self) -> Path:
        return self.sockets / "redis.sock"

    @property
    def postgres_socket(self) -> Path:
        return self.sockets / f".s.PGSQL.{POSTGRES_PORT}"

    @property
    def addresses(self) -> ServiceAddresses:
        host = quote(str(self.sockets), safe="")
        return ServiceAddresses(
            database_url=f"postgresql://{SUPERUSER}@{host}/{DATABASE}",
            redis_url=f"unix://{self.redis_socket}?db=0",
        )


def places_for(data_dir: Path) -> Places:
    return Places(data_dir.expanduser().resolve())


def addresses_for(data_dir: Path) -> ServiceAddresses:
    """Where the services of this data directory answer once they run."""
    return places_for(data_dir).addresses


def _socket_folder(data_dir: Path) -> Path:
    """`sockets` in the data directory; a short folder of this user where that is too long or needs quoting.

    The short one is always below /tmp, not TMPDIR: every process must compute the same address.
    """
    near = data_dir / "sockets"
    longest = near / f".s.PGSQL.{POSTGRES_PORT}"
    if len(os.fsencode(longest)) <= SOCKET_PATH_LIMIT_BYTES and PLAIN_PATH.fullmatch(str(near)):
        return near
    key = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    return Path("/tmp") / f"heydpe-{os.getuid()}-{key}"
