from celery import shared_task
from celery.signals import worker_ready

from .heartbeat import record_beat


@shared_task(name="desk.worker_beat")
def worker_beat() -> None:
    record_beat()


@worker_ready.connect
def _first_beat(**_: object) -> None:
    record_beat()
