"""Using the services: register, have a keeper that is ready, and withdraw.

The first user brings the keeper, the last one's leaving ends it. What a crash left (locks, pids,
servers) heals by itself, here and in the keeper.
"""

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
from .errors import ServicesError
from .files import is_locked, log_since, make_folders, read_json, rotate_log, try_lock, write_json
from .places import Places, ServiceAddresses, places_for
from .registry import Registration, User, living_users, register

Report = Callable[[str], None]
PROJECT = Path(__file__).resolve().parents[2]


@dataclass
class Use:
    """One use of the services by this process. `release` gives it back; a dead process has given it back."""

    addresses: ServiceAddresses
    places: Places
    registration: Registration
    keeper: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def is_served(self) -> bool:
        """Is there a keeper? Where there is none, the servers are gone with it."""
        return is_locked(self.places.keeper_lock)

    def release(self) -> None:
        """Withdraw, and wait for the servers' end if nobody else uses them."""
        self.registration.withdraw()
        limit = time.monotonic() + STOP_LIMIT_SECONDS
        while time.monotonic() < limit and self.is_served() and not living_users(self.places):
            time.sleep(READY_POLL_SECONDS)
        if self.keeper is not None and not self.is_served():
            self.keeper.wait()


@dataclass(frozen=True, slots=True)
class Status:
    state: str  # starting, ready, recovering, stopping, stopped, failed
    error: str
    users: tuple[User, ...]
    addresses: ServiceAddresses


def acquire_services(
    data_dir: Path, *, name: str = "", durable: bool = True, report: Report = lambda line: None
) -> Use:
    """The services run and this process is one of their users. Raises ServicesError with what to do."""
    places = places_for(data_dir)
    make_folders(places)
    with _transition(places, report):
        registration = register(places, name or Path(sys.argv[0]).name)
        try:
            keeper = _have_keeper(places, durable, report)
        except BaseException:
            registration.withdraw()
            raise
    return Use(places.addresses, places, registration, keeper)


def ensure_services(data_dir: Path) -> ServiceAddresses:
    """The services run at least until this process ends."""
    return acquire_services(data_dir).addresses


@contextmanager
def services(data_dir: Path, *, durable: bool = True) -> Iterator[ServiceAddresses]:
    use = acquire_services(data_dir, durable=durable)
    try:
        yield use.addresses
    finally:
        use.release()


def status(data_dir: Path) -> Status:
    """How the services of a data directory are; creates nothing."""
    places = places_for(data_dir)
    found = read_json(places.state)
    state = str(found.get("state", "stopped"))
    if not is_locked(places.keeper_lock) and state not in ("failed", "stopped"):
        state = "stopped"
    return Status(state, str(found.get("error", "")), living_users(places), places.addresses)


@contextmanager
def _transition(places: Places, report: Report) -> Iterator[None]:
    """Start and stop exclude each other."""
    limit = time.monotonic() + START_LIMIT_SECONDS + STOP_LIMIT_SECONDS
    patience = _Patience(report, "Another process is starting or stopping the services; waiting for it.")
    while (lock := try_lock(places.transition_lock)) is None:
        if time.monotonic() > limit:
            raise ServicesError(
                f"Another process holds {places.transition_lock} for too long. End it and try again."
            )
        patience.wait()
    try:
        yield
    finally:
        os.close(lock)


def _have_keeper(places: Places, durable: bool, report: Report) -> subprocess.Popen[bytes] | None:
    """The keeper that we started, or None where there was one."""
    keeper: subprocess.Popen[bytes] | None = None
    generation = ""
    limit = time.monotonic() + START_LIMIT_SECONDS + STOP_LIMIT_SECONDS
    patience = _Patience(
        report, "The services take a moment: a database is being made, or recovers from a crash."
    )
    while True:
        if keeper is None and (lock := try_lock(places.keeper_lock)) is not None:
            generation = secrets.token_hex(8)
            keeper = _start_keeper(places, lock, generation, durable)
        if _is_ready(places, generation):
            return keeper
        if keeper is not None and keeper.poll() is not None:
            raise ServicesError(_why_no_keeper(places))
        if time.monotonic() > limit:
            raise ServicesError(f"The services do not become ready. Their logs are in {places.log}.")
        patience.wait()


def _is_ready(places: Places, generation: str) -> bool:
    """The keeper says so, and both sockets are open: it may have been killed since it said so."""
    found = read_json(places.state)
    if found.get("state") != "ready" or generation not in ("", found.get("generation")):
        return False
    return _is_open(places.postgres_socket) and _is_open(places.redis_socket)


def _is_open(path: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1.0)
            client.connect(str(path))
    except OSError:
        return False
    return True


def _start_keeper(places: Places, lock: int, generation: str, durable: bool) -> subprocess.Popen[bytes]:
    """The lock goes over to the keeper with its descriptor: there is no moment without a holder."""
    write_json(places.state, {"state": "starting", "generation": generation})
    rotate_log(places.log / "services.log")
    arguments = [str(places.data_dir), str(lock), generation, *([] if durable else ["--throwaway"])]
    try:
        with (places.log / "services.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "heydpe.services.keeper", *arguments],
                cwd=PROJECT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=(lock,),
            )
    finally:
        os.close(lock)


def _why_no_keeper(places: Places) -> str:
    error = str(read_json(places.state).get("error") or "")
    if error:
        return error
    last = (log_since(places.log / "services.log", 0).strip().splitlines() or [""])[-1]
    return f"The services did not start: {last} (log: {places.log / 'services.log'})"


class _Patience:
    """Waits in small steps and says once why, when it takes long."""

    def __init__(self, report: Report, line: str) -> None:
        self.report, self.line = report, line
        self.since: float | None = time.monotonic()

    def wait(self) -> None:
        if self.since is not None and time.monotonic() - self.since > PATIENCE_SECONDS:
            self.report(self.line)
            self.since = None
        time.sleep(READY_POLL_SECONDS)
