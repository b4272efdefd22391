"""`make run`: the whole system on this machine, from an empty folder to an address, and back down in order.

Run as `python -m heydpe.run [--with-parent]`; with it, it also ends when its parent (make) is killed.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .embedded import Embedded, embedded_for, stored_secret_key
from .env import BASE_DIR, read_environment
from .services import ServicesError, Use, acquire_services
from .services.files import check_disk, make_folders
from .services.places import places_for
from .services.processes import ask_to_die_with_parent
from .supervisor import TICK_SECONDS, ChildSpec, Supervisor

HOST = "127.0.0.1"
# Web loads every app and the embedding model's tokenizer: 3 s here; a busy laptop takes ten times that.
WEB_LIMIT_SECONDS = 90.0
# A worker may finish the step it is in; what it does not finish is taken up again by the sweep.
WORKER_STOP_SECONDS = 60.0
SERVICES_RETRY_SECONDS = 10.0


class Refused(Exception):
    """Cannot start; the text is one line that says what to do."""


class Stopped(BaseException):
    """A signal came while starting."""


class StopSignals:
    """Ctrl-C, `kill` and a closed terminal ask to stop; a second one asks to hurry."""

    def __init__(self) -> None:
        self.count = 0
        self.raises = True
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup means it
                signal.signal(number, self._take)

    def _take(self, _number: int, _frame: object) -> None:
        self.count += 1
        if self.raises:
            self.raises = False
            raise Stopped

    @property
    def hastened(self) -> bool:
        return self.count > 1


def say(line: str) -> None:
    """To a terminal that may be gone by now."""
    with contextlib.suppress(OSError):
        os.write(1, (line + "\n").encode())


def main(arguments: list[str], environ: Mapping[str, str] = os.environ) -> int:
    if "--with-parent" in arguments:
        ask_to_die_with_parent(signal.SIGTERM)
    signals = StopSignals()
    try:
        return _run(signals, environ)
    except (Refused, ServicesError) as error:
        say(str(error))
        return 1
    except Stopped:
        say("Stopped before it was up.")
        return 130


def check_environment(environ: Mapping[str, str]) -> None:
    """A value that cannot be read is not guessed at; raises Refused with what to do."""
    problems = read_environment(environ).problems
    if problems:
        raise Refused("\n".join(f"{name}: {what} {hint}" for name, what, hint in problems))


def _run(signals: StopSignals, environ: Mapping[str, str]) -> int:
    check_environment(environ)
    port = free_port(environ.get("PORT", "") or "8000")
    embedded = embedded_for(environ)
    make_folders(places_for(embedded.data_dir))
    check_disk(embedded.data_dir)
    env = child_environment(environ, embedded)
    say(f"HeyDPE is starting; its data is in {_short(embedded.data_dir)}")
    with held_services(embedded) as held:
        _prepare(env)
        log_dir = places_for(embedded.data_dir).log
        children = child_specs(port, embedded.data_dir)
        supervisor = Supervisor(children, log_dir, BASE_DIR, env, say, lambda: signals.hastened)

        def greet() -> None:
            _wait_for_web(port, supervisor, log_dir)
            say(welcome(port, env, embedded.data_dir))

        keep_running(supervisor, held, signals, greet)
    say("Stopped. Everything is kept; `make run` goes on from here.")
    return 0


def keep_running(
    supervisor: Supervisor, held: "Held", signals: StopSignals, when_up: Callable[[], None]
) -> None:
    """Children up, then looked after until a signal comes, then down in order, whatever happened between."""
    try:
        supervisor.start()
        when_up()
        signals.raises = False
        while signals.count == 0:
            supervisor.look_after()
            held.look_after()
            time.sleep(TICK_SECONDS)
    finally:
        signals.raises = False
        say("Stopping in order; Ctrl-C once more to hurry.")
        supervisor.stop()
        say("stopping the services")


def free_port(asked: str) -> int:
    """The port as a number, once nobody listens on it; raises Refused."""
    if not asked.isdecimal() or not 0 < int(asked) < 65536:
        raise Refused(f"PORT is “{asked}”, which is no port. Use a number, as in `PORT=8001 make run`.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, int(asked)))
        except PermissionError as error:
            raise Refused(
                f"Port {asked} is reserved. Choose one above 1023: `PORT=8001 make run`."
            ) from error
        except OSError as error:
            other = int(asked) % 65535 + 1
            line = f"Port {asked} is taken by another program. Choose another: `PORT={other} make run`."
            raise Refused(line) from error
    return int(asked)


def child_environment(environ: Mapping[str, str], embedded: Embedded) -> dict[str, str]:
    given = {name: value for name, value in environ.items() if value}
    return {
        "DEBUG": "1",
        "SECRET_KEY": environ.get("SECRET_KEY") or stored_secret_key(embedded.data_dir),
        **given,
        **embedded.missing,
        "HEYDPE_DATA_DIR": str(embedded.data_dir),
        "DJANGO_SETTINGS_MODULE": "heydpe.settings",
        "PYTHONUNBUFFERED": "1",
    }


def child_specs(port: int, data_dir: Path) -> list[ChildSpec]:
    """In the order of starting; web stops first, the worker last."""
    python = (sys.executable, "-m")
    celery = (*python, "celery", "-A", "heydpe")
    schedule = str(data_dir / f"beat-schedule-{port}")
    quick = ("--without-gossip", "--without-mingle")
    web = ("uvicorn", "heydpe.asgi:application", "--host", HOST, "--port", str(port), "--lifespan", "off")
    # `heydpe.asgi` reads the proxies' headers, and only of those that TRUSTED_PROXIES names.
    web_options = ("--no-proxy-headers", "--timeout-graceful-shutdown", "5")
    return [
        ChildSpec(
            name="worker",
            arguments=(*celery, "worker", "--concurrency", "2", *quick, "--loglevel", "INFO"),
            stop_seconds=WORKER_STOP_SECONDS,
            orphan_signal=signal.SIGQUIT,  # Celery's way to end at once, its own children too
        ),
        ChildSpec(name="beat", arguments=(*celery, "beat", "--schedule", schedule, "--pidfile=")),
        ChildSpec(name="web", arguments=(*python, *web, *web_options)),
    ]


@contextmanager
def held_services(embedded: Embedded) -> Iterator["Held"]:
    held = Held(embedded)
    if embedded.missing:
        start = time.monotonic()
        held.acquire()
        say(f"  {time.monotonic() - start:5.1f} s  services: PostgreSQL and Redis answer")
    try:
        yield held
    finally:
        held.release()


class Held:
    """The services we use, taken again should they be gone."""

    def __init__(self, embedded: Embedded) -> None:
        self.embedded = embedded
        self.use: Use | None = None
        self.retry_at = 0.0

    def acquire(self) -> None:
        self.use = acquire_services(
            self.embedded.data_dir, name="make run", report=lambda line: say("  " + line)
        )

    def release(self) -> None:
        if self.use is not None:
            self.use.release()
            self.use = None

    def look_after(self) -> None:
        if not self.embedded.missing or time.monotonic() < self.retry_at:
            return
        self.retry_at = time.monotonic() + 1.0
        if self.use is not None and self.use.is_served():
            return
        try:
            self.release()
            say("the database and Redis are gone; starting them again")
            self.acquire()
        except ServicesError as error:
            say(str(error))
            self.retry_at = time.monotonic() + SERVICES_RETRY_SECONDS


def _prepare(env: Mapping[str, str]) -> None:
    """In a process of its own: what Django loads for it does not stay in this one."""
    process = subprocess.Popen([sys.executable, "-m", "heydpe.prepare"], cwd=BASE_DIR, env=dict(env))
    try:
        status = process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if status != 0:
        raise Refused("HeyDPE did not start: the reason is in the lines above.")


def _wait_for_web(port: int, supervisor: Supervisor, log_dir: Path) -> None:
    start = time.monotonic()
    web = supervisor.children[-1]
    while not _answers(port):
        supervisor.look_after()
        if web.failures > 2 or time.monotonic() - start > WEB_LIMIT_SECONDS:
            raise Refused(f"The web server does not come up. Its log says why: {log_dir / 'web.log'}")
        time.sleep(TICK_SECONDS)
    say(f"  {time.monotonic() - start:5.1f} s  web: it answers")


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/healthz/", timeout=2) as reply:
            return bool(reply.status == 200)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def welcome(port: int, env: Mapping[str, str], data_dir: Path) -> str:
    password = read_environment(env).demo_password
    rows = [("student", "takes exams"), ("reviewer", "approves claims"), ("operator", "loads documents")]
    accounts = [f"    {name:<9} password {password}   {what}" for name, what in rows]
    rule = "-" * 72
    return "\n".join(
        [
            rule,
            f"HeyDPE is running at http://{HOST}:{port}/",
            "",
            "  Demo accounts:",
            *accounts,
            "",
            f"  Ctrl-C stops it and loses nothing. Logs: {_short(data_dir)}/log",
            rule,
        ]
    )


def _short(path: Path) -> str:
    with contextlib.suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
