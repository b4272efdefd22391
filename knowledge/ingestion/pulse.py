"""A worker at work says that it lives, also in the middle of a step that has nothing to tell for minutes.

A thread prolongs the lease, on a connection that it gives back after each beat. It ends with the work, and with the
lease: whoever lost the job learns that at the next thing he has to write.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from knowledge import conf

from .jobs import Lease

log = structlog.get_logger(__name__)


@contextmanager
def pulse(lease: Lease) -> Iterator[None]:
    """For as long as the work goes on."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(lease, over), name="pulse", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(lease: Lease, over: threading.Event) -> None:
    while not over.wait(settings.JOB_LEASE_SECONDS * conf.PULSE_SHARE):
        try:
            if not lease.prolong():
                return
        except (DatabaseError, InterfaceError) as error:
            log.warning("ingestion.pulse_missed", job=str(lease.job_id), error=str(error))
        finally:
            connection.close()
