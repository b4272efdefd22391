"""Tasks wake the pipeline: fetch nothing, decide nothing, call one function."""

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.utils import timezone

from knowledge.documents.edition_checks import report_overdue
from knowledge.documents.standard_intake import load_standard_of, load_standards_left
from knowledge.ingestion.jobs.content_storage import clear_unfinished
from knowledge.ingestion.jobs.jobs import RUN_TASK, next_job, wake_for_waiting
from knowledge.library_version import everything_changed
from knowledge.retrieval.cache_alarm import watch

from . import conf
from .ingestion.pipeline import run_job
from .word_index import index_words


@shared_task(name=RUN_TASK)
def ingest_job(job_id: str) -> None:
    """A message wakes a worker, which takes the job whose turn it is: not always the one that the message names. Where
    the broker is away it goes on with the next: nobody else can be woken.
    """
    tries = conf.TRIES_AT_A_JOB
    while tries and (chosen := next_job()) is not None:
        if not run_job(chosen):
            tries -= 1
            continue
        load_standard_of(chosen)
        if wake_for_waiting(1):
            return


@shared_task(name="knowledge.sweep_jobs")
def sweep_jobs() -> None:
    """Send again what nobody works on: the broker forgot it, or its worker fell silent. What that one left goes, and
    lists of words are written that were not, and standards loaded that were not."""
    clear_unfinished()
    load_standards_left()
    if index_words():
        everything_changed()
    wake_for_waiting(conf.SWEPT_AT_ONCE, expires=2 * settings.SWEEP_SECONDS)


@shared_task(name="knowledge.list_overdue")
def list_overdue() -> None:
    """Every hour, so that a house that runs by day alone lists them, too; one report a day."""
    report_overdue(timezone.now().date())


@shared_task(name="knowledge.watch_look_ups")
def watch_look_ups() -> None:
    """An alarm every hour for as long as it lasts."""
    watch(timezone.now())


@worker_ready.connect
def _at_the_start(**_: object) -> None:
    list_overdue.delay()
    sweep_jobs.delay()
