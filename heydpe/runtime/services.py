"""Using the embedded services: register as a user, have a service manager that is ready, and withdraw.

The first user starts the manager; it stops when the last one leaves. What a crash left behind (locks, pids, servers)
heals here and in the manager. Knows nothing of Django.
"""

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from .conf import PATIENCE_SECONDS, READY_POLL_SECONDS, START_LIMIT_SECONDS, STOP_LIMIT_SECONDS
from .locks import is_locked, living_users, read_json, register_user, try_lock, write_json
from .paths import DataPaths, ServiceAddresses, ServicesError, make_folders, paths_for
from .processes import log_since, rotate_log

Report = Callable[[str], None]
PROJECT = Path(__file__).resolve().parents[2]


@dataclass
class Use:
    """One use of the services by this process. It ends with `release`, or with the process."""

    paths: DataPaths
    user_file: Path
    descriptor: int  # keeps `user_file` locked
    manager: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def addresses(self) -> ServiceAddresses:
        return self.paths.addresses

    def has_manager(self) -> bool:
        """Whether a manager is alive. If not, its servers are gone too."""
        return is_locked(self.paths.manager_lock)

    def withdraw(self) -> None:
        self.user_file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            os.close(self.descriptor)

    def release(self) -> None:
        """Withdraw, and wait until the servers have stopped if nobody else uses them."""
        self.withdraw()
        limit = time.monotonic() + STOP_LIMIT_SECONDS
        while time.monotonic() < limit and self.has_manager() and not living_users(self.paths):
            time.sleep(READY_POLL_SECONDS)
        if self.manager is not None and not self.has_manager():
            self.manager.wait()


def ignore_report(line: str) -> None:
    """A `Report` for callers that tell nobody what they wait for."""


def acquire_services(
    data_dir: Path, *, name: str = "", durable: bool = True, report: Report = ignore_report
) -> Use:
    """Start the services if need be and register this process as a user. Raises ServicesError with what to do."""
    paths = paths_for(data_dir)
    make_folders(paths)
    with _hold_transition_lock(paths, report):
        use = Use(paths, *register_user(paths, name or Path(sys.argv[0]).name))
        try:
            use.manager = _ensure_manager(paths, durable, report)
        except BaseException:
            use.withdraw()
            raise
    return use


@contextmanager
def services(
    data_dir: Path, *, name: str = "", durable: bool = True, report: Report = ignore_report
) -> Iterator[ServiceAddresses]:
    use = acquire_services(data_dir, name=name, durable=durable, report=report)
    try:
        yield use.addresses
    finally:
        use.release()


@contextmanager
def _hold_transition_lock(paths: DataPaths, report: Report) -> Iterator[None]:
    """Start and stop exclude each other."""
    for _ in _poll(
        report,
        "Another process is starting or stopping the services; waiting for it.",
        f"Another process holds {paths.transition_lock} for too long. End it and try again.",
    ):
        lock = try_lock(paths.transition_lock)
        if lock is not None:
            try:
                yield
            finally:
                os.close(lock)
            return


def _ensure_manager(paths: DataPaths, durable: bool, report: Report) -> subprocess.Popen[bytes] | None:
    """Wait until a manager is ready; the process if we started it, None if there was one."""
    manager: subprocess.Popen[bytes] | None = None
    generation = ""
    for _ in _poll(
        report,
        "The services need a moment: the database is being created, or is recovering from a crash.",
        f"The services did not start. Their logs are in {paths.log}.",
    ):
        if manager is None and (lock := try_lock(paths.manager_lock)) is not None:
            generation = secrets.token_hex(8)
            manager = _start_manager(paths, lock, generation, durable)
        if _is_ready(paths, generation):
            break
        if manager is not None and manager.poll() is not None:
            log = paths.log / "services.log"
            last = (log_since(log, 0).strip().splitlines() or [""])[-1]
            error = str(read_json(paths.state).get("error") or "")
            raise ServicesError(error or f"The services did not start: {last} (log: {log})")
    return manager


def _poll(report: Report, explanation: str, too_late: str) -> Iterator[None]:
    """A turn every READY_POLL_SECONDS. Reports the explanation once if it takes long; raises ServicesError at last."""
    start, is_reported = time.monotonic(), False
    while True:
        yield
        waited = time.monotonic() - start
        if waited > START_LIMIT_SECONDS + STOP_LIMIT_SECONDS:
            raise ServicesError(too_late)
        if waited > PATIENCE_SECONDS and not is_reported:
            report(explanation)
            is_reported = True
        time.sleep(READY_POLL_SECONDS)


def _is_ready(paths: DataPaths, generation: str) -> bool:
    """The manager says so, and both sockets are open: it may have been killed since it said so."""
    found = read_json(paths.state)
    if found.get("state") != "ready" or generation not in ("", found.get("generation")):
        return False
    try:
        for path in (paths.postgres_socket, paths.redis_socket):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1.0)
                client.connect(str(path))
    except OSError:
        return False
    return True


def _start_manager(paths: DataPaths, lock: int, generation: str, durable: bool) -> subprocess.Popen[bytes]:
    """The lock passes to the manager with its descriptor, so there is no moment without a holder."""
    write_json(paths.state, {"state": "starting", "generation": generation})
    log = paths.log / "services.log"
    rotate_log(log)
    arguments = [str(paths.data_dir), str(lock), generation, *([] if durable else ["--throwaway"])]
    try:
        with log.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "heydpe.runtime.service_manager", *arguments],
                cwd=PROJECT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                pass_fds=(lock,),
            )
    finally:
        os.close(lock)
