"""What a test sees of processes and servers from outside."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import redis

from heydpe.runtime.locks import User, is_locked, living_users, read_json
from heydpe.runtime.paths import paths_for

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
        with suppress(psutil.NoSuchProcess):  # it was ending already
            process.kill()


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if true():
            return True
        time.sleep(0.05)
    return true()


def query(data_dir: Path, statement: str) -> object:
    with psycopg.connect(paths_for(data_dir).addresses.database_url, autocommit=True) as connection:
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
        client = redis.Redis.from_url(paths_for(data_dir).addresses.redis_url)
        return bool(client.ping())
    except redis.RedisError:
        return False


def postmaster(data_dir: Path) -> psutil.Process:
    return psutil.Process(int((data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0]))


def manager(data_dir: Path) -> psutil.Process:
    return psutil.Process(int(str(read_json(paths_for(data_dir).state)["keeper"])))


def state_of(data_dir: Path) -> str:
    """What the service manager last said, or "stopped" if there is none."""
    paths = paths_for(data_dir)
    state = str(read_json(paths.state).get("state", "stopped"))
    return state if is_locked(paths.manager_lock) or state == "failed" else "stopped"


def users_of(data_dir: Path) -> tuple[User, ...]:
    return living_users(paths_for(data_dir))


def start_user(data_dir: Path) -> subprocess.Popen[str]:
    """Another process that uses the services until its input is closed; returns once it has them."""
    code = (
        "import sys; from pathlib import Path; from heydpe.runtime.services import services\n"
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
