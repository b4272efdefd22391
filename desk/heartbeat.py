"""A worker's sign of life, as `/readyz/` reads it."""

import time

from django.core.cache import cache

BEAT_KEY = "worker-beat"
# CONTRACT: the web is ready while a worker's beat is younger than a minute; beat sends one every 15 s.
OLDEST_BEAT_SECONDS = 60


def record_beat() -> None:
    cache.set(BEAT_KEY, time.time(), timeout=OLDEST_BEAT_SECONDS * 10)
