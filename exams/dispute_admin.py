"""The page on which a reviewer decides a dispute: the whole exchange with its sources, and each point to judge anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from exams.domain.values import Met
from exams.exchange.regrading import (
    CannotRegrade,
    final_of,
    finals_judged_alike,
    overrule_verdict,
    withdraw_item,
)
from exams.models import Assessment, Dispute, Turn
from exams.report import BADGE_WORDS
from knowledge.access.people import acts_for, schools_named
from knowledge.models.tenancy import Role

RESOLUTION_LENGTH = 1000  # characters: a few sentences, which the student reads


class RegradeForm(forms.Form):
    decision = forms.ChoiceField(choices=[("overrule", "Overrule"), ("withdraw", "Withdraw")])
    resolution = forms.CharField(max_length=RESOLUTION_LENGTH)


@require_http_methods(["GET", "POST"])
def regrade_page(request: HttpRequest, context: Mapping[str, Any], dispute_id: int) -> HttpResponse:
    """A POST overrules the verdict by its points, or withdraws the item."""
    schools_named(request, Role.REVIEWER)
    own = Dispute.objects.filter(acts_for(request.user, Role.REVIEWER, field="exam__tenant"))
    dispute = own.select_related("turn__exam", "turn__checked", "reviewer").filter(pk=dispute_id).first()
    if dispute is None:
        raise Http404("There is no such dispute: its student may have deleted the exam.")
    form = RegradeForm(request.POST or None)
    wrong = ""
    if request.method == "POST":
        if form.is_valid():
            try:
                count = _carry_out(request, dispute, form.cleaned_data)
            except CannotRegrade as error:
                wrong = str(error)
            else:
                messages.success(request, f"Decided: {count} exam{pluralize(count)} graded again.")
                return redirect("admin:exams_dispute_changelist")
        else:
            wrong = "Say in a sentence what was wrong, and choose what to do. The student reads it."
    final = final_of(dispute)
    alike = finals_judged_alike(final, request.user) if final and not dispute.resolved else ()
    turns = Turn.objects.filter(exam=dispute.exam_id, element=dispute.turn.element).order_by("number")
    shown = {
        **context,
        "title": "Decide a dispute",
        "dispute": dispute,
        "final": final,
        "turns": turns.prefetch_related("answers__assessments"),
        "checked": getattr(dispute.turn, "checked", None),
        "points": _points_shown(final, request.POST),
        "met_choices": BADGE_WORDS.items(),
        "alike": [
            (one, [f"{point.expectation} ({BADGE_WORDS[point.met].lower()})" for point in one.points])
            for one in alike
        ],
        "also": request.POST.getlist("also"),
        "kept": request.POST.get("resolution", dispute.resolution),
        "wrong": wrong,
    }
    return TemplateResponse(request, "admin/exams/dispute/regrade.html", shown, status=400 if wrong else 200)


def _carry_out(request: HttpRequest, dispute: Dispute, said: Mapping[str, str]) -> int:
    if said["decision"] == "withdraw":
        return withdraw_item(dispute, request.user, resolution=said["resolution"])
    met = {
        name.removeprefix("met_"): value
        for name, value in request.POST.items()
        if name.startswith("met_") and value in get_args(Met)
    }
    also = request.POST.getlist("also")
    return overrule_verdict(dispute, request.user, met=met, resolution=said["resolution"], also=also)  # type: ignore[arg-type]


def _points_shown(final: Assessment | None, sent: Mapping[str, str]) -> list[dict[str, Any]]:
    """The points as judged, or as a refused form had them, each with the passages that it rests on."""
    if final is None:
        return []
    by_n = {citation["n"]: citation for citation in final.citations}
    return [
        {
            **point,
            "chosen": sent.get(f"met_{point['key']}", point["met"]),
            "sources": [by_n[n] for n in point.get("citations", ()) if n in by_n],
        }
        for point in final.decision.get("points", ())
    ]
