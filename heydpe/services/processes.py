"""Processes by their identity: a pid alone proves nothing, it may have been given to somebody else."""

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

import psutil

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Identity:
    """A process for all time: `started` is its start in seconds since the epoch."""

    pid: int
    started: float


def identity_of(pid: int) -> Identity | None:
    """None where there is no such process, or only its zombie."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return Identity(pid, process.create_time())
    except psutil.Error:
        return None


def is_alive(identity: Identity) -> bool:
    found = identity_of(identity.pid)
    return found is not None and abs(found.started - identity.started) < 1.0


def command_of(pid: int) -> list[str]:
    try:
        return list(psutil.Process(pid).cmdline())
    except psutil.Error:
        return []


def stop_stranger(identity: Identity, first: signal.Signals, seconds: float) -> None:
    """Stop a process that is not our child: politely, then by force. Does nothing once it has gone."""
    for how, patience in ((first, seconds), (signal.SIGKILL, 5.0)):
        if not is_alive(identity):
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(identity.pid, how)
        with contextlib.suppress(psutil.Error):
            psutil.Process(identity.pid).wait(patience)


def ask_to_die_with_parent(how: signal.Signals) -> None:
    """The kernel sends `how` to this process when its parent dies, however the parent dies."""
    _LIBC.prctl(PR_SET_PDEATHSIG, int(how), 0, 0, 0)


def dying_with(parent: int, how: signal.Signals) -> Callable[[], None]:
    """For `preexec_fn`: the child dies by `how` with `parent`, also one that is dead by now."""

    def tell() -> None:
        ask_to_die_with_parent(how)
        if os.getppid() != parent:
            os._exit(1)

    return tell
