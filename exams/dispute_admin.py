"""The page on which a reviewer decides a dispute: the whole exchange with its sources, and each point to judge anew.
And the page of the items that were reported or withdrawn."""

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
from exams.exchange import regrading
from exams.exchange.regrading import CannotRegrade
from exams.models import Assessment, Dispute, Turn
from exams.report import BADGE_WORDS
from knowledge.access.people import acts_for, schools_named
from knowledge.models import ItemReport
from knowledge.models.tenancy import Role

RESOLUTION_LENGTH = 1000  # characters: a few sentences, which the student reads


class RegradeForm(forms.Form):
    decision = forms.ChoiceField(
        choices=[
            ("uphold", "Stand"),
            ("overrule", "Overrule"),
            ("withdraw", "Withdraw"),
            ("report", "Report"),
        ]
    )
    resolution = forms.CharField(max_length=RESOLUTION_LENGTH, required=False)


@require_http_methods(["GET", "POST"])
def regrade_page(request: HttpRequest, context: Mapping[str, Any], dispute_id: int) -> HttpResponse:
    """A POST lets the verdict stand, overrules it by its points, or withdraws or reports the item."""
    schools_named(request, Role.REVIEWER)
    own = Dispute.objects.filter(acts_for(request.user, Role.REVIEWER, field="exam__tenant"))
    dispute = own.select_related("turn__exam", "turn__checked", "reviewer").filter(pk=dispute_id).first()
    if dispute is None:
        raise Http404("There is no such dispute: its student may have deleted the exam.")
    form = RegradeForm(request.POST or None)
    wrong, reports = "", request.POST.get("decision") == "report"
    if request.method == "POST":
        if form.is_valid():
            try:
                if reports:
                    regrading.report_item(dispute, request.user, form.cleaned_data["resolution"])
                    messages.success(request, "Reported. The dispute itself still waits for your decision.")
                    return redirect("admin:exams_dispute_regrade", dispute.pk)
                messages.success(request, _carry_out(request, dispute, form.cleaned_data))
                return redirect("admin:exams_dispute_changelist")
            except CannotRegrade as error:
                wrong = str(error)
        else:
            wrong = f"Choose what to do, and say why in at most {RESOLUTION_LENGTH} characters."
    final = regrading.final_of(dispute)
    alike = regrading.finals_judged_alike(final, request.user) if final and not dispute.resolved else ()
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
        "withdrawable": regrading.item_to_withdraw(dispute, request.user),
        "reportable": regrading.item_to_report(dispute, request.user),
        "reports": ItemReport.objects.filter(item__key=dispute.turn.item, tenant=dispute.exam.tenant_id),
        "kept": dispute.resolution if reports else request.POST.get("resolution", dispute.resolution),
        "report_kept": request.POST.get("resolution", "") if reports else "",
        "wrong": wrong,
    }
    return TemplateResponse(request, "admin/exams/dispute/regrade.html", shown, status=400 if wrong else 200)


def _carry_out(request: HttpRequest, dispute: Dispute, said: Mapping[str, str]) -> str:
    """Carry out what was sent; what was done, in words. Raises CannotRegrade."""
    if said["decision"] == "uphold":
        regrading.uphold_verdict(dispute, request.user, resolution=said["resolution"])
        return "Decided: the verdict stands."
    if said["decision"] == "withdraw":
        count = regrading.withdraw_item(dispute, request.user, resolution=said["resolution"])
    else:
        met = {
            name.removeprefix("met_"): value
            for name, value in request.POST.items()
            if name.startswith("met_") and value in get_args(Met)
        }
        count = regrading.overrule_verdict(
            dispute,
            request.user,
            met=met,  # type: ignore[arg-type]
            resolution=said["resolution"],
            also=request.POST.getlist("also"),
        )
    return f"Decided: {count} exam{pluralize(count)} graded again."


class ReportForm(forms.Form):
    """The answer to a report, or the item to ask again."""

    report = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    decision = forms.ChoiceField(
        choices=[("withdraw", "Withdraw"), ("keep", "Keep"), ("restore", "Ask again")]
    )
    answer = forms.CharField(required=False, max_length=RESOLUTION_LENGTH)
    item = forms.UUIDField(required=False)


@require_http_methods(["GET", "POST"])
def item_reports_page(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """The items that schools reported, and those that were withdrawn. A POST answers a report, or lets an item be asked
    again."""
    schools_named(request, Role.REVIEWER)
    wrong = ""
    form = ReportForm(request.POST or None)
    if request.method == "POST":
        try:
            messages.success(request, _answer_or_restore(request, form))
            return redirect("admin:exams_item_reports")
        except CannotRegrade as error:
            wrong = str(error)
    reports = ItemReport.objects.select_related("item", "tenant", "reviewer", "answered_by")
    waiting = reports.filter(acts_for(request.user, Role.REVIEWER, field="item__tenant"), answered_at=None)
    shown = {
        **context,
        "title": "Reported and withdrawn items",
        "wrong": wrong,
        "waiting": waiting,
        "own": reports.filter(acts_for(request.user, Role.REVIEWER)).exclude(pk__in=waiting),
        "withdrawn": regrading.items_withdrawn(request.user),
        "kept": request.POST.get("answer", ""),
        "kept_for": request.POST.get("report", ""),
    }
    return TemplateResponse(request, "admin/exams/dispute/items.html", shown, status=400 if wrong else 200)


def _answer_or_restore(request: HttpRequest, form: ReportForm) -> str:
    """Carry out what was sent; what was done, in words. Raises CannotRegrade."""
    if not form.is_valid():
        raise CannotRegrade(f"Choose what to do, and answer in at most {RESOLUTION_LENGTH} characters.")
    said = form.cleaned_data
    if said["decision"] == "restore":
        return f"Asked again: {regrading.restore_item(said['item'], request.user)}."
    withdraw = said["decision"] == "withdraw"
    count = regrading.answer_report(
        said["report"] or 0, request.user, withdraw=withdraw, answer=said["answer"]
    )
    return (
        f"Withdrawn; {count} open exam{pluralize(count)} graded again." if withdraw else "The item is kept."
    )


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
