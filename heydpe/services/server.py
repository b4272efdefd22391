"""What the keeper needs to know of a server, whichever it is."""

import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Command:
    """How a server is started; `env` is all of its environment."""

    arguments: tuple[str, ...]
    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    uid: int | None = None


class Server(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def program(self) -> str:
        """The name its processes have."""

    @property
    def folder(self) -> Path:
        """Where its data is, and its processes work."""

    @property
    def stop_signal(self) -> signal.Signals: ...

    def prepare(self) -> Command:
        """Make the data ready, clear what a crash left; raises ServicesError with what to do."""

    def answers(self) -> bool: ...

    def after_ready(self) -> None: ...

    def explain(self, log: str) -> str | None:
        """What the log of a failed start means and what to do, if that is known."""

    def heal(self, log: str) -> bool:
        """After a failed start: is it worth another, and has what that needs been done?"""


def run_quietly(arguments: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, capture_output=True, text=True, check=False, env=env, errors="replace")
