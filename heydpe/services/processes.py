"""Processes by what they are: a pid alone proves nothing, it may have been given to somebody else."""

import ctypes
import os
import signal
from collections.abc import Callable
from pathlib import Path

import psutil

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


def processes_in(folder: Path, name: str) -> list[psutil.Process]:
    """Living processes of this name that work in the folder, the oldest (their parent) first."""
    found = [process for process in psutil.process_iter() if _works_in(process, folder, name)]
    return sorted(found, key=lambda process: float(process.create_time()))


def stop_remains(processes: list[psutil.Process], how: signal.Signals, seconds: float) -> None:
    """End what is not our child: the first by `how` and with patience, then what it did not take along."""
    for process in processes[:1]:
        _end(process, how, seconds)
    for process in processes[1:]:
        _end(process, signal.SIGTERM, 5.0)


def ask_to_die_with_parent(how: signal.Signals) -> None:
    """The kernel sends `how` to this process when its parent dies, however the parent dies."""
    _LIBC.prctl(PR_SET_PDEATHSIG, int(how), 0, 0, 0)


def dying_with(parent: int, how: signal.Signals) -> Callable[[], None]:
    """For `preexec_fn`: the child dies by `how` with `parent`, also with one that is dead by now."""

    def tell() -> None:
        ask_to_die_with_parent(how)
        if os.getppid() != parent:
            os._exit(1)

    return tell


def _works_in(process: psutil.Process, folder: Path, name: str) -> bool:
    try:
        alive = process.status() != psutil.STATUS_ZOMBIE
        return bool(alive and process.name().startswith(name) and process.cwd() == str(folder))
    except psutil.Error:
        return False


def _end(process: psutil.Process, how: signal.Signals, seconds: float) -> None:
    """psutil itself makes sure that the pid still is this process."""
    try:
        process.send_signal(how)
        process.wait(seconds)
    except psutil.TimeoutExpired:
        process.kill()
    except psutil.NoSuchProcess:
        return
