from celery import shared_task
from celery.signals import heartbeat_sent, worker_ready
from django.utils import timezone

from desk.operations.weekly_report import keep_weeks

from .heartbeat import record_beat


@shared_task(name="desk.report_searches")
def report_searches() -> None:
    """Four times a day, so that a house that runs by day alone has its weeks, too; a second run changes nothing."""
    keep_weeks(timezone.now())


@worker_ready.connect
@heartbeat_sent.connect
def _beat(**_: object) -> None:
    record_beat()
