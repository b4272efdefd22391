"""The product's web server as its own process, on a port of this machine, over the tests' database and Redis."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT_SECONDS = 90
REST_SECONDS = 1.0  # between two queries of work that goes on
REST_LIMIT_SECONDS = 20
OURS = "live web"  # its sessions' name in the database
QUIET_LOOKS = 6  # in a row; between two statements of one piece of work there are milliseconds
LOOK_SECONDS = 0.05


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class LiveWeb:
    """`start` and `stop` may be called in turns; the port stays."""

    log: Path
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        arguments = [sys.executable, "-m", "uvicorn", "heydpe.asgi:application", "--lifespan", "off"]
        arguments += ["--port", str(self.port), "--timeout-graceful-shutdown", "5"]
        environment = {**os.environ, "DATABASE_URL": database_url(), "REDIS_URL": settings.REDIS_URL}
        environment |= {"DJANGO_SETTINGS_MODULE": "heydpe.settings", "PGAPPNAME": OURS, **self.environment}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                arguments, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + START_LIMIT_SECONDS
        while not self._answers():
            if time.monotonic() > end or self.process is None or self.process.poll() is not None:
                raise AssertionError("the web server did not come up:\n" + self.log.read_text()[-3000:])
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{self.host}/healthz/", timeout=5) as reply:
                return bool(reply.status == 200)
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def come_to_rest(self, limit_seconds: float) -> None:
        """Wait until it asks the database nothing any more: work that nobody waits for goes on behind a test, and must
        not meet the emptying of the tables.
        """
        end, quiet = time.monotonic() + limit_seconds, 0
        while quiet < QUIET_LOOKS:
            assert time.monotonic() < end, "the web server does not come to rest"
            quiet = 0 if _is_asking() else quiet + 1
            time.sleep(LOOK_SECONDS)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None


def _is_asking() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "select exists(select from pg_stat_activity where application_name = %s and state <> 'idle')",
            [OURS],
        )
        return bool(cursor.fetchone()[0])


def wait_until_at_rest() -> None:
    """What a room has begun goes on when its sockets are closed; it must not meet the emptying of the tables."""
    end = time.monotonic() + REST_LIMIT_SECONDS
    while _busy_elsewhere() and time.monotonic() < end:
        time.sleep(0.1)


def _busy_elsewhere() -> bool:
    """Whether another connection to this database did something just now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND (state <> 'idle' OR state_change > clock_timestamp() - make_interval(secs => %s))",
            [REST_SECONDS],
        )
        return bool(cursor.fetchone()[0])


def database_url() -> str:
    """The test database's address: what the tests were given, with the name of their own database."""
    given, name = settings.ENV.database_url, connection.settings_dict["NAME"]
    address, _, query = given.partition("?")
    return f"{address.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")
