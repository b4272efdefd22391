"""Child processes and servers: how they start, log, and die with their parent.

A pid alone proves nothing, since the kernel gives it to another process later.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psutil

from .conf import LOG_LIMIT_BYTES

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Command:
    """How to start a process. `env` is its whole environment; `uid` is the user it becomes, None for ours."""

    arguments: Sequence[str]
    folder: Path
    env: Mapping[str, str] = field(default_factory=dict)
    uid: int | None = None


class Server(Protocol):
    """What the service manager needs to know of PostgreSQL or Redis."""

    @property
    def name(self) -> str: ...

    @property
    def program(self) -> str:
        """The name of its processes."""

    @property
    def folder(self) -> Path:
        """Where its data is and its processes work."""

    @property
    def stop_signal(self) -> signal.Signals: ...

    def prepare(self) -> Command:
        """Make the data ready and clear what a crash left. Raises ServicesError with what to do."""

    def answers(self) -> bool: ...

    def after_ready(self) -> None: ...

    def explain(self, log: str) -> str | None:
        """What the log of a failed start means and what to do, if that is known."""

    def heal(self, log: str) -> bool:
        """After a failed start: repair what can be repaired; True if another start is worth a try."""


def start_process(command: Command, log: Path, parent_death: signal.Signals) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own that appends to `log` and gets `parent_death` when we die."""
    parent = os.getpid()

    def die_with_parent() -> None:
        ask_to_die_with_parent(parent_death)
        if os.getppid() != parent:  # it died before we could ask
            os._exit(1)

    with log.open("ab") as output:
        return subprocess.Popen(
            command.arguments,
            cwd=command.folder,
            env=dict(command.env),
            user=command.uid,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )


def ask_to_die_with_parent(how: signal.Signals) -> None:
    """The kernel sends `how` to this process when its parent dies, however the parent dies."""
    _LIBC.prctl(PR_SET_PDEATHSIG, int(how), 0, 0, 0)


def stop_remains(folder: Path, program: str, how: signal.Signals, seconds: float) -> bool:
    """End the processes of this name that work in the folder and are not our children; whether there were any.

    The oldest is their parent: it gets `how` and `seconds`, the rest SIGTERM. psutil checks that a pid is
    still the same process.
    """
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            alive = process.status() != psutil.STATUS_ZOMBIE
            if alive and process.name().startswith(program) and process.cwd() == str(folder):
                found.append(process)
    for process in sorted(found, key=lambda process: float(process.create_time())):
        try:
            process.send_signal(how)
            process.wait(seconds)
        except psutil.TimeoutExpired:
            process.kill()
        except psutil.NoSuchProcess:
            pass
        how, seconds = signal.SIGTERM, 5.0
    return bool(found)


def rotate_log(path: Path) -> None:
    """Keep one older copy. The file is emptied in place, so a process that has it open goes on appending."""
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        shutil.copyfile(path, path.with_name(path.name + ".1"))
        os.truncate(path, 0)


def log_since(path: Path, offset: int) -> str:
    """What was logged after `offset`, at most the last 20,000 bytes."""
    try:
        with path.open("rb") as file:
            file.seek(max(offset, path.stat().st_size - 20_000))
            return file.read().decode(errors="replace")
    except OSError:
        return ""
