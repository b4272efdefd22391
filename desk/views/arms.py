"""What the graph adds to the search alone, as shadow mode found it for the operator's own school."""

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from desk.experiments.arms_report import Report, report_on_arms
from desk.operations.charts import Span, spans
from knowledge.access.people import may_act_for, school_for
from knowledge.flags import SHADOW
from knowledge.models.tenancy import Role

from .operations import operators_only


@operators_only
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    school = school_for(request, Role.OPERATOR)
    report = report_on_arms(timezone.now(), school)
    context = {
        "section": "operations",
        "report": report,
        "since": date.fromisoformat(report.since),
        "school": school,
        "arms": [("Claims and search", report.enhanced), ("Search alone", report.plain)],
        "drawing": _drawing(report),
        "house": may_act_for(request.user, Role.OPERATOR, None),
        "shadow": SHADOW,
    }
    return render(request, "operations/arms.html", context)


def _drawing(report: Report) -> SafeString:
    found = {"Precision": report.precision, "Called fair": report.fair}
    rows = [
        Span(name, one.mean, one.lower, one.upper)
        for name, one in found.items()
        if one.mean is not None and one.lower is not None and one.upper is not None
    ]
    # desk.operations.charts escapes every text
    return mark_safe(spans("What the claims add, with the interval of the difference", rows) if rows else "")
