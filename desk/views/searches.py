"""The weekly report on searches, and what the vendors' models cost."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from desk import conf
from desk.operations.charts import Series, draw_bars, draw_stacked_bars
from desk.operations.weekly_report import latest_look_ups, monday_of, stored_week, weeks_before
from knowledge.access.people import school_for
from knowledge.models.tenancy import Role
from knowledge.usage import Spent, spent_between

from .operations import operators_only, shared_library_operators_only

KINDS = ("strong", "weak", "none")
COLORS = ("one", "two", "three", "four")
OTHERS = "others"


@operators_only
@require_GET
def searches_page(request: HttpRequest) -> HttpResponse:
    today, school = timezone.now().date(), school_for(request, Role.OPERATOR)
    monday, problem = _requested_week(request.GET.get("week", ""), today)
    week = stored_week(school, monday, today)
    earlier = weeks_before(school, monday)
    weeks = [*earlier, week]
    week_labels = [f"{one.start.day} {one.start:%b}" for one in weeks]
    passages = [(str(one["name"]), float(one["passages"])) for one in week.categories]
    context = {
        "section": "operations",
        "week": week,
        "until": monday + timedelta(days=6),
        "before": (monday - timedelta(days=7)).isoformat(),
        "after": (monday + timedelta(days=7)).isoformat() if monday < monday_of(today) else "",
        "running": monday == monday_of(today),
        "school": school,
        "problem": problem,
        "days": _quality_chart(
            "Searches of each day by verdict",
            [f"{date.fromisoformat(one['day']):%a}" for one in week.days],
            week.days,
        ),
        "weeks": _quality_chart(
            "Searches of each week by verdict", week_labels, [one.qualities for one in weeks]
        )
        if earlier
        else "",
        "kinds": _safe_svg(draw_bars("Searchable passages by kind of document", passages)),
        "latest": latest_look_ups(school),
        "unasked": sum(len(row["elements"]) for row in week.unsupported),
    }
    return render(request, "operations/searches.html", context)


def _requested_week(text: str, today: date) -> tuple[date, str]:
    """The Monday of the given day, and what is wrong with the text; this week if it names no day that has begun."""
    try:
        day = parse_date(text) if text else today
    except ValueError:
        day = None
    if day is None or day > today or day.year < 2000:
        return monday_of(today), "Write the week as a past day, such as 2026-03-02. This is the current week."
    return monday_of(day), ""


def _quality_chart(title: str, labels: Sequence[str], rows: Sequence[dict[str, Any]]) -> SafeString:
    series = [Series(kind, kind, tuple(float(row[kind]) for row in rows)) for kind in KINDS]
    return _safe_svg(draw_stacked_bars(title, labels, series))


def _safe_svg(svg: str) -> SafeString:
    return mark_safe(svg)  # desk.operations.charts escapes every text


# --- costs ---


@shared_library_operators_only
@require_GET
def costs_page(request: HttpRequest) -> HttpResponse:
    """What the vendors' models cost in the last days, by day, model and purpose."""
    today = timezone.now().date()
    first = today - timedelta(days=conf.COST_DAYS - 1)
    spent = spent_between(first, today)
    sums: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    by_model: dict[tuple[str, str], dict[str, Any]] = {}  # what each did for each purpose in all these days
    for one in spent:
        dollars, tokens = sums[one.model]
        sums[one.model] = (dollars + _dollars_of(one), tokens + _tokens_of(one))
        names = {"model": one.model, "purpose": one.purpose}
        new = {**names, "calls": 0, "input": 0, "output": 0, "cost": 0.0}
        row = by_model.setdefault((one.model, one.purpose), new)
        row["calls"] += one.calls
        row["input"] += one.input_tokens
        row["output"] += one.output_tokens
        row["cost"] = None if one.cost is None or row["cost"] is None else row["cost"] + one.cost
    models = sorted(sums, key=lambda name: sums[name], reverse=True)  # the most expensive first
    if len(models) > len(COLORS):
        models = [*models[: len(COLORS) - 1], OTHERS]
    context = {
        "section": "operations",
        "first": first,
        "today": today,
        "models": list(zip(COLORS, models, strict=False)),
        "total": sum(one.cost or 0.0 for one in spent),
        "unknown": sorted({one.model for one in spent if one.cost is None}),
        "spent": spent,
        "by_model": sorted(
            by_model.values(), key=lambda row: (-(row["cost"] or 0.0), row["model"], row["purpose"])
        ),
        "dollars": _cost_chart(spent, models, first, "US dollars of each day by model", _dollars_of),
        "tokens": _cost_chart(spent, models, first, "Tokens of each day by model", _tokens_of),
    }
    return render(request, "operations/costs.html", context)


def _dollars_of(one: Spent) -> float:
    return one.cost or 0.0


def _tokens_of(one: Spent) -> float:
    return one.input_tokens + one.output_tokens


def _cost_chart(
    spent: Sequence[Spent], models: Sequence[str], first: date, title: str, measure: Callable[[Spent], float]
) -> SafeString:
    days = [first + timedelta(days=after) for after in range(conf.COST_DAYS)]
    sums: dict[tuple[str, date], float] = defaultdict(float)
    for one in spent:
        sums[one.model if one.model in models else OTHERS, one.day] += measure(one)
    series = [
        Series(name, color, tuple(sums[name, day] for day in days))
        for color, name in zip(COLORS, models, strict=False)
    ]
    return _safe_svg(draw_stacked_bars(title, [f"{day.day} {day:%b}" for day in days], series))
