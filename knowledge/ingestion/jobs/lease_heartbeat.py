"""Prolong a worker's lease while it works, and interrupt the worker when its job has to stop.

A thread does both, on a connection that it gives back after each beat. When the job is cancelled, lost, or without
progress for `settings.STALLED_SECONDS`, it raises an exception in the working thread: a step that computes in Python
ends between two instructions, and its transaction is rolled back.
"""

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from knowledge import conf
from knowledge.ingestion.errors import Interrupted, Stalled
from knowledge.ingestion.jobs.jobs import Lease

log = structlog.get_logger(__name__)


@contextmanager
def keep_lease_alive(lease: Lease) -> Iterator[Callable[[], None]]:
    """Keep the lease inside the block; the worker calls what it is given whenever a step progresses."""
    thread = _HeartbeatThread(lease)
    thread.start()
    try:
        yield thread.progressed
    finally:
        thread.stop()


class _HeartbeatThread(threading.Thread):
    def __init__(self, lease: Lease) -> None:
        super().__init__(name="lease-heartbeat", daemon=True)
        self._lease = lease
        self._worker = threading.get_ident()
        self._over = threading.Event()
        self._guard = threading.Lock()
        self._progress = time.monotonic()
        self._interrupted = False

    def progressed(self) -> None:
        self._progress = time.monotonic()

    def stop(self) -> None:
        """End the thread, and drop an interruption that is on its way.

        A pending exception is raised here. Clearing it with NULL instead would leave the interpreter looking for it at
        every call, and one with a profiler would never get any further.
        """
        with self._guard:
            self._over.set()
            if self._interrupted:
                try:
                    _raise_in_thread(threading.get_ident(), Interrupted)
                    while True:
                        pass
                except Interrupted:
                    pass
        self.join()

    def run(self) -> None:
        prolonged = time.monotonic()
        while not self._over.wait(conf.CANCEL_SECONDS):
            now = time.monotonic()
            if now - self._progress >= settings.STALLED_SECONDS:
                self._end_work(Stalled)
                return
            late = now - prolonged >= settings.JOB_LEASE_SECONDS * conf.PULSE_SHARE
            try:
                held = self._lease.prolong() if late else self._lease.holds()
                if not held and self._lease.let_go():
                    self._end_work(Interrupted)
                    return
            except (DatabaseError, InterfaceError) as error:
                log.warning("ingestion.pulse_missed", job=str(self._lease.job_id), error=str(error))
            finally:
                connection.close()
            if late:
                prolonged = now

    def _end_work(self, why: type[BaseException]) -> None:
        """Interrupt the worker, again after a while in case a handler swallowed the exception."""
        while not self._over.is_set():
            with self._guard:
                if not self._over.is_set():
                    self._interrupted = True
                    _raise_in_thread(self._worker, why)
            self._over.wait(conf.INTERRUPT_AGAIN_SECONDS)


def _raise_in_thread(thread: int, why: type[BaseException]) -> None:
    """Raise `why` in a thread between two of its instructions, in place of what is pending there."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(why))
