"""Celery tasks of curation: fetch by id, call one function. Running one twice adds nothing."""

from celery import shared_task

from curation.oversight.audit import verify_chains
from curation.reading.served_elements import find_missing_elements


@shared_task(name="curation.find_elements")  # type: ignore[untyped-decorator]
def find_elements() -> int:
    """Look up which elements waiting claims will serve, so that the queue need not."""
    return find_missing_elements()


@shared_task(name="curation.verify_audit")  # type: ignore[untyped-decorator]
def verify_audit() -> None:
    verify_chains()
