"""The Celery application, which finds tasks in the apps' `tasks.py`, and its broker's address."""

import os
import sys
from typing import Any
from urllib.parse import parse_qs, urlsplit

from celery import Celery, signals

from .env import NO_SECRET_KEY, read_environment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")

app = Celery("heydpe")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def broker_url(redis_url: str) -> str:
    """kombu writes a socket as `redis+socket://`; every other client as `unix://`."""
    if not redis_url.startswith("unix://"):
        return redis_url
    address = urlsplit(redis_url)
    database = parse_qs(address.query).get("db", ["0"])[0]
    return f"redis+socket://{address.netloc}{address.path}?virtual_host={database}"


def refuse_without_secret_key(**_: Any) -> None:
    if read_environment().lacks_secret_key:
        sys.exit(NO_SECRET_KEY)


for start_signal in (signals.celeryd_init, signals.beat_init):
    start_signal.connect(refuse_without_secret_key)
