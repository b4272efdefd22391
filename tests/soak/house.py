"""A house of its own for a soak: PostgreSQL, Redis, workers and beat, started with the product's own commands.

Redis is this module's, so that it can be taken away: the service manager of the embedded services would start it again.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg

from heydpe.runtime.redis import OPTIONS, server_binary
from heydpe.runtime.runner import child_specs
from heydpe.runtime.services import acquire_services
from tests.soak.kill_plan import Target

ROOT = Path(__file__).resolve().parents[2]
LEASE_SECONDS = 4
PATIENCE_SECONDS = 900
STDERR = 2
READERS = ("pdf_worker", "image_worker", "text_worker")
OPEN = "('queued', 'running', 'cancelling')"


@dataclass
class House:
    folder: Path
    environment: Mapping[str, str]
    database: str
    redis: subprocess.Popen[bytes] | None = None
    workers: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    beat: subprocess.Popen[bytes] | None = None
    concurrency: int = 2

    # --- what runs ---

    def start_redis(self, *, with_data: bool = True) -> None:
        place = self.folder / "own-redis"
        if not with_data:
            shutil.rmtree(place, ignore_errors=True)
        place.mkdir(exist_ok=True)
        address = self.environment["REDIS_URL"].removeprefix("unix://").partition("?")[0]
        Path(address).unlink(missing_ok=True)
        arguments = (str(server_binary()), *OPTIONS, "--unixsocket", address)
        self.redis = self._spawned("redis", arguments, place)
        wait_until(lambda: Path(address).exists(), 20)

    def stop_redis(self) -> None:
        assert self.redis is not None
        self.redis.terminate()
        self.redis.wait()

    def start_worker(self, name: str = "one", concurrency: int = 2) -> None:
        self.concurrency = concurrency
        worker = list(child_specs(0, self.folder)[0].arguments)
        worker[worker.index("--concurrency") + 1] = str(concurrency)
        self.workers[name] = self._spawned(f"worker-{name}", [*worker, "-n", f"{name}@soak"], ROOT)

    def start_beat(self) -> None:
        self.beat = self._spawned(
            "beat", [*child_specs(0, self.folder)[1].arguments, "--max-interval", "1"], ROOT
        )

    def _spawned(self, name: str, arguments: Sequence[str], folder: Path) -> "subprocess.Popen[bytes]":
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                arguments,
                cwd=folder,
                env=dict(self.environment),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def end(self) -> None:
        for process in (*self.workers.values(), self.beat, self.redis):
            if process is not None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    # --- killing ---

    def kill(self, target: Target, name: str = "one") -> bool:
        """Whether there was such a process; a worker that was killed is started again, as the supervisor does."""
        worker = self.workers[name]
        if target in ("process", "child"):
            with suppress(psutil.Error):  # it may end while we look for it
                return _killed(self._process(worker.pid, target))
            return False
        if target == "group":
            os.killpg(worker.pid, signal.SIGKILL)
        else:
            worker.kill()
        worker.wait()
        self.start_worker(name)
        return True

    def _process(self, worker: int, target: Target) -> psutil.Process | None:
        """A reading process, or the process of the pool that started one or has lately used most time."""
        pool = psutil.Process(worker).children()
        readers = {
            one: [child for child in one.children(recursive=True) if _is_reader(child)] for one in pool
        }
        reading = [(one, child) for one, those in readers.items() for child in those if _has_a_file(child)]
        if target == "child":  # one that reads a file, else the program that it would be a fork of
            programs = (child for those in readers.values() for child in those)
            return reading[-1][1] if reading else next(programs, None)
        return reading[0][0] if reading else max(pool, key=_seconds, default=None)

    def reads(self) -> bool:
        """A process of a worker reads a file or opens its pictures."""
        with suppress(psutil.Error):
            return any(self._process(worker.pid, "child") for worker in self.workers.values())
        return False

    def orphans(self) -> list[str]:
        """Processes of the house that none of its workers, its beat or its Redis is the parent of."""
        known = {process.pid for process in (*self.workers.values(), self.beat, self.redis) if process}
        known |= {child.pid for pid in known for child in psutil.Process(pid).children(recursive=True)}
        found = []
        for process in psutil.process_iter(["pid", "cmdline"]):
            with suppress(psutil.Error):
                line = " ".join(process.info["cmdline"] or ())
                ours = (
                    process.environ().get("HEYDPE_DATA_DIR") == str(self.folder) or str(self.folder) in line
                )
                if (
                    ours
                    and process.pid not in known
                    and ("celery" in line or any(one in line for one in READERS))
                ):
                    found.append(line)
        return found

    # --- looking ---

    def ask(self, *words: str) -> Any:
        asked = subprocess.run(
            [sys.executable, "-m", "tests.soak.inside", *words],
            cwd=ROOT,
            env=dict(self.environment),
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(asked.stdout.splitlines()[-1])

    def count(self, where: str) -> int:
        with psycopg.connect(self.database, autocommit=True) as connection:
            row = connection.execute(f"select count(*) from knowledge_ingestionjob where {where}").fetchone()
        return int(row[0]) if row else 0

    def look_after(self) -> None:
        """Start a worker again that ended by itself, as the supervisor does: Celery gives up where a process of its
        pool is killed while it starts."""
        for name, worker in self.workers.items():
            if worker.poll() is not None:
                with suppress(ProcessLookupError):
                    os.killpg(worker.pid, signal.SIGKILL)
                self.start_worker(name, self.concurrency)

    def open_jobs(self) -> int:
        self.look_after()
        return self.count(f"state in {OPEN}")

    def works(self) -> bool:
        """A job is held by a worker that lives."""
        self.look_after()
        return self.count("state = 'running' and lease_until > now()") > 0

    def pace(self) -> float:
        """Seconds that the last documents took, from their last start to their end."""
        took = (
            "select extract(epoch from finished_at - started_at) as s from knowledge_ingestionjob"
            " where state = 'succeeded' order by finished_at desc limit 8"
        )
        with psycopg.connect(self.database, autocommit=True) as connection:
            row = connection.execute(f"select avg(s) from ({took}) as last").fetchone()
        return max(2.0, float(row[0])) if row and row[0] else 10.0

    def wait_for_the_end(self) -> None:
        if not wait_until(lambda: self.open_jobs() == 0, PATIENCE_SECONDS):
            raise AssertionError(f"jobs did not end: {self.trouble()}")

    def trouble(self) -> str:
        """What is not as it should be, for whoever reads why a soak failed."""
        told = ("source_name", "state", "step", "attempts", "error")
        jobs = [{name: job[name] for name in told} for job in self.ask("jobs") if job["state"] != "succeeded"]
        logs = [path.read_text(errors="replace")[-3000:] for path in sorted(self.folder.glob("*.log"))]
        return "\n".join([str(jobs), *logs])

    def stored(self) -> dict[str, int]:
        media = self.folder / "media"
        return {
            str(path.relative_to(media)): path.stat().st_size for path in media.rglob("*") if path.is_file()
        }


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """Migrated and empty, with Redis, without workers."""
    folder.mkdir(parents=True)
    use = acquire_services(folder, name="soak", durable=False)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HEYDPE_")}
    environment = {
        **kept,
        "DATABASE_URL": use.addresses.database_url,
        "REDIS_URL": f"unix://{folder}/own.sock?db=0",
        "HEYDPE_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "heydpe.settings",
        "JOB_LEASE_SECONDS": str(LEASE_SECONDS),
        "SECRET_KEY": "only for soaks",
        "DEBUG": "1",
        "PYTHONUNBUFFERED": "1",
    }
    made = House(folder, environment, use.addresses.database_url)
    try:
        _shared_weights(folder)
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        made.start_redis()
        yield made
    finally:
        made.end()
        use.release()


def _shared_weights(folder: Path) -> None:
    """What the embedding model makes once of its weights is the same in every house."""
    if os.environ.get("HEYDPE_DATA_DIR") and (own := Path(os.environ["HEYDPE_DATA_DIR"]) / "models").is_dir():
        shutil.copytree(own, folder / "models", dirs_exist_ok=True)


def wait_until(true: Callable[[], bool], seconds: float) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if true():
            return True
        time.sleep(0.1)
    return true()


def _is_reader(process: psutil.Process) -> bool:
    try:
        return any(one in " ".join(process.cmdline()) for one in READERS)
    except psutil.Error:
        return False


def _has_a_file(process: psutil.Process) -> bool:
    """What waits for its file has none open, but perhaps those that it says its errors to."""
    try:
        return any(file.fd > STDERR for file in process.open_files())
    except psutil.Error:
        return False


def _seconds(process: psutil.Process) -> float:
    try:
        return float(sum(process.cpu_times()[:2]))
    except psutil.Error:
        return 0.0


def _killed(process: psutil.Process | None) -> bool:
    if process is None:
        return False
    try:
        process.kill()
    except psutil.Error:
        return False
    return True
