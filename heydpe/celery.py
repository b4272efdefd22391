"""The Celery application. Tasks are found in the apps' `tasks.py`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")

app = Celery("heydpe")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
