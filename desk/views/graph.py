"""The state of the concept graph: what each kind holds, what is empty, and which elements are thin."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from knowledge.access.people import school_for
from knowledge.graph.counts import graph_counts
from knowledge.models.tenancy import Role

from .operations import operators_only

SHOWN = 100  # thin elements of the list; the page says how many there are


@operators_only
@require_GET
def graph_page(request: HttpRequest) -> HttpResponse:
    school = school_for(request, Role.OPERATOR)
    counts = graph_counts(school.pk if school else None)
    context = {
        "section": "operations",
        "counts": counts,
        "tables": (("Nodes by category", counts.nodes), ("Relations by type", counts.edges)),
        "thin": counts.thin[:SHOWN],
        "thin_more": max(0, len(counts.thin) - SHOWN),
    }
    return render(request, "operations/graph.html", context)
