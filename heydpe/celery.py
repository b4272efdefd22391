"""The Celery application. Tasks are found in the apps' `tasks.py`."""

import os
import sys
from typing import Any

from celery import Celery, signals

from .env import NO_SECRET_KEY, read_environment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")

app = Celery("heydpe")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def refuse_without_secret_key(**_: Any) -> None:
    if read_environment().lacks_secret_key:
        sys.exit(NO_SECRET_KEY)


for beginning in (signals.celeryd_init, signals.beat_init):
    beginning.connect(refuse_without_secret_key)
