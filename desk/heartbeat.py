"""A worker's sign of life, as `/readyz/` reads it."""

import time

from django.core.cache import cache

BEAT_KEY = "worker-beat"
# CONTRACT: the web is ready while a worker's beat is younger than a minute; its main process sends one every 2 s,
# also while every process of its pool is at work.
OLDEST_BEAT_SECONDS = 60


def record_beat() -> None:
    cache.set(BEAT_KEY, time.time(), timeout=OLDEST_BEAT_SECONDS * 10)
