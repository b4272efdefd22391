"""The supervisor stops its children in order, heals dead ones, and leaves nobody behind however it ends."""

import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from heydpe.runtime.supervisor import ChildSpec, Supervisor
from tests.sampling import sample_of

from .watching import PROJECT, database_answers, has_ended, kill, processes_for, redis_answers, wait_until


class House:
    """The fake house as a process, and who descends from it."""

    def __init__(self, data_dir: Path, pause: float = 0.0, ignoring: signal.Signals | None = None) -> None:
        self.data_dir = data_dir
        self.output = data_dir / "output"
        command = [sys.executable, "-m", "tests.services.fake_house", str(data_dir), str(pause)]
        if ignoring:
            quoted = shlex.join([*command, "--as-started"])
            command = ["sh", "-c", f"trap '' {ignoring.name.removeprefix('SIG')}; exec {quoted}"]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                command,
                cwd=PROJECT,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        assert wait_until(lambda: self.lines("started") == 3), self.output.read_text()
        assert wait_until(lambda: "up" in self.output.read_text())
        self.family = psutil.Process(self.process.pid).children(recursive=True)

    def lines(self, name: str) -> int:
        path = self.data_dir / name
        return len(path.read_text().splitlines()) if path.exists() else 0

    def ended(self) -> list[str]:
        return (self.data_dir / "ended").read_text().splitlines()

    def send(self, how: signal.Signals) -> None:
        self.process.send_signal(how)

    def is_gone(self) -> bool:
        return all(has_ended(one) for one in self.family) and processes_for(self.data_dir) == []


@pytest.fixture
def house(data_dir: Path) -> Iterator[House]:
    found = House(data_dir)
    yield found
    found.process.kill()
    found.process.wait()


@pytest.mark.parametrize("how", sample_of([signal.SIGTERM, signal.SIGINT, signal.SIGHUP], 3))
def test_each_way_to_stop_stops_in_order_and_leaves_nobody(house: House, how: signal.Signals) -> None:
    house.send(how)
    assert house.process.wait(30) == 0
    assert house.ended() == ["web SIGTERM", "beat SIGTERM", "worker SIGTERM"]
    assert wait_until(house.is_gone)


def test_a_killed_supervisor_leaves_nobody(house: House) -> None:
    house.send(signal.SIGKILL)
    house.process.wait()
    assert wait_until(lambda: processes_for(house.data_dir) == [])
    assert house.lines("ended") == 3


def test_a_killed_child_is_started_again_and_what_it_left_is_ended(house: House) -> None:
    (web,) = processes_for(house.data_dir, " web ")
    (grandchild,) = web.children()
    kill(web)
    assert wait_until(lambda: house.lines("started") == 4)
    assert has_ended(grandchild)
    assert "web was killed by SIGKILL; starting it again in 0.2 s" in house.output.read_text()


def looked_after(supervisor: Supervisor, true: Callable[[], bool]) -> bool:
    def look() -> bool:
        supervisor.look_after()
        return true()

    return wait_until(look)


@pytest.mark.long
def test_a_child_that_is_killed_again_and_again_is_back_soon_each_time(tmp_path: Path) -> None:
    supervisor = Supervisor(
        [ChildSpec(name="web", arguments=("sleep", "1000"))], tmp_path, tmp_path, {}, lambda line: None
    )
    (child,) = supervisor.children
    supervisor.start_all()
    for _ in range(7):
        assert child.process is not None
        kill(child.process)
        assert looked_after(supervisor, lambda: child.process is None)
        assert child.start_at - time.monotonic() <= 2
        assert looked_after(supervisor, lambda: child.process is not None)
    supervisor.stop_all()


def test_a_child_that_cannot_live_is_started_ever_more_seldom(tmp_path: Path) -> None:
    supervisor = Supervisor(
        [ChildSpec(name="web", arguments=("false",))], tmp_path, tmp_path, {}, lambda line: None
    )
    (child,) = supervisor.children
    for failures in range(5):
        child.start_child()
        assert looked_after(supervisor, lambda: child.process is None)
        assert child.failures == failures + 1
    assert child.start_at - time.monotonic() > 20


@pytest.mark.long
def test_services_whose_manager_was_killed_are_started_again(house: House) -> None:
    for process in processes_for(house.data_dir, "heydpe.runtime.service_manager"):
        kill(process)
    assert wait_until(lambda: "starting them again" in house.output.read_text())
    assert wait_until(lambda: database_answers(house.data_dir) and redis_answers(house.data_dir))


def test_children_that_have_just_ended_are_stopped_like_others(tmp_path: Path) -> None:
    specs = [ChildSpec(name=name, arguments=("true",)) for name in ("one", "two")]
    supervisor = Supervisor(specs, tmp_path, tmp_path, dict(os.environ), lambda line: None)
    supervisor.start_all()
    processes = [psutil.Process(child.process.pid) for child in supervisor.children if child.process]
    assert wait_until(lambda: all(has_ended(process) for process in processes))
    supervisor.stop_all()
    assert all(child.process is None for child in supervisor.children)


@pytest.mark.long
def test_a_second_signal_hurries(data_dir: Path) -> None:
    slow = House(data_dir, pause=1000.0)
    slow.send(signal.SIGINT)
    assert wait_until(lambda: "stopping worker" in slow.output.read_text())
    slow.send(signal.SIGINT)
    slow.process.wait(30)
    assert "worker did not end in time and was killed" in slow.output.read_text()
    assert wait_until(slow.is_gone)


@pytest.mark.long
def test_what_the_starter_ignores_does_not_stop_it(data_dir: Path) -> None:
    kept = House(data_dir, ignoring=signal.SIGHUP)
    kept.send(signal.SIGHUP)
    assert not wait_until(lambda: has_ended(psutil.Process(kept.process.pid)), 1.0)
    kept.send(signal.SIGTERM)
    assert kept.process.wait(30) == 0
    assert wait_until(kept.is_gone)


@pytest.mark.long
def test_a_closed_terminal_stops_it(data_dir: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(PROJECT)
        os.execv(sys.executable, [sys.executable, "-m", "tests.services.fake_house", str(data_dir), "0"])
    started = data_dir / "started"
    assert wait_until(lambda: started.exists() and len(started.read_text().splitlines()) == 3)
    os.close(terminal)
    try:
        assert wait_until(lambda: os.waitpid(pid, os.WNOHANG)[0] == pid)
    except AssertionError:
        os.kill(pid, signal.SIGKILL)
        raise
    assert wait_until(lambda: processes_for(data_dir) == [])
    assert len((data_dir / "ended").read_text().splitlines()) == 3
