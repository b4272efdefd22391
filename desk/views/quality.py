"""How good the product is, for the operator's own school: shadow mode, the sample of exchanges, the concept graph."""

from datetime import date, timedelta

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET, require_http_methods

from curation.conf import RELATION_PASSAGES, RELATION_PASSAGES_MOST
from curation.graph.candidates import ROLE as GRAPHER
from curation.graph.relation_jobs import NothingToAsk, NoVendor, passages_to_ask, request_relations
from desk.experiments.arms_report import report_on_arms
from desk.operations.charts import Series, Span, draw_spans, draw_stacked_bars
from exams.conf import SAMPLE_DAYS, SAMPLE_SHARE
from exams.models import CheckedExchange
from exams.oversight.sample_check import sampled_days
from knowledge.access.people import may_act_for, school_for
from knowledge.flags import SAMPLE_BY_MODEL, SHADOW, is_on, title_of
from knowledge.graph.counts import graph_counts
from knowledge.models.tenancy import Role, Tenant
from knowledge.whole_numbers import whole_number
from llm.registry import external_name

from .operations import operators_only


@operators_only
@require_GET
def arms_page(request: HttpRequest) -> HttpResponse:
    """Shadow mode: what the graph adds to the search alone, for the operator's own school."""
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
        "shadow": title_of(SHADOW),
    }
    return render(request, "operations/arms.html", context)


EXCHANGES_SHOWN = 20  # exchanges of a page


@operators_only
@require_GET
def sample_page(request: HttpRequest) -> HttpResponse:
    """The sample of exchanges whose statements were checked again: the trend by day, and what was refused."""
    school = school_for(request, Role.OPERATOR)
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    since = today - timedelta(days=SAMPLE_DAYS - 1)
    by_day = {one.day: one for one in sampled_days(school, since)}
    days = [(since + timedelta(days=after)).date() for after in range(SAMPLE_DAYS)]
    counts = [(one.statements, one.refused) if (one := by_day.get(day)) else (0, 0) for day in days]
    chart = draw_stacked_bars(
        "Statements of each day by what the check found",
        [f"{day.day} {day:%b}" for day in days],
        [
            Series("supported", "strong", tuple(float(stated - refused) for stated, refused in counts)),
            Series("refused", "none", tuple(float(refused) for _, refused in counts)),
        ],
    )
    refused = CheckedExchange.objects.filter(
        turn__exam__tenant=school, asked_at__gte=since, refused__len__gt=0
    )
    rows = refused.select_related("turn").prefetch_related("turn__disputes").order_by("-asked_at", "-pk")
    stated, denied = sum(one for one, _ in counts), sum(one for _, one in counts)
    context = {
        "section": "operations",
        "school": school,
        "since": since,
        "percent": round(SAMPLE_SHARE * 100),
        "days": list(reversed(by_day.values())),
        "exchanges": sum(one.exchanges for one in by_day.values()),
        "stated": stated,
        "refused": denied,
        "share": 100 * denied / stated if stated else None,
        "drawing": mark_safe(chart),  # desk.operations.charts escapes every text
        "table": {"page": Paginator(rows, EXCHANGES_SHOWN).get_page(request.GET.get("page"))},
        "by_model": is_on(SAMPLE_BY_MODEL),
        "flag": title_of(SAMPLE_BY_MODEL),
    }
    return render(request, "operations/sample.html", context)


ELEMENTS_SHOWN = 100  # thin elements of the list; the page says how many there are


@operators_only
@require_http_methods(["GET", "POST"])
def graph_page(request: HttpRequest) -> HttpResponse:
    """The state of the concept graph: what each kind holds, what is empty, and which elements are thin. A POST requests
    the job that lets a vendor's model read passages; it waits until the operator has read its estimate."""
    school = school_for(request, Role.OPERATOR)
    if request.method == "POST":
        return _request_relations(request, school)
    counts = graph_counts(school.pk if school else None)
    context = {
        "section": "operations",
        "counts": counts,
        "empty": [one.title for one in (*counts.nodes, *counts.edges) if one.is_empty],
        "tables": (("Nodes by category", counts.nodes), ("Relations by type", counts.edges)),
        "thin": counts.thin[:ELEMENTS_SHOWN],
        "thin_more": max(0, len(counts.thin) - ELEMENTS_SHOWN),
        "vendor": external_name(GRAPHER),
        "unread": passages_to_ask(school).count(),
        "passages": RELATION_PASSAGES,
        "passages_most": RELATION_PASSAGES_MOST,
    }
    return render(request, "operations/graph.html", context)


def _request_relations(request: HttpRequest, school: Tenant | None) -> HttpResponse:
    number = whole_number(request.POST.get("passages", "")) or 0
    if not 1 <= number <= RELATION_PASSAGES_MOST:
        messages.error(request, f"Choose a number of passages from 1 to {RELATION_PASSAGES_MOST:,}.")
        return redirect("desk:graph")
    try:
        job = request_relations(number, tenant=school, held=True, created_by=request.user)
    except (NoVendor, NothingToAsk) as error:
        messages.error(request, str(error))
        return redirect("desk:graph")
    if job.held:
        messages.warning(request, "Nothing has been sent yet: read below what is expected, then start it.")
    return redirect("desk:job", job.pk)
