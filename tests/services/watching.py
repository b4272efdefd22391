"""What a test sees of processes and servers from outside."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import redis

from heydpe.services import addresses_for

PROJECT = Path(__file__).resolve().parents[2]


def processes_for(data_dir: Path, *words: str) -> list[psutil.Process]:
    """Living processes whose command line names the data directory and all words."""
    found = []
    for process in psutil.process_iter():
        try:
            line = " ".join(process.cmdline())
            alive = process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            continue
        if (
            alive
            and process.pid != os.getpid()
            and str(data_dir) in line
            and all(word in line for word in words)
        ):
            found.append(process)
    return found


def has_ended(process: psutil.Process) -> bool:
    """A zombie has: whether it was reaped is its parent's affair."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True


def end_all_for(data_dir: Path) -> None:
    for process in processes_for(data_dir):
        process.kill()


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if true():
            return True
        time.sleep(0.05)
    return true()


def query(data_dir: Path, statement: str) -> object:
    with psycopg.connect(addresses_for(data_dir).database_url, autocommit=True) as connection:
        cursor = connection.execute(statement)  # type: ignore[arg-type]
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row else None


def database_answers(data_dir: Path) -> bool:
    try:
        return query(data_dir, "select 1") == 1
    except psycopg.OperationalError:
        return False


def redis_answers(data_dir: Path) -> bool:
    try:
        client = redis.Redis.from_url(addresses_for(data_dir).redis_url)
        return bool(client.ping())
    except redis.RedisError:
        return False


def postmaster(data_dir: Path) -> psutil.Process:
    return psutil.Process(int((data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0]))


def keeper(data_dir: Path) -> psutil.Process:
    return psutil.Process(json.loads((data_dir / "services" / "state.json").read_text())["keeper"])


def start_user(data_dir: Path) -> subprocess.Popen[str]:
    """Another process that uses the services until its input is closed; returns once it has them."""
    code = (
        "import sys; from pathlib import Path; from heydpe.services import services\n"
        "with services(Path(sys.argv[1]), durable=False): print('has them', flush=True); sys.stdin.read()"
    )
    user = subprocess.Popen(
        [sys.executable, "-c", code, str(data_dir)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert user.stdout is not None
    assert user.stdout.readline() == "has them\n"
    return user


def let_go(user: subprocess.Popen[str]) -> None:
    user.communicate(timeout=30)


def kill(process: psutil.Process | subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    os.kill(process.pid, signal.SIGKILL)
