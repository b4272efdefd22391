"""File locks, the state file, and the users of a data directory's services: one locked file for each.

The kernel frees a lock when its holder dies, so no dead process keeps one.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .paths import DataPaths


def try_lock(path: Path) -> int | None:
    """An open descriptor that holds the lock, or None while another holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def is_locked(path: Path) -> bool:
    if not path.exists():
        return False
    descriptor = try_lock(path)
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def write_json(path: Path, values: Mapping[str, object]) -> None:
    """Whole or not at all: readers never see half a file."""
    partial = path.with_suffix(f".{os.getpid()}.partial")
    partial.write_text(json.dumps(values))
    partial.replace(path)


def read_json(path: Path) -> dict[str, object]:
    """The file's object; empty if the file is missing or damaged."""
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class User:
    pid: int
    name: str


def register_user(paths: DataPaths, name: str) -> tuple[Path, int]:
    """This process's file among the users, and the descriptor that keeps it locked.

    Call it only under the transition lock: the manager must not find the file before it is locked.
    """
    path = paths.users / f"{os.getpid()}-{secrets.token_hex(4)}"
    descriptor = try_lock(path)
    assert descriptor is not None, "nobody else knows a new file"
    os.write(descriptor, json.dumps({"pid": os.getpid(), "name": name}).encode())
    return path, descriptor


def living_users(paths: DataPaths) -> tuple[User, ...]:
    found = [read_json(path) for path in sorted(paths.users.glob("*")) if is_locked(path)]
    return tuple(
        User(pid if isinstance(pid := row.get("pid"), int) else 0, str(row.get("name", ""))) for row in found
    )


def forget_dead_users(paths: DataPaths) -> None:
    """Only under the transition lock, for the same reason as `register_user`."""
    for path in paths.users.glob("*"):
        if not is_locked(path):
            path.unlink(missing_ok=True)
