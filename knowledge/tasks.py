"""Celery tasks of the library. Each fetches nothing, decides nothing and calls one function."""

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.utils import timezone

from knowledge.documents.edition_checks import report_overdue
from knowledge.documents.standard_intake import load_standard_of, load_standards_left
from knowledge.ingestion.jobs.content_storage import clear_unfinished
from knowledge.ingestion.jobs.jobs import RUN_TASK, next_job, wake_for_waiting
from knowledge.library_version import everything_changed, index_words
from knowledge.retrieval.cache import alert_unused_caches

from . import conf
from .ingestion.pipeline import run_job


@shared_task(name=RUN_TASK)
def ingest_job(job_id: str) -> None:
    """Run the next job in line, not always the one that the message names. If the broker is away, go on with the next
    job, since no other worker can be woken."""
    tries = conf.TRIES_AT_A_JOB
    while tries and (chosen := next_job()) is not None:
        if not run_job(chosen, in_turn=True):
            tries -= 1
            continue
        load_standard_of(chosen)
        if wake_for_waiting(1):
            return


@shared_task(name="knowledge.sweep_jobs")
def sweep_jobs() -> None:
    """Pick up what was left: unfinished files, standards that were not loaded, words that were not indexed, and jobs
    that the broker forgot or whose worker died."""
    clear_unfinished()
    load_standards_left()
    if index_words():
        everything_changed()
    wake_for_waiting(conf.SWEPT_AT_ONCE, expires=2 * settings.SWEEP_SECONDS)


@shared_task(name="knowledge.list_overdue")
def list_overdue() -> None:
    """One report a day; it runs every hour so that a machine that is off at night has one, too."""
    report_overdue(timezone.now().date())


@shared_task(name="knowledge.watch_look_ups")
def watch_look_ups() -> None:
    """One alarm an hour for as long as a cache never hits."""
    alert_unused_caches(timezone.now())


@worker_ready.connect
def _run_at_start(**_: object) -> None:
    list_overdue.delay()
    sweep_jobs.delay()
