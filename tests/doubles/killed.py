"""A run of a job in a process of its own that kills itself: at the end of a step, or half way through it."""

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper

from knowledge.ingestion.pipeline import STEPS, run_job
from knowledge.ingestion.run import Run, Step
from tests.doubles.embedding import HashingEmbedding

FINISHED = 7  # what a process ends with that ran to the end instead


def calls_by_step(job_id: UUID) -> dict[str, int]:
    """Run a job to its end, undisturbed, and count the calls of functions in each step."""
    counted: dict[str, int] = {}

    def counting(name: str, step: Step) -> Step:
        def run_it(run: Run) -> None:
            counter = _Calls()
            with counter:
                step(run)
            counted[name] = counter.seen

        return run_it

    run_job(
        job_id, model=HashingEmbedding(), steps={name: counting(name, step) for name, step in STEPS.items()}
    )
    return counted


def run_killed(job_id: UUID, at: str, *, after_calls: int | None = None) -> int:
    """Run the job in a process that is killed in this step after so many calls, or at its end; how that process ended,
    as `subprocess` says it."""

    def run_it(run: Run) -> None:
        with _Calls(after_calls):
            STEPS[at](run)
        _kill_self()

    steps = {**STEPS, at: run_it}
    return in_another_process(lambda: run_job(job_id, model=HashingEmbedding(), steps=steps))


def in_another_process(work: Callable[[], Any]) -> int:
    """A fork does it; it has connections of its own, and no way back into the test."""
    for connection in connections.all():
        assert isinstance(connection, DatabaseWrapper)
        connection.close()
        connection.close_pool()
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(FINISHED)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Calls:
    """Counts calls of Python functions; the process is killed in the middle of the one with the number `last`."""

    def __init__(self, last: int | None = None) -> None:
        self.seen = 0
        self.last = last

    def __enter__(self) -> None:
        sys.setprofile(self._called)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            self.seen += 1
            if self.seen == self.last:
                _kill_self()
