"""The weekly report on searches, and what the vendors' models cost."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from desk.operations.charts import Series, draw_bars, draw_stacked_bars
from desk.operations.weekly_report import (
    Week,
    latest_look_ups,
    monday_of,
    request_week,
    week_from,
    weeks_before,
)
from knowledge.access.people import school_for
from knowledge.flags import title_of
from knowledge.models import Standard
from knowledge.models.tenancy import Role

from .health import worker_away
from .operations import operators_only

KINDS = ("strong", "weak", "none")
COLORS = ("one", "two", "three", "four")
OTHERS = "others"


@operators_only
@require_GET
def searches_page(request: HttpRequest) -> HttpResponse:
    now, school = timezone.now(), school_for(request, Role.OPERATOR)
    today = now.date()
    monday, problem = _requested_week(request.GET.get("week", ""), today)
    row, is_due = request_week(school, monday, now)
    week = week_from(row.body) if row else None
    context = {
        "section": "operations",
        "week": week,
        "counted_at": row.created_at if row else None,
        "asked": is_due,
        "no_worker": worker_away() if is_due else "",
        "start": monday,
        "until": monday + timedelta(days=6),
        "before": (monday - timedelta(days=7)).isoformat(),
        "after": (monday + timedelta(days=7)).isoformat() if monday < monday_of(today) else "",
        "running": monday == monday_of(today),
        "school": school,
        "problem": problem,
        "latest": [(row, [title_of(name) for name in row.flags]) for row in latest_look_ups(school)],
        **(_drawn(week, weeks_before(school, monday)) if week else {}),
    }
    return render(request, "operations/searches.html", context)


def _drawn(week: Week, earlier: list[Week]) -> dict[str, Any]:
    """What the template shows of a counted week, beside the week itself."""
    weeks = [*earlier, week]
    week_labels = [f"{one.start.day} {one.start:%b}" for one in weeks]
    passages = [(str(one["name"]), float(one["passages"])) for one in week.categories]
    return {
        "days": _quality_chart(
            "Searches of each day by verdict",
            [f"{date.fromisoformat(one['day']):%a}" for one in week.days],
            week.days,
        ),
        "weeks": _quality_chart(
            "Searches of each week by verdict", week_labels, [one.qualities for one in weeks]
        )
        if any(one.searches for one in earlier)
        else "",
        "kinds": _safe_svg(draw_bars("Searchable passages by kind of document", passages)),
        "flags": [(title_of(name), number) for name, number in week.flags.items()],
        "no_standard": not Standard.objects.filter(current=True).exists(),
        "unasked": sum(len(row["elements"]) for row in week.unsupported),
    }


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
