"""A program is loaded once and forks for each file; nothing of one fork stays for the next, and nobody outlives its
parent."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import psutil
import pytest

from knowledge.ingestion.errors import ReadingKilled
from knowledge.ingestion.parsing.fork_server import Fork, Program
from knowledge.ingestion.parsing.sandbox import messages_of

MODULE = "tests.doubles.forked_program"
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def program() -> Iterator[Program]:
    loaded = Program(MODULE, {"PATH": os.environ["PATH"]})
    yield loaded
    if loaded.pid:
        os.kill(loaded.pid, signal.SIGKILL)


def started(program: Program, *arguments: str, stdin: int | None = None) -> tuple[Fork, list[int]]:
    """A fork that has said who it is, who its parent is and how many seconds it may take."""
    heard, speaks = os.pipe()
    with TemporaryFile() as errors, open(os.devnull) as nothing:
        fork = program.fork(
            arguments, (nothing.fileno() if stdin is None else stdin, speaks, errors.fileno())
        )
    os.close(speaks)
    with os.fdopen(heard) as said:
        return fork, [int(word) for word in said.readline().split()]


def gone(pid: int) -> bool:
    for _ in range(500):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False


def forks_of(program: Program) -> list[int]:
    return [child.pid for child in psutil.Process(program.pid).children()]


def test_each_request_gets_a_fork_of_one_program(program: Program) -> None:
    one, (first, parent, _) = started(program, "say")
    other, (second, same, _) = started(program, "say")
    assert first != second
    assert parent == same == program.pid
    assert (one.wait(), other.wait()) == (3, 3)
    assert one.wait() == 3


def test_what_limits_one_fork_limits_no_other(program: Program) -> None:
    _, (_, _, limited) = started(program, "limit", "say")
    _, (_, _, free) = started(program, "say")
    assert limited == 7
    assert free == -1


def test_two_run_at_once_and_the_one_that_is_let_go_is_killed(program: Program) -> None:
    waiting, (pid, _, _) = started(program, "say", "wait")
    other, _ = started(program, "say")
    assert other.wait() == 3
    waiting.kill()
    assert waiting.wait() == -signal.SIGKILL
    assert gone(pid)


def test_a_fork_that_is_killed_from_outside_says_so(program: Program) -> None:
    fork, (pid, _, _) = started(program, "say", "wait")
    os.kill(pid, signal.SIGSEGV)
    assert fork.wait() == -signal.SIGSEGV


def test_an_error_is_a_status(program: Program) -> None:
    fork, _ = started(program, "fail")
    assert fork.wait() == 1


def test_it_reads_what_it_is_told(program: Program) -> None:
    heard, tells = os.pipe()
    os.write(tells, b"5 6 7\n")
    os.close(tells)
    _, said = started(program, "echo", stdin=heard)
    os.close(heard)
    assert said == [5, 6, 7]


def test_a_program_that_is_killed_takes_its_forks_along_and_is_loaded_again(program: Program) -> None:
    fork, (pid, parent, _) = started(program, "say", "wait")
    os.kill(parent, signal.SIGKILL)
    assert fork.wait() == -signal.SIGKILL
    assert gone(pid)
    again, (_, new, _) = started(program, "say")
    assert new != parent
    assert again.wait() == 3


def test_the_next_fork_is_there_and_warm_before_it_is_asked_for(program: Program) -> None:
    one, _ = started(program, "say")
    assert one.wait() == 3
    (waiting,) = forks_of(program)
    _, (loaded, warmed, pid) = started(program, "warm")
    assert pid == waiting
    assert (loaded, warmed) == (program.pid, pid)


def test_a_fork_that_is_killed_before_it_is_asked_for_is_replaced(program: Program) -> None:
    one, _ = started(program, "say")
    assert one.wait() == 3
    (waiting,) = forks_of(program)
    os.kill(waiting, signal.SIGKILL)
    assert gone(waiting)
    other, (pid, _, _) = started(program, "say")
    assert other.wait() == 3
    assert pid != waiting


def test_a_fork_whose_work_is_over_needs_nobody_to_wait_for_it(program: Program) -> None:
    one, (pid, _, _) = started(program, "say", "wait")
    one.let_go()
    assert gone(pid)


def test_program_and_forks_end_with_whoever_started_them() -> None:
    code = (
        "import os, sys\n"
        "from knowledge.ingestion.parsing.fork_server import Program\n"
        f"Program({MODULE!r}, dict(os.environ)).fork(['say', 'wait'], (0, 1, 2))\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        fork, program, _ = (int(word) for word in worker.stdout.readline().split())
        worker.kill()
    assert gone(fork)
    assert gone(program)


def test_a_program_that_is_killed_while_it_starts_is_no_fault_of_the_file() -> None:
    with pytest.raises(ReadingKilled, match="could not be started"):
        next(messages_of("tests.doubles.program_that_dies", seconds=60))
