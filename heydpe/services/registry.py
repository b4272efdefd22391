"""Who uses the services of a data directory: one locked file each, which no dead process keeps locked."""

import contextlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from .files import is_locked, read_json, try_lock
from .places import Places


@dataclass(frozen=True, slots=True)
class User:
    pid: int
    name: str


@dataclass(frozen=True, slots=True)
class Registration:
    """Holds while `descriptor` is open, so at the latest until the process ends."""

    path: Path
    descriptor: int

    def withdraw(self) -> None:
        self.path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            os.close(self.descriptor)


def register(places: Places, name: str) -> Registration:
    """Only under the transition lock: the keeper must not find the file before it is locked."""
    path = places.users / f"{os.getpid()}-{secrets.token_hex(4)}"
    descriptor = try_lock(path)
    assert descriptor is not None, "a new file is nobody's"
    os.write(descriptor, json.dumps({"pid": os.getpid(), "name": name}).encode())
    return Registration(path, descriptor)


def living_users(places: Places) -> tuple[User, ...]:
    return tuple(_user_in(path) for path in sorted(places.users.glob("*")) if is_locked(path))


def forget_the_dead(places: Places) -> None:
    """Only under the transition lock, for the same reason as `register`."""
    for path in places.users.glob("*"):
        if path.exists() and not is_locked(path):
            path.unlink(missing_ok=True)


def _user_in(path: Path) -> User:
    found = read_json(path)
    pid = found.get("pid")
    return User(pid if isinstance(pid, int) else 0, str(found.get("name", "")))
