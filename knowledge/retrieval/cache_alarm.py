"""What is kept so as to be found again, and never is, is noticed: somebody is told, and can look."""

from datetime import datetime, timedelta
from typing import Final

import structlog

from knowledge import conf
from knowledge.models import RetrievalLog
from knowledge.models.telemetry import LookUp, Tier
from knowledge.retrieval import query_vectors

log = structlog.get_logger(__name__)

WINDOW: Final = timedelta(days=1)


def never_found_again(now: datetime) -> tuple[str, ...]:
    """A sentence for each tier that has answered nothing for long; none where all is well or little was asked.

    Exams ask for the same elements again and again; what is typed or answered may well come once.
    """
    rows = RetrievalLog.objects.filter(kind=LookUp.ELEMENT, created_at__gte=now - WINDOW).order_by(
        "-created_at"
    )
    tiers = list(rows.values_list("tier", flat=True)[: conf.WATCHED_LOOK_UPS])
    told = []
    if len(tiers) == conf.WATCHED_LOOK_UPS and set(tiers) == {Tier.FULL}:
        told.append(
            f"The last {len(tiers)} look-ups by element were all searched: memory and cache answer none."
        )
    if query_vectors.never_hit():
        told.append("Vectors of questions are embedded each time in this process: the cache answers none.")
    return tuple(told)


def watch(now: datetime) -> int:
    """Say so in the log; returns how many tiers answer nothing."""
    told = never_found_again(now)
    for what in told:
        log.error("cache_never_hits", what=what)
    return len(told)
