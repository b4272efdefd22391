"""A list of commands becomes children that run: started in order, healed when one dies, stopped in order.

Knows nothing of what the commands are. No child outlives this process: each has a session of its own, which
is ended whole, and the kernel ends it should this process be killed.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .services.files import rotate_log
from .services.processes import dying_with

Say = Callable[[str], None]

TICK_SECONDS = 0.1
# Pauses before a restart, by how often the child died lately. One that ends by itself may not be able to live, and must
# not take the machine. One that somebody else killed could live: whoever it served waits for it.
ENDED_PAUSES_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
KILLED_PAUSES_SECONDS = (0.2, 0.5, 1.0, 2.0)
# After a minute of life a death is a new one.
STEADY_SECONDS = 60.0
LOG_CHECK_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildSpec:
    """`stop_seconds`: how long it may finish what it does; `orphan_signal`: what it gets if we are killed."""

    name: str
    arguments: tuple[str, ...]
    stop_seconds: float = 10.0
    orphan_signal: signal.Signals = signal.SIGTERM


@dataclass
class Child:
    spec: ChildSpec
    log: Path
    folder: Path
    env: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    kills: int = 0
    start_at: float = 0.0

    def start(self) -> None:
        rotate_log(self.log)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.spec.arguments,
                cwd=self.folder,
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=dying_with(os.getpid(), self.spec.orphan_signal),
            )
        self.started = time.monotonic()

    def take_death(self) -> int | None:
        """Its status if it has died; what is left of its session is ended before its pid is free again."""
        if self.process is None or not _has_ended(self.process.pid):
            return None
        self._kill_session()
        status = self.process.wait()
        self.process = None
        return status

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

    def stop(self, hastened: Callable[[], bool]) -> bool:
        """True if it ended by itself in its time."""
        if self.process is None:
            return True
        self._signal(signal.SIGTERM)
        limit = time.monotonic() + self.spec.stop_seconds
        while not _has_ended(self.process.pid) and time.monotonic() < limit and not hastened():
            time.sleep(TICK_SECONDS / 2)
        willing = _has_ended(self.process.pid)
        self._kill_session()
        self.process.wait()
        self.process = None
        return willing

    def _signal(self, how: signal.Signals) -> None:
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, how)  # not send_signal, which would reap one that has just ended

    def _kill_session(self) -> None:
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


@dataclass
class Supervisor:
    """Children start in the order of `specs` and stop in the reverse one."""

    specs: Sequence[ChildSpec]
    log_dir: Path
    folder: Path
    env: Mapping[str, str]
    say: Say
    hastened: Callable[[], bool] = lambda: False
    children: list[Child] = field(init=False)
    logs_checked: float = 0.0

    def __post_init__(self) -> None:
        self.children = [
            Child(spec, self.log_dir / f"{spec.name}.log", self.folder, self.env) for spec in self.specs
        ]

    def start(self) -> None:
        for child in self.children:
            child.start()

    def look_after(self) -> None:
        """One round: notice deaths, start again what is due, keep logs short."""
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
                child.start()
        self._keep_logs_short()

    def stop(self) -> None:
        for child in reversed(self.children):
            if child.process is not None:
                self.say(f"stopping {child.spec.name}")
            if not child.stop(self.hastened):
                self.say(f"{child.spec.name} did not end in time and was killed")

    def _keep_logs_short(self) -> None:
        if time.monotonic() - self.logs_checked > LOG_CHECK_SECONDS:
            self.logs_checked = time.monotonic()
            for path in self.log_dir.glob("*.log"):
                rotate_log(path)


def _has_ended(pid: int) -> bool:
    """Without reaping it, so that nobody else can get its pid yet."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
