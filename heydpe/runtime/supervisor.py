"""Child processes from a list of commands: started in order, restarted when they die, stopped in order.

Knows nothing of what the commands are. No child outlives this process: each has a session of its own, which is ended
whole, and the kernel ends it if this process is killed.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .processes import Command, rotate_log, start_process

Say = Callable[[str], None]

TICK_SECONDS = 0.1
# Pauses before a restart, by how often the child died lately. One that ends by itself may be unable to live, and must
# not take the machine. One that somebody else killed could live: whoever it served waits for it.
ENDED_PAUSES_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
KILLED_PAUSES_SECONDS = (0.2, 0.5, 1.0, 2.0)
# After a minute of life the count of deaths starts again.
STEADY_SECONDS = 60.0
LOG_CHECK_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildSpec:
    """`stop_seconds`: how long it may finish its work; `orphan_signal`: what it gets if we are killed."""

    name: str
    arguments: tuple[str, ...]
    stop_seconds: float = 10.0
    orphan_signal: signal.Signals = signal.SIGTERM


@dataclass
class Child:
    spec: ChildSpec
    log: Path
    command: Command
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    kills: int = 0
    start_at: float = 0.0

    def start_child(self) -> None:
        rotate_log(self.log)
        self.process = start_process(self.command, self.log, self.spec.orphan_signal)
        self.started = time.monotonic()

    def take_death(self) -> int | None:
        """Its exit status if it has died."""
        if self.process is None or not _has_ended(self.process):
            return None
        return self._end_session(self.process)

    def plan_restart(self, status: int) -> float:
        """Seconds until the next start of a child that died with this status."""
        now = time.monotonic()
        if now - self.started > STEADY_SECONDS:
            self.failures = self.kills = 0
        if status < 0:
            pause = KILLED_PAUSES_SECONDS[min(self.kills, len(KILLED_PAUSES_SECONDS) - 1)]
            self.kills += 1
        else:
            pause = ENDED_PAUSES_SECONDS[min(self.failures, len(ENDED_PAUSES_SECONDS) - 1)]
            self.failures += 1
        self.start_at = now + pause
        return pause

    def stop_child(self, is_hurried: Callable[[], bool]) -> bool:
        """True if it ended by itself in time."""
        if self.process is None:
            return True
        with contextlib.suppress(ProcessLookupError):
            os.kill(
                self.process.pid, signal.SIGTERM
            )  # not send_signal, which would reap one that has just ended
        limit = time.monotonic() + self.spec.stop_seconds
        while not _has_ended(self.process) and time.monotonic() < limit and not is_hurried():
            time.sleep(TICK_SECONDS / 2)
        is_in_time = _has_ended(self.process)
        self._end_session(self.process)
        return is_in_time

    def _end_session(self, process: subprocess.Popen[bytes]) -> int:
        """End what is left of its session before its pid is free again; the exit status."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        self.process = None
        return process.wait()


@dataclass
class Supervisor:
    """Children start in the order of `specs` and stop in the reverse one."""

    specs: Sequence[ChildSpec]
    log_dir: Path
    folder: Path
    env: Mapping[str, str]
    say: Say
    is_hurried: Callable[[], bool] = lambda: False
    children: list[Child] = field(init=False)
    logs_checked: float = 0.0

    def __post_init__(self) -> None:
        self.children = [
            Child(spec, self.log_dir / f"{spec.name}.log", Command(spec.arguments, self.folder, self.env))
            for spec in self.specs
        ]

    def start_all(self) -> None:
        for child in self.children:
            child.start_child()

    def look_after(self) -> None:
        """One round: notice deaths, restart what is due, keep logs short."""
        for child in self.children:
            status = child.take_death()
            if status is not None:
                pause = child.plan_restart(status)
                how = (
                    f"was killed by {signal.Signals(-status).name}"
                    if status < 0
                    else f"ended with status {status}"
                )
                self.say(f"{child.spec.name} {how}; starting it again in {pause:g} s (log: {child.log})")
            elif child.process is None and time.monotonic() >= child.start_at:
                child.start_child()
        if time.monotonic() - self.logs_checked > LOG_CHECK_SECONDS:
            self.logs_checked = time.monotonic()
            for path in self.log_dir.glob("*.log"):
                rotate_log(path)

    def stop_all(self) -> None:
        for child in reversed(self.children):
            if child.process is not None:
                self.say(f"stopping {child.spec.name}")
            if not child.stop_child(self.is_hurried):
                self.say(f"{child.spec.name} did not end in time and was killed")


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Without reaping it, so that its pid is not free yet."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
