"""Alive: this process answers. Ready: database, Redis and a worker answer too. Metrics: what Prometheus reads."""

import time
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django_prometheus.exports import ExportToDjangoView
from redis.exceptions import RedisError

from desk.heartbeat import BEAT_KEY, OLDEST_BEAT_SECONDS
from knowledge.retrieval.cache import never_found_again
from llm.guard import is_loopback

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
    if not troubles["database"]:
        troubles["look_ups"] = _trouble(_look_ups)  # slow, and no reason to send nobody here
    parts = {
        name: ("ok" if not trouble else trouble if settings.DEBUG or name in TOLD else "away")
        for name, trouble in troubles.items()
    }
    return JsonResponse({"status": "ready" if ok else "not ready", **parts}, status=200 if ok else 503)


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Counters say how much a school works and what is away: for this machine, and for whoever has METRICS_TOKEN."""
    if not _may_read_metrics(request):
        words = "Metrics are for this machine, or for a bearer token: set METRICS_TOKEN and send it.\n"
        return HttpResponse(words, status=403, content_type="text/plain; charset=utf-8")
    response: HttpResponse = ExportToDjangoView(request)
    return response


def _may_read_metrics(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.ENV.metrics_token and scheme.lower() == "bearer":
        return constant_time_compare(token.strip(), settings.ENV.metrics_token)
    # A proxy on this machine is this machine, and passes on what strangers ask.
    forwarded = any(name in request.headers for name in ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded"))
    return is_loopback(request.META.get("REMOTE_ADDR", "")) and not forwarded
