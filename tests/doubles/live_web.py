"""The product's web server as its own process, on a port of this machine, over the tests' database and Redis."""

import os
import random
import re
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
STOP_LIMIT_SECONDS = 20
REST_LIMIT_SECONDS = 120
QUIET_LOOKS = 6  # in a row: a message may be under way from one piece of work to the next
LOOK_SECONDS = 0.05
PORTS = range(20_000, 32_000)
OURS = "live web"  # its sessions' name in the database
WORK = re.compile(r"^heydpe_exam_work\{[^}]*\} (\S+)$", re.MULTILINE)


def free_port() -> int:
    """Below the ports that the system gives to outgoing connections, of which tests beside this one make many."""
    for port in random.SystemRandom().sample(PORTS, k=100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(f"none of a hundred ports between {PORTS.start} and {PORTS.stop} is free")


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
        arguments += ["--no-proxy-headers"]
        arguments += ["--port", str(self.port), "--timeout-graceful-shutdown", str(STOP_LIMIT_SECONDS)]
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

    def memory(self) -> int:
        """Its resident memory, in bytes."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def come_to_rest(self) -> None:
        """Wait until all that it has begun is ended: work that nobody waits for goes on behind a test, and must not
        meet the emptying of the tables.
        """
        end, quiet = time.monotonic() + REST_LIMIT_SECONDS, 0
        while quiet < QUIET_LOOKS:
            assert time.monotonic() < end, "the web server does not come to rest"
            quiet = 0 if self._is_working() or _is_asking() else quiet + 1
            time.sleep(LOOK_SECONDS)

    def _is_working(self) -> bool:
        with urllib.request.urlopen(f"http://{self.host}/metrics", timeout=START_LIMIT_SECONDS) as reply:
            told = reply.read().decode()
        assert "# TYPE heydpe_exam_work gauge" in told  # a lane is told of from its first work on
        return any(float(count) for count in WORK.findall(told))

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(STOP_LIMIT_SECONDS + 10)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None

    def complained_of_nothing(self) -> None:
        before, trouble, after = self.log.read_text().partition("Traceback")
        assert not trouble, before[-1000:] + trouble + after[:6000]


def _is_asking() -> bool:
    """A server that was killed may leave a statement behind."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select exists(select from pg_stat_activity where application_name = %s and state <> 'idle')",
            [OURS],
        )
        return bool(cursor.fetchone()[0])


def database_url() -> str:
    """The test database's address: what the tests were given, with the name of their own database."""
    given, name = settings.ENV.database_url, connection.settings_dict["NAME"]
    address, _, query = given.partition("?")
    return f"{address.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")
