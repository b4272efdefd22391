"""The keeper: the one parent of both servers. It starts them, starts them again when one dies, and stops them
when no user is left. It is a process of its own, so it outlives the command that began it.

`owner` runs it as `python -m heydpe.services.keeper DATA_DIR LOCK GENERATION [--throwaway]`; LOCK is the
descriptor of the keeper's lock, held while this process lives.
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
from .errors import ServicesError
from .files import check_disk, log_since, rotate_log, try_lock, write_json
from .places import Places, places_for
from .postgres import PostgresServer, server_binaries
from .processes import dying_with, processes_in, stop_remains
from .redis import RedisServer, server_binary
from .registry import forget_the_dead, living_users
from .server import Server


class Asked(BaseException):
    """Somebody sent this process a signal to end."""


@dataclass
class Kept:
    """One server and its process."""

    server: Server
    places: Places
    process: subprocess.Popen[bytes] | None = None
    deaths: list[float] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.places.log / f"{self.server.name}.log"

    @property
    def has_died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def start(self) -> None:
        """Start and wait until it answers, also through a recovery; once more where it healed itself."""
        written = self._try()
        if written is not None and self.server.heal(written):
            written = self._try()
        if written is not None:
            raise ServicesError(self._why_it_failed(written))
        self.server.after_ready()

    def _try(self) -> str | None:
        """None once it answers, else what it logged before it ended."""
        offset = self._spawn()
        return None if self._answers_in_time() else log_since(self.log, offset)

    def _spawn(self) -> int:
        """Start the process; where its part of the log begins."""
        check_disk(self.places.data_dir)
        self._end_remains()
        command = self.server.prepare()
        rotate_log(self.log)
        with self.log.open("ab") as log:
            begun = log.tell()  # before the process shares the place in the file, and moves it
            self.process = subprocess.Popen(
                command.arguments,
                cwd=command.folder,
                env=command.env,
                user=command.uid,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=dying_with(os.getpid(), self.server.stop_signal),
            )
        return begun

    def _end_remains(self) -> None:
        """Of a keeper or a server that was killed: nobody else may work on the same files."""
        remains = processes_in(self.server.folder, self.server.program)
        if remains:
            log_line(f"ending the {self.server.name} of an earlier crash")
            stop_remains(remains, self.server.stop_signal, STOP_LIMIT_SECONDS)

    def _answers_in_time(self) -> bool:
        """False once the process has ended without answering."""
        assert self.process is not None
        limit = time.monotonic() + START_LIMIT_SECONDS
        while not self.server.answers():
            if self.process.poll() is not None:
                return False
            if time.monotonic() > limit:
                raise ServicesError(f"{self.server.name} does not answer. Its log: {self.log}")
            time.sleep(READY_POLL_SECONDS)
        return True

    def _why_it_failed(self, written: str) -> str:
        last = (written.strip().splitlines() or ["nothing was logged"])[-1]
        return self.server.explain(written) or f"{self.server.name} did not start: {last} (log: {self.log})"

    def start_again(self) -> None:
        now = time.monotonic()
        self.deaths = [when for when in self.deaths if now - when < RESTART_WINDOW_SECONDS] + [now]
        if len(self.deaths) > RESTARTS_MOST:
            raise ServicesError(f"{self.server.name} keeps dying. Its log says why: {self.log}")
        self.start()

    def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(self.server.stop_signal)
        try:
            self.process.wait(STOP_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class Keeper:
    places: Places
    generation: str
    kept: Sequence[Kept]

    def run(self) -> None:
        """Until no user is left or a signal comes; raises ServicesError where a server cannot be had."""
        self._say("starting")
        for one in self.kept:
            one.start()
        self._say("ready")
        while self._is_wanted():
            self._heal()
            time.sleep(TICK_SECONDS)

    def stop(self, error: str = "") -> None:
        """Redis first: a worker that still runs finds its database to the last."""
        self._say("stopping", error)
        for one in reversed(self.kept):
            one.stop()
        self._say("failed" if error else "stopped", error)

    def _heal(self) -> None:
        for one in self.kept:
            if one.has_died:
                log_line(f"{one.server.name} ended by itself; starting it again")
                self._say("recovering")
                one.start_again()
                self._say("ready")

    def _is_wanted(self) -> bool:
        """While somebody holds the transition lock a user may be coming: the next round decides."""
        lock = try_lock(self.places.transition_lock)
        if lock is None:
            return True
        try:
            forget_the_dead(self.places)
            if living_users(self.places):
                return True
            self.stop()  # under the lock: who comes now waits, and starts anew
            return False
        finally:
            os.close(lock)

    def _say(self, state: str, error: str = "") -> None:
        values = {"state": state, "error": error, "generation": self.generation, "keeper": os.getpid()}
        write_json(self.places.state, values)


def log_line(text: str) -> None:
    print(time.strftime("%Y-%m-%d %H:%M:%S"), text, flush=True)


def _end(number: int, _frame: object) -> None:
    raise Asked(signal.Signals(number).name)


def keep(data_dir: Path, generation: str, *, durable: bool) -> int:
    places = places_for(data_dir)
    keeper = Keeper(places, generation, ())
    try:
        postgres = PostgresServer(places, server_binaries(), durable)
        keeper.kept = [Kept(server, places) for server in (postgres, RedisServer(places, server_binary()))]
        keeper.run()
    except ServicesError as error:
        log_line(str(error))
        keeper.stop(str(error))
        return 1
    except Asked as asked:
        log_line(f"asked to stop by {asked}")
        keeper.stop()
    return 0


def main(arguments: list[str]) -> int:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    data_dir, _lock, generation = arguments[:3]
    return keep(Path(data_dir), generation, durable="--throwaway" not in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
