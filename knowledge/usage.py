"""Each call that a vendor bills becomes part of one day's sum for its model and purpose, at its price of that time.

Before it is made it is taken from the budget of the day of the student and of the school that it is made for.
"""

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from prometheus_client import Counter

from knowledge.db.connections import give_connection_back
from knowledge.models import ModelUse
from llm.errors import BudgetSpent
from llm.metering import Payer, Use

FAILURES = Counter("heydpe_model_use_failures_total", "Uses of models that could not be written down")
MILLION = 1_000_000

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """`cost` in US dollars; None where a price is not known."""

    day: date
    provider: str
    model: str
    purpose: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


def record_use(use: Use) -> None:
    """Never raises: what cannot be written down is counted and logged, and costs nobody an answer."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ADD, [timezone.now().date(), *_row(use)])
        give_connection_back()
    except Exception as error:
        FAILURES.inc()
        log.warning("model_use_not_recorded", model=use.model, purpose=use.purpose, error=str(error))


# A sum with one call of unknown price in it is not known.
_ADD = """
    INSERT INTO knowledge_modeluse
           (day, provider, model, purpose, calls, input_tokens, output_tokens, cost)
    VALUES (%s, %s, %s, %s, 1, %s, %s, %s)
    ON CONFLICT (day, provider, model, purpose) DO UPDATE SET
           calls = knowledge_modeluse.calls + 1,
           input_tokens = knowledge_modeluse.input_tokens + EXCLUDED.input_tokens,
           output_tokens = knowledge_modeluse.output_tokens + EXCLUDED.output_tokens,
           cost = knowledge_modeluse.cost + EXCLUDED.cost"""


def _row(use: Use) -> list[str | int | float | None]:
    names: list[str | int | float | None] = [use.provider[:20], use.model[:80], use.purpose[:20]]
    return [*names, use.input_tokens, use.output_tokens, cost_of_use(use)]


def cost_of_use(use: Use) -> float | None:
    """US dollars, by the prices that are set or known; None where they are not."""
    if use.purpose == "embedding":
        price = settings.EMBEDDING_PRICES.get(use.model)
        return None if price is None else use.input_tokens * price / MILLION
    if settings.CHAT_PRICE is None:
        return None
    read, written = settings.CHAT_PRICE
    return float((use.input_tokens * read + use.output_tokens * written) / MILLION)


def spent_between(first: date, last: date) -> list[Spent]:
    """Each day's sums, the latest day first; both days are among them."""
    rows = ModelUse.objects.filter(day__gte=first, day__lte=last)
    names = ("day", "provider", "model", "purpose", "calls", "input_tokens", "output_tokens", "cost")
    return [Spent(**row) for row in rows.values(*names)]


# --- the budget of a day ---------------------------------------------------------------------------------------

# In one step: where the calls of the day are used up, no row comes back and nothing is counted.
_RESERVE = """
    INSERT INTO knowledge_modelcallcount (day, student_id, tenant_id, calls)
    VALUES (%(day)s, %(student)s, %(school)s, 1)
    ON CONFLICT (day, student_id, tenant_id) DO UPDATE SET calls = knowledge_modelcallcount.calls + 1
     WHERE knowledge_modelcallcount.calls < %(most)s
    RETURNING calls"""


def reserve_call(payer: Payer) -> None:
    """One call more for the student and for the school, or none for either. Raises BudgetSpent."""
    now = timezone.now()
    with transaction.atomic(), connection.cursor() as cursor:
        _reserve(cursor, now, "You have", settings.MODEL_CALLS_PER_STUDENT, student=payer.student)
        if payer.school is not None:
            _reserve(cursor, now, "Your school has", settings.MODEL_CALLS_PER_SCHOOL, school=payer.school)
    give_connection_back()


def _reserve(
    cursor: Any, now: datetime, who: str, most: int, student: int | None = None, school: int | None = None
) -> None:
    cursor.execute(_RESERVE, {"day": now.date(), "student": student, "school": school, "most": most})
    if cursor.fetchone() is None:
        left = next_day(now) - now
        message = f"{who} used up today's {most} calls to the examiner's model."
        when = f"There are new ones at 00:00 UTC, in {_in_words(left)}."
        raise BudgetSpent(f"{message} {when}", retry_after=left.total_seconds())


def next_day(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _in_words(left: timedelta) -> str:
    minutes = math.ceil(left.total_seconds() / 60)
    hours = math.ceil(minutes / 60)
    return f"{hours} hours" if minutes > 60 else f"{minutes} minutes" if minutes > 1 else "a minute"
