"""The house: settings, environment, wiring. Nothing imports it."""

from .celery import app as celery_app

__all__ = ["celery_app"]
