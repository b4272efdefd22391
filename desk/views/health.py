"""Alive: this process answers. Ready: database, Redis and a worker answer too. Metrics: what Prometheus reads."""

import time
from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django_prometheus.exports import ExportToDjangoView
from redis.exceptions import RedisError

from exams.oversight.sample_check import set_gauges
from knowledge.documents.edition_checks import OVERDUE, overdue_editions
from knowledge.models import Document
from knowledge.retrieval.cache import unused_cache_alarms
from llm.guard import is_loopback

BEAT_KEY = "worker-beat"
# CONTRACT: the web is ready while a worker's heartbeat is younger than a minute.
OLDEST_BEAT_SECONDS = 60
PUBLIC_DETAILS = ("look_ups",)  # also shown to strangers: it says nothing about the house


@never_cache
def alive(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    checks = {"database": _check_database, "redis": _check_redis, "worker": _check_worker}
    troubles = {name: _trouble_of(check) for name, check in checks.items()}
    ok = not any(troubles.values())
    if not troubles["database"]:  # slow, and no reason to send nobody here
        troubles["look_ups"] = _trouble_of(lambda: " ".join(unused_cache_alarms(timezone.now())))
    parts = {
        name: ("ok" if not trouble else trouble if settings.DEBUG or name in PUBLIC_DETAILS else "away")
        for name, trouble in troubles.items()
    }
    return JsonResponse({"status": "ready" if ok else "not ready", **parts}, status=200 if ok else 503)


def _trouble_of(check: Callable[[], str]) -> str:
    """Empty if the check finds nothing wrong."""
    try:
        return check()
    except (DatabaseError, RedisError, OSError) as error:
        return str(error).splitlines()[0] if str(error) else type(error).__name__


def _check_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def _check_redis() -> str:
    cache.get("readyz")
    return ""


def _check_worker() -> str:
    beat = cache.get(BEAT_KEY)
    if beat is None:
        return "no worker has reported yet"
    age = time.time() - float(beat)
    return "" if age < OLDEST_BEAT_SECONDS else f"the last worker's heartbeat is {age:.0f} s old"


def worker_away() -> str:
    """Why no task is done now, for people; empty if a worker runs."""
    if _trouble_of(_check_redis):
        return "Redis cannot be reached"
    return "No worker is running" if _trouble_of(_check_worker) else ""


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Only for this machine and for whoever has METRICS_TOKEN: the counters say how much a school works."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.ENV.metrics_token and scheme.lower() == "bearer":
        allowed = constant_time_compare(token.strip(), settings.ENV.metrics_token)
    else:  # a proxy on this machine passes on what strangers ask
        forwarded = {"X-Forwarded-For", "X-Forwarded-Host", "Forwarded"}
        is_direct = not any(name in request.headers for name in forwarded)
        allowed = is_direct and is_loopback(request.META.get("REMOTE_ADDR", ""))
    if not allowed:
        text = "Metrics are for this machine, or for a bearer token: set METRICS_TOKEN and send it.\n"
        return HttpResponse(text, status=403, content_type="text/plain; charset=utf-8")
    with suppress(DatabaseError):  # the other figures are told all the same
        OVERDUE.set(overdue_editions(Document.objects.all(), timezone.now().date()).count())
        set_gauges()
    response: HttpResponse = ExportToDjangoView(request)
    return response
