"""`make run`: the whole system on this machine, from an empty folder to an address, and back down in order.

`heydpe.run` is the command; with `--with-parent` it also ends when its parent (make) is killed.
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

from heydpe.env import BASE_DIR, read_environment

from .embedded import Embedded, embedded_for, stored_secret_key
from .locks import try_lock
from .paths import DataPaths, ServicesError, check_disk, make_folders, paths_for
from .processes import ask_to_die_with_parent
from .services import Use, acquire_services
from .supervisor import TICK_SECONDS, ChildSpec, Supervisor

HOST = "127.0.0.1"
# Web loads every app and the embedding model's tokenizer: 3 s here; a busy laptop takes ten times that.
WEB_LIMIT_SECONDS = 90.0
# A worker may finish the step it is in; the sweep takes up what it does not finish.
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
                signal.signal(number, self._take_signal)

    def _take_signal(self, _number: int, _frame: object) -> None:
        self.count += 1
        if self.raises:
            self.raises = False
            raise Stopped

    def is_hurried(self) -> bool:
        return self.count > 1


def say(line: str) -> None:
    """Print to a terminal that may be gone by now."""
    with contextlib.suppress(OSError):
        os.write(1, (line + "\n").encode())


def main(arguments: list[str], environ: Mapping[str, str] = os.environ) -> int:
    if "--with-parent" in arguments:
        ask_to_die_with_parent(signal.SIGTERM)
    signals = StopSignals()
    try:
        return run_house(signals, environ)
    except (Refused, ServicesError) as error:
        say(str(error))
        return 1
    except Stopped:
        say("Stopped before it was up.")
        return 130


def run_house(signals: StopSignals, environ: Mapping[str, str]) -> int:
    """Start everything, look after it until a signal comes, stop it. Raises Refused, ServicesError, Stopped."""
    problems = read_environment(environ).problems
    if problems:
        raise Refused("\n".join(f"{name}: {what} {hint}" for name, what, hint in problems))
    asked = environ.get("PORT", "") or "8000"
    port = free_port(asked)
    embedded = embedded_for(environ)
    paths = paths_for(embedded.data_dir)
    make_folders(paths)
    check_disk(embedded.data_dir)
    with held_port(paths, port):
        env = child_environment(environ, embedded)
        say(f"HeyDPE is starting; its data is in {_short_path(embedded.data_dir)}")
        with held_services(embedded) as held:
            _bootstrap(env)
            children = child_specs(port, embedded.data_dir)
            supervisor = Supervisor(children, paths.log, BASE_DIR, env, say, signals.is_hurried)

            def welcome() -> None:
                _wait_for_web(port, supervisor)
                say(welcome_text(port, env, embedded.data_dir))

            keep_running(supervisor, held, signals, welcome)
    say("Stopped. Everything is kept; `make run` goes on from here.")
    return 0


def keep_running(
    supervisor: Supervisor, held: "HeldServices", signals: StopSignals, when_up: Callable[[], None]
) -> None:
    """Start the children, supervise them until a signal comes, then stop them in order, in every case."""
    try:
        supervisor.start_all()
        when_up()
        signals.raises = False
        while signals.count == 0:
            supervisor.look_after()
            held.look_after()
            time.sleep(TICK_SECONDS)
    finally:
        signals.raises = False
        say("Stopping in order; Ctrl-C once more to hurry.")
        supervisor.stop_all()
        say("stopping the services")


def free_port(asked: str) -> int:
    """The port as a number, if nobody listens on it. Raises Refused."""
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
            raise Refused(_taken_line(int(asked), "another program")) from error
    return int(asked)


@contextmanager
def held_port(paths: DataPaths, port: int) -> Iterator[None]:
    """One `make run` for each port of a data directory, also while its web server is being restarted and nobody
    listens on the port. Raises Refused."""
    lock = try_lock(paths.registry / f"port-{port}.lock")
    if lock is None:
        raise Refused(_taken_line(port, "another `make run`, which is restarting its web server"))
    try:
        yield
    finally:
        os.close(lock)


def _taken_line(port: int, by: str) -> str:
    return f"Port {port} is taken by {by}. Choose another: `PORT={port % 65535 + 1} make run`."


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
    # `heydpe.asgi` reads the proxies' headers, and only from those that TRUSTED_PROXIES names.
    web_options = ("--no-proxy-headers", "--timeout-graceful-shutdown", "5")
    return [
        ChildSpec(
            name="worker",
            arguments=(*celery, "worker", "--concurrency", "2", *quick, "--loglevel", "INFO"),
            stop_seconds=WORKER_STOP_SECONDS,
            orphan_signal=signal.SIGQUIT,  # Celery's way to end at once, with its own children
        ),
        ChildSpec(name="beat", arguments=(*celery, "beat", "--schedule", schedule, "--pidfile=")),
        ChildSpec(name="web", arguments=(*python, *web, *web_options)),
    ]


@contextmanager
def held_services(embedded: Embedded) -> Iterator["HeldServices"]:
    held = HeldServices(embedded)
    if embedded.missing:
        start = time.monotonic()
        held.acquire()
        say(f"  {time.monotonic() - start:5.1f} s  services: PostgreSQL and Redis answer")
    try:
        yield held
    finally:
        held.release()


class HeldServices:
    """The services we use, acquired again when they are gone."""

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
        if self.use is not None and self.use.has_manager():
            return
        try:
            self.release()
            say("the database and Redis have stopped; starting them again")
            self.acquire()
        except ServicesError as error:
            say(str(error))
            self.retry_at = time.monotonic() + SERVICES_RETRY_SECONDS


def _bootstrap(env: Mapping[str, str]) -> None:
    """In a process of its own, so that what Django loads does not stay in this one."""
    process = subprocess.Popen(
        [sys.executable, "-m", "heydpe.runtime.bootstrap"], cwd=BASE_DIR, env=dict(env)
    )
    try:
        status = process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if status != 0:
        raise Refused("HeyDPE did not start: the reason is in the lines above.")


def _wait_for_web(port: int, supervisor: Supervisor) -> None:
    start = time.monotonic()
    web = supervisor.children[-1]
    while True:
        try:
            urllib.request.urlopen(f"http://{HOST}:{port}/healthz/", timeout=2).close()
            break
        except urllib.error.HTTPError:  # it answers, if only with an error
            break
        except OSError:
            supervisor.look_after()
        if web.failures > 2 or time.monotonic() - start > WEB_LIMIT_SECONDS:
            raise Refused(f"The web server does not come up. Its log says why: {web.log}")
        time.sleep(TICK_SECONDS)
    say(f"  {time.monotonic() - start:5.1f} s  web: it answers")


def welcome_text(port: int, env: Mapping[str, str], data_dir: Path) -> str:
    environment = read_environment(env)
    password = environment.demo_password
    rows = [("student", "takes exams"), ("reviewer", "approves claims"), ("operator", "uploads documents")]
    accounts = [f"    {name:<9} password {password}   {what}" for name, what in rows]
    rule = "-" * 72
    return "\n".join(
        [
            rule,
            f"HeyDPE is running at http://{HOST}:{port}/",
            "",
            *(["  Demo accounts:", *accounts, ""] if environment.debug else []),
            f"  Ctrl-C stops it and loses nothing. Logs: {_short_path(data_dir)}/log",
            rule,
        ]
    )


def _short_path(path: Path) -> str:
    with contextlib.suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)
