"""A worker at work says that it lives, also in the middle of a step that has nothing to tell for minutes, and hears
that its operator wants it to stop.

A thread prolongs the lease, on a connection that it gives back after each beat. It ends with the work, and with the
lease: whoever lost the job learns that at the next thing he has to write. A job that is to stop is over as soon as
this thread sees it, since nothing that is still written for it counts.
"""

import threading
import time
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
    prolonged = time.monotonic()
    while not over.wait(conf.CANCEL_SECONDS):
        late = time.monotonic() - prolonged >= settings.JOB_LEASE_SECONDS * conf.PULSE_SHARE
        try:
            if not (lease.prolong() if late else lease.holds()):
                lease.let_go()
                return
        except (DatabaseError, InterfaceError) as error:
            log.warning("ingestion.pulse_missed", job=str(lease.job_id), error=str(error))
        finally:
            connection.close()
        if late:
            prolonged = time.monotonic()
