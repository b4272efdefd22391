"""The board of waiting claims by document and subpart, and the parking of groups that concern no reviewer here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from curation.queue import QueueFilter, bring_group_back, group_counts, park_group, parks_in_force
from curation.selectors import WrongDecision
from knowledge.models import Tenant
from knowledge.standards.certificate_data import DATA

COUNTED = ("waiting", "p0", "unbound", "aside", "parked", "approved", "rejected")


@require_http_methods(["GET", "POST"])
def claim_board_page(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """What waits by document and subpart. A POST parks a group, or brings one back."""
    if request.method == "POST":
        try:
            _park_or_bring_back(request)
        except WrongDecision as error:
            messages.error(request, str(error))
        return redirect("admin:curation_claim_board")
    documents: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in group_counts(request.user):
        row["query"] = QueueFilter(source=row["source"], group=row["group"]).query
        documents.setdefault((row["source"], row["tenant__name"] or ""), []).append(row)
    shown = {
        **context,
        "title": "Claims by document",
        "documents": [
            {
                "source": source,
                "school": school,
                "tenant": rows[0]["tenant"],
                "query": QueueFilter(source=source).query,
                "rows": rows,
                "total": (total := {name: sum(row[name] for row in rows) for name in COUNTED}),
                "by_certificate": _unbound_by_certificate(rows, total["unbound"]),
            }
            for (source, school), rows in documents.items()
        ],
        "parks": parks_in_force(request.user),
    }
    return TemplateResponse(request, "admin/curation/claim/board.html", shown)


def _unbound_by_certificate(rows: Sequence[Mapping[str, Any]], in_any: int) -> dict[str, int]:
    """How many claims bind nobody in the oral of a certificate, where these are more than bind nobody in any."""
    counted = {name: sum(row[name] for row in rows) for name in DATA.bound_kinds}
    return {name: count for name, count in counted.items() if count > in_any}


class ParkForm(forms.Form):
    """Either the parking to end, or what to park."""

    back = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    tenant = forms.ModelChoiceField(Tenant.objects.all(), required=False)
    source = forms.CharField(required=False, max_length=300, strip=False)
    group = forms.CharField(required=False, max_length=300, strip=False)
    unbound_only = forms.BooleanField(required=False)
    certificate = forms.CharField(required=False, max_length=20)


def _park_or_bring_back(request: HttpRequest) -> None:
    form = ParkForm(request.POST)
    if not form.is_valid():
        raise WrongDecision("There is no such document, subpart or school.")
    said = form.cleaned_data
    if park_id := said.pop("back"):
        park, count = bring_group_back(request.user, park_id)
        messages.success(request, f"Back in the queue: {park}, {count} claim{pluralize(count)}.")
        return
    park, count = park_group(request.user, **said)
    messages.success(
        request,
        f"Parked: {park}, {count} claim{pluralize(count)}. They count for nothing and can be brought back.",
    )
