"""Alive: this process answers. Ready: database, Redis and a worker answer too."""

import time
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from desk.heartbeat import BEAT_KEY, OLDEST_BEAT_SECONDS
from knowledge.retrieval.watch import never_found_again

TOLD = ("look_ups",)  # in words also to strangers: they say nothing about the house


@never_cache
def alive(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def _redis() -> str:
    cache.get("readyz")
    return ""


def _worker() -> str:
    beat = cache.get(BEAT_KEY)
    if beat is None:
        return "no worker has reported yet"
    age = time.time() - float(beat)
    return "" if age < OLDEST_BEAT_SECONDS else f"the last worker's beat is {age:.0f} s old"


def _look_ups() -> str:
    return " ".join(never_found_again(timezone.now()))


def _trouble(check: Callable[[], str]) -> str:
    try:
        return check()
    except (DatabaseError, RedisError, OSError) as error:
        return str(error).splitlines()[0] if str(error) else type(error).__name__


@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    checks = {"database": _database, "redis": _redis, "worker": _worker}
    troubles = {name: _trouble(check) for name, check in checks.items()}
    ok = not any(troubles.values())
    troubles["look_ups"] = _trouble(_look_ups)  # slow, and no reason to send nobody here
    parts = {
        name: ("ok" if not trouble else trouble if settings.DEBUG or name in TOLD else "away")
        for name, trouble in troubles.items()
    }
    return JsonResponse({"status": "ready" if ok else "not ready", **parts}, status=200 if ok else 503)
