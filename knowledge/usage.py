"""Count the calls that vendors bill, and limit how many a student or a school may make in a day.

Each call is taken from the day's budget before it is made, and added afterwards, at its price of that time, to the
day's sum for its model and purpose.
"""

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from prometheus_client import Counter

from knowledge.db.connections import give_connection_back
from knowledge.models import ModelCallCount, ModelSpending, ModelUse, Tenant
from llm.errors import BudgetSpent
from llm.metering import Failure, Payer, Use

FAILURES = Counter("heydpe_model_use_failures_total", "Uses of models that could not be written down")
MILLION = 1_000_000

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """`cost` in US dollars; None if a price is not known."""

    day: date
    provider: str
    model: str
    purpose: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


def record_use(use: Use) -> None:
    """Add one call to the day's sum of its model, and to that of whoever it was made for. Never raises: a failure is
    counted and logged, and costs nobody an answer."""
    names = use.provider[:20], use.model[:80], use.purpose[:20]
    payer, cost = use.payer or Payer(None, None), cost_of_use(use)
    for_whom = [payer.student, payer.school, payer.exam, use.input_tokens + use.output_tokens, cost]
    try:
        day = timezone.now().date()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ADD, [day, *names, use.input_tokens, use.output_tokens, cost])
            cursor.execute(_ADD_SPENDING, [day, *for_whom])
        give_connection_back()
    except Exception as error:
        FAILURES.inc()
        log.warning("model_use_not_recorded", model=use.model, purpose=use.purpose, error=str(error))


def record_failure(failure: Failure) -> None:
    """Keep the last failure of each model and purpose. Never raises, like `record_use`."""
    names = failure.provider[:20], failure.model[:80], failure.purpose[:20]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ADD_FAILURE, [*names, failure.code[:40], failure.message[:300], timezone.now()])
        give_connection_back()
    except Exception as error:
        FAILURES.inc()
        log.warning("model_failure_not_recorded", model=failure.model, error=str(error))


# One call of unknown price makes the sum unknown.
_ADD = """
    INSERT INTO knowledge_modeluse
           (day, provider, model, purpose, calls, input_tokens, output_tokens, cost)
    VALUES (%s, %s, %s, %s, 1, %s, %s, %s)
    ON CONFLICT (day, provider, model, purpose) DO UPDATE SET
           calls = knowledge_modeluse.calls + 1,
           input_tokens = knowledge_modeluse.input_tokens + EXCLUDED.input_tokens,
           output_tokens = knowledge_modeluse.output_tokens + EXCLUDED.output_tokens,
           cost = knowledge_modeluse.cost + EXCLUDED.cost"""
_ADD_SPENDING = """
    INSERT INTO knowledge_modelspending (day, student_id, tenant_id, exam, calls, tokens, cost)
    VALUES (%s, %s, %s, %s, 1, %s, %s)
    ON CONFLICT (day, student_id, tenant_id, exam) DO UPDATE SET
           calls = knowledge_modelspending.calls + 1,
           tokens = knowledge_modelspending.tokens + EXCLUDED.tokens,
           cost = knowledge_modelspending.cost + EXCLUDED.cost"""
_ADD_FAILURE = """
    INSERT INTO knowledge_modelfailure (provider, model, purpose, code, message, failures, last_at)
    VALUES (%s, %s, %s, %s, %s, 1, %s)
    ON CONFLICT (provider, model, purpose) DO UPDATE SET
           code = EXCLUDED.code, message = EXCLUDED.message, last_at = EXCLUDED.last_at,
           failures = knowledge_modelfailure.failures + 1"""


def cost_of_use(use: Use) -> float | None:
    """US dollars at the prices in the settings; None if the model has none."""
    if use.purpose == "embedding":
        price = settings.EMBEDDING_PRICES.get(use.model)
        return None if price is None else use.input_tokens * price / MILLION
    if settings.CHAT_PRICE is None:
        return None
    read, written = settings.CHAT_PRICE
    return float((use.input_tokens * read + use.output_tokens * written) / MILLION)


def spent_between(first: date, last: date) -> list[Spent]:
    """The sums of each day, both included, the latest day first."""
    rows = ModelUse.objects.filter(day__gte=first, day__lte=last)
    names = ("day", "provider", "model", "purpose", "calls", "input_tokens", "output_tokens", "cost")
    return [Spent(**row) for row in rows.values(*names)]


def spending_by(
    column: str, first: date, last: date, most: int, whose: Q | None = None
) -> list[dict[str, Any]]:
    """What was spent in these days for each student, tenant, exam or day (`column`), the most expensive first: its key
    under `column`, with calls, tokens, cost (None if a price is not known) and, as `shown`, the name of a person or a
    school. `whose` limits it to some schools."""
    rows = ModelSpending.objects.filter(whose or Q(), day__gte=first, day__lte=last).exclude(**{column: None})
    name = {"student": "student__username", "tenant": "tenant__name"}.get(column, column)
    unknown = Count("pk", filter=Q(cost=None))
    sums = (
        rows.order_by()
        .values(column, shown=F(name))
        .annotate(calls=Sum("calls"), tokens=Sum("tokens"), dollars=Sum("cost"), unknown=unknown)
    )
    found = sums.order_by(F("dollars").desc(nulls_last=True), "-tokens")[:most]
    return [{**row, "cost": None if row["unknown"] else row["dollars"]} for row in found]


# --- the budget of a day ---------------------------------------------------------------------------------------

# In one step: if the day's calls are used up, no row comes back and nothing is counted.
_RESERVE = """
    INSERT INTO knowledge_modelcallcount (day, student_id, tenant_id, calls)
    VALUES (%(day)s, %(student)s, %(school)s, 1)
    ON CONFLICT (day, student_id, tenant_id) DO UPDATE SET calls = knowledge_modelcallcount.calls + 1
     WHERE knowledge_modelcallcount.calls
           < COALESCE((SELECT model_calls FROM knowledge_tenant WHERE id = %(school)s), %(most)s)
    RETURNING calls"""


def reserve_call(payer: Payer) -> None:
    """Count one more call for the student and for the school, or for neither. Raises BudgetSpent. A school's own number
    of calls goes before that of all schools."""
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
        own = Tenant.objects.filter(pk=school or 0).values_list("model_calls", flat=True).first()
        most = own or most
        left = next_day(now) - now
        message = f"{who} used up today's {most:,} calls to the examiner's model."
        when = f"There are new ones at 00:00 UTC, in {_in_words(left)}."
        raise BudgetSpent(f"{message} {when}", retry_after=left.total_seconds(), of_school=school is not None)


def used_up_today(schools: Q) -> list[str]:
    """The schools under this condition, and the students who belong to them, that have no calls left today, by name."""
    own = Tenant.objects.filter(schools)
    most = Coalesce("tenant__model_calls", settings.MODEL_CALLS_PER_SCHOOL)
    spent = Q(student=None, calls__gte=most) | Q(tenant=None, calls__gte=settings.MODEL_CALLS_PER_STUDENT)
    theirs = Q(tenant__in=own) | Q(student__memberships__tenant__in=own) if schools else Q()
    rows = ModelCallCount.objects.filter(spent, theirs, day=timezone.now().date())
    return sorted({str(row.tenant or row.student) for row in rows.select_related("student", "tenant")})


def next_day(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _in_words(left: timedelta) -> str:
    minutes = math.ceil(left.total_seconds() / 60)
    hours = math.ceil(minutes / 60)
    return f"{hours} hours" if minutes > 60 else f"{minutes} minutes" if minutes > 1 else "a minute"
