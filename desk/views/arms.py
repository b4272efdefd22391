"""Shadow mode: what the graph adds to the search alone, for the operator's own school."""

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from desk.experiments.arms_report import report_on_arms
from desk.operations.charts import Span, draw_spans
from knowledge.access.people import may_act_for, school_for
from knowledge.flags import SHADOW
from knowledge.models.tenancy import Role

from .operations import operators_only


@operators_only
@require_GET
def arms_page(request: HttpRequest) -> HttpResponse:
    school = school_for(request, Role.OPERATOR)
    report = report_on_arms(timezone.now(), school)
    spans = [
        Span(name, one.mean, one.lower, one.upper)
        for name, one in (
            ("Labeled passages", report.found),
            ("Reviewer's verdict", report.accuracy),
            ("Called fair", report.fair),
        )
        if one.mean is not None and one.lower is not None and one.upper is not None
    ]
    chart = draw_spans("What the claims add, with the interval of the difference", spans) if spans else ""
    context = {
        "section": "operations",
        "report": report,
        "since": date.fromisoformat(report.since),
        "school": school,
        "arms": [("Claims and search", report.enhanced), ("Search alone", report.plain)],
        "drawing": mark_safe(chart),  # desk.operations.charts escapes every text
        "house": may_act_for(request.user, Role.OPERATOR, None),
        "shadow": SHADOW,
    }
    return render(request, "operations/arms.html", context)
