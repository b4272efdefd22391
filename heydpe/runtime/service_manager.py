"""The service manager: the one parent of both servers. It starts them, restarts one that dies, and stops them when no
user is left. It is a process of its own, so it outlives the command that started it.

`services` runs it as `python -m heydpe.runtime.service_manager DATA_DIR LOCK GENERATION [--throwaway]`; LOCK is the
descriptor of the manager's lock, held while this process lives.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .conf import (
    READY_POLL_SECONDS,
    RESTART_WINDOW_SECONDS,
    RESTARTS_MOST,
    START_LIMIT_SECONDS,
    STOP_LIMIT_SECONDS,
    TICK_SECONDS,
)
from .locks import forget_dead_users, living_users, try_lock, write_json
from .paths import DataPaths, ServicesError, check_disk, paths_for
from .postgres import PostgresServer, server_binaries
from .processes import Server, log_since, rotate_log, start_process, stop_remains
from .redis import RedisServer, server_binary


class StopRequested(BaseException):
    """A signal asked this process to end."""


@dataclass
class ManagedServer:
    """One server and its process."""

    server: Server
    paths: DataPaths
    process: subprocess.Popen[bytes] | None = None
    deaths: list[float] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.paths.log / f"{self.server.name}.log"

    def has_died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def start_server(self) -> None:
        """Start and wait until it answers, also through a recovery; once more if it healed itself."""
        written = self._try_start()
        if written is not None and self.server.heal(written):
            written = self._try_start()
        if written is not None:
            last = (written.strip().splitlines() or ["nothing was logged"])[-1]
            failure = f"{self.server.name} did not start: {last} (log: {self.log})"
            raise ServicesError(self.server.explain(written) or failure)
        self.server.after_ready()

    def _try_start(self) -> str | None:
        """None once it answers, else what it logged before it ended."""
        check_disk(self.paths.data_dir)
        # What is left of a killed manager or server must not work on the same files.
        if stop_remains(self.server.folder, self.server.program, self.server.stop_signal, STOP_LIMIT_SECONDS):
            print_line(f"ended the {self.server.name} of an earlier crash")
        command = self.server.prepare()
        rotate_log(self.log)
        offset = self.log.stat().st_size if self.log.exists() else 0
        self.process = start_process(command, self.log, self.server.stop_signal)
        limit = time.monotonic() + START_LIMIT_SECONDS
        while not self.server.answers():
            if self.process.poll() is not None:
                return log_since(self.log, offset)
            if time.monotonic() > limit:
                raise ServicesError(f"{self.server.name} does not answer. Its log: {self.log}")
            time.sleep(READY_POLL_SECONDS)
        return None

    def restart_server(self) -> None:
        now = time.monotonic()
        self.deaths = [when for when in self.deaths if now - when < RESTART_WINDOW_SECONDS] + [now]
        if len(self.deaths) > RESTARTS_MOST:
            raise ServicesError(f"{self.server.name} keeps dying. Its log says why: {self.log}")
        self.start_server()

    def stop_server(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(self.server.stop_signal)
        try:
            self.process.wait(STOP_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class ServiceManager:
    paths: DataPaths
    generation: str
    servers: Sequence[ManagedServer] = ()

    def run(self) -> None:
        """Until no user is left or a signal comes. Raises ServicesError if a server cannot run."""
        self._write_state("starting")
        for one in self.servers:
            one.start_server()
        self._write_state("ready")
        while self._is_wanted():
            for one in self.servers:
                if one.has_died():
                    print_line(f"{one.server.name} ended by itself; starting it again")
                    self._write_state("recovering")
                    one.restart_server()
                    self._write_state("ready")
            time.sleep(TICK_SECONDS)

    def stop(self, error: str = "") -> None:
        """Redis first: a worker that still runs has its database to the end."""
        self._write_state("stopping", error)
        for one in reversed(self.servers):
            one.stop_server()
        self._write_state("failed" if error else "stopped", error)

    def _is_wanted(self) -> bool:
        """While somebody holds the transition lock a user may be coming: the next round decides."""
        lock = try_lock(self.paths.transition_lock)
        if lock is None:
            return True
        try:
            forget_dead_users(self.paths)
            if living_users(self.paths):
                return True
            self.stop()  # under the lock: a new user waits, then starts a new manager
            return False
        finally:
            os.close(lock)

    def _write_state(self, state: str, error: str = "") -> None:
        values = {"state": state, "error": error, "generation": self.generation, "keeper": os.getpid()}
        write_json(self.paths.state, values)


def print_line(text: str) -> None:
    print(time.strftime("%Y-%m-%d %H:%M:%S"), text, flush=True)


def main(arguments: list[str]) -> int:
    def request_stop(number: int, _frame: object) -> None:
        raise StopRequested(signal.Signals(number).name)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, request_stop)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    data_dir, _lock, generation = arguments[:3]
    paths = paths_for(Path(data_dir))
    manager = ServiceManager(paths, generation)
    try:
        postgres = PostgresServer(paths, server_binaries(), durable="--throwaway" not in arguments)
        redis = RedisServer(paths, server_binary())
        manager.servers = [ManagedServer(server, paths) for server in (postgres, redis)]
        manager.run()
    except ServicesError as error:
        print_line(str(error))
        manager.stop(str(error))
        return 1
    except StopRequested as request:
        print_line(f"asked to stop by {request}")
        manager.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
