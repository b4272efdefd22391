"""Each call that a vendor bills becomes part of one day's sum for its model and purpose, at its price of that time."""

from dataclasses import dataclass
from datetime import date

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from prometheus_client import Counter

from knowledge.connections import give_connection_back
from knowledge.models import ModelUse
from llm.metering import Use

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
