"""What a week of searches says about the library, and what the vendors' models cost."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from desk import conf
from desk.operations.charts import Series, bars, stacked_bars
from desk.operations.weekly_report import Week, latest_look_ups, monday_of, stored_week, weeks_before
from knowledge.access.people import may_act_for, school_for
from knowledge.models.tenancy import Role
from knowledge.usage import Spent, spent_between

from .operations import operators_only

KINDS = ("strong", "weak", "none")
COLOURS = ("one", "two", "three", "four")


@operators_only
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    today, school = timezone.now().date(), school_for(request, Role.OPERATOR)
    asked, problem = _asked_week(request.GET.get("week", ""), today)
    week = stored_week(school, asked, today)
    earlier = weeks_before(school, asked)
    context = {
        "section": "operations",
        "week": week,
        "until": asked + timedelta(days=6),
        "before": (asked - timedelta(days=7)).isoformat(),
        "after": (asked + timedelta(days=7)).isoformat() if asked < monday_of(today) else "",
        "running": asked == monday_of(today),
        "school": school,
        "problem": problem,
        "days": _quality_plot(
            "Searches of each day by verdict", [_day(one["day"]) for one in week.days], week.days
        ),
        "weeks": _weeks_plot([*earlier, week]) if earlier else "",
        "kinds": _kinds_plot(week),
        "latest": latest_look_ups(school),
        "unasked": sum(len(row["elements"]) for row in week.unsupported),
    }
    return render(request, "operations/searches.html", context)


def _asked_week(text: str, today: date) -> tuple[date, str]:
    """The Monday of the day that is named; this week where none is, or where it names none that has begun."""
    if not text:
        return monday_of(today), ""
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None or day > today or day.year < 2000:
        return monday_of(
            today
        ), "Write the week as a day that has been: 2026-03-02. This is the week that runs."
    return monday_of(day), ""


def _day(text: str) -> str:
    return f"{date.fromisoformat(text):%a}"


def _quality_plot(title: str, labels: Sequence[str], rows: Sequence[dict[str, Any]]) -> SafeString:
    series = [Series(kind, kind, tuple(float(row[kind]) for row in rows)) for kind in KINDS]
    return _drawn(stacked_bars(title, labels, series))


def _weeks_plot(weeks: Sequence[Week]) -> SafeString:
    labels = [f"{week.start.day} {week.start:%b}" for week in weeks]
    return _quality_plot("Searches of each week by verdict", labels, [week.qualities for week in weeks])


def _kinds_plot(week: Week) -> SafeString:
    rows = [(str(one["name"]), float(one["passages"])) for one in week.categories]
    return _drawn(bars("Passages that can be found, by kind of document", rows))


def _drawn(svg: str) -> SafeString:
    return mark_safe(svg)  # desk.operations.charts escapes every text


# --- costs ---------------------------------------------------------------


@operators_only
@require_GET
def costs(request: HttpRequest) -> HttpResponse:
    """Of the whole house: only those who act for it see it."""
    if not may_act_for(request.user, Role.OPERATOR, None):
        raise PermissionDenied("Costs are those of the whole house.")
    today = timezone.now().date()
    first = today - timedelta(days=conf.COST_DAYS - 1)
    spent = spent_between(first, today)
    models = _models(spent)
    context = {
        "section": "operations",
        "first": first,
        "today": today,
        "models": [(colour, name) for colour, name in zip(COLOURS, models, strict=False)],
        "total": sum(one.cost or 0.0 for one in spent),
        "unknown": sorted({one.model for one in spent if one.cost is None}),
        "spent": spent,
        "by_model": _by_model(spent),
        "dollars": _cost_plot(spent, models, first, "cost", "US dollars of each day by model"),
        "tokens": _cost_plot(spent, models, first, "tokens", "Tokens of each day by model"),
    }
    return render(request, "operations/costs.html", context)


def _models(spent: Sequence[Spent]) -> list[str]:
    """The dearest first; the last colour is for all others."""
    sums: dict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for one in spent:
        cost, tokens = sums[one.model]
        sums[one.model] = (cost + (one.cost or 0.0), tokens + one.input_tokens + one.output_tokens)
    ordered = sorted(sums, key=lambda name: sums[name], reverse=True)
    return ordered if len(ordered) <= len(COLOURS) else [*ordered[: len(COLOURS) - 1], "others"]


def _cost_plot(
    spent: Sequence[Spent], models: Sequence[str], first: date, what: str, title: str
) -> SafeString:
    days = [first + timedelta(days=after) for after in range(conf.COST_DAYS)]
    series = []
    for colour, name in zip(COLOURS, models, strict=False):
        by_day: dict[date, float] = defaultdict(float)
        for one in spent:
            if one.model == name or (name == "others" and one.model not in models):
                by_day[one.day] += (
                    (one.cost or 0.0) if what == "cost" else one.input_tokens + one.output_tokens
                )
        series.append(Series(name, colour, tuple(by_day[day] for day in days)))
    return _drawn(stacked_bars(title, [f"{day.day} {day:%b}" for day in days], series))


def _by_model(spent: Sequence[Spent]) -> list[dict[str, Any]]:
    """What each model did for each purpose in all these days."""
    sums: dict[tuple[str, str], dict[str, Any]] = {}
    for one in spent:
        row = sums.setdefault(
            (one.model, one.purpose),
            {"model": one.model, "purpose": one.purpose, "calls": 0, "input": 0, "output": 0, "cost": 0.0},
        )
        row["calls"] += one.calls
        row["input"] += one.input_tokens
        row["output"] += one.output_tokens
        row["cost"] = None if one.cost is None or row["cost"] is None else row["cost"] + one.cost
    return sorted(sums.values(), key=lambda row: (-(row["cost"] or 0.0), row["model"], row["purpose"]))
