"""The pages for oversight: decisions, agreement of reviewers, guidelines, and batches with their sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation import conf
from curation.item_review import CONFIDENCE, draw_sample
from curation.models import Claim
from curation.offline.priority import known_domains
from curation.oversight.agreement_report import agreement_report
from curation.oversight.batches import (
    LOW_RISK,
    Batch,
    BatchResult,
    batches_for,
    decide_batch,
    last_batches,
    sample_size,
    sound_claims,
    undo_batch,
)
from curation.oversight.progress import progress_of
from curation.selectors import WrongDecision
from knowledge.access.people import may_act_for
from knowledge.models import Tenant
from knowledge.models.tenancy import Role

Context = Mapping[str, Any]


@require_GET
def progress_page(request: HttpRequest, context: Context) -> HttpResponse:
    """Decisions by person and day, the pace, and what is left."""
    progress = progress_of(request.user, timezone.now())
    shown = {**context, "title": "Progress", "progress": progress, "days": conf.PROGRESS_DAYS}
    return TemplateResponse(request, "admin/curation/oversight/progress.html", shown)


@require_GET
def agreement_page(request: HttpRequest, context: Context) -> HttpResponse:
    """How far reviewers agree on claims that two or more read; `domain` chooses a subject."""
    domain = request.GET.get("domain", "")
    domain = domain if domain in known_domains() else ""
    shown = {
        **context,
        "title": "Agreement",
        "report": agreement_report(request.user, domain),
        "domain": domain,
        "least": conf.AGREEMENT_LEAST,
    }
    return TemplateResponse(request, "admin/curation/oversight/agreement.html", shown)


@require_GET
def guidelines_page(request: HttpRequest, context: Context) -> HttpResponse:
    """When to approve, edit and reject."""
    shown = {**context, "title": "Guidelines"}
    return TemplateResponse(request, "admin/curation/oversight/guidelines.html", shown)


@require_GET
def batches_page(request: HttpRequest, context: Context) -> HttpResponse:
    """The groups of alike claims that wait, and the reviewer's last batches."""
    batches = [(one, sample_size(min(one.claims, conf.BATCH_MOST))) for one in batches_for(request.user)]
    own = last_batches(request.user)
    shown = {**context, "title": "Batches", "batches": batches, "least": conf.BATCH_LEAST, "own": own}
    return TemplateResponse(request, "admin/curation/oversight/batches.html", shown)


@require_POST
def undo_batch_page(request: HttpRequest, context: Context, batch_id: UUID) -> HttpResponse:
    """Take an own batch back."""
    try:
        done, left = undo_batch(batch_id, request.user)
    except WrongDecision as error:
        messages.error(request, str(error))
    else:
        stay = f" Decided on since, and left as they are: {left}." if left else ""
        messages.success(
            request, f"Taken back: {done} claim{pluralize(done)} wait{'s' if done == 1 else ''} again.{stay}"
        )
    return redirect("admin:curation_claim_batches")


class BatchForm(forms.Form):
    """Which batch is meant."""

    tenant = forms.ModelChoiceField(Tenant.objects.all(), required=False)
    source = forms.CharField(max_length=300, strip=False)
    group = forms.CharField(required=False, max_length=300, strip=False)
    domain = forms.CharField(required=False, max_length=100)
    priority = forms.ChoiceField(choices=[(one.value, one.label) for one in LOW_RISK])


@require_http_methods(["GET", "POST"])
def batch_page(request: HttpRequest, context: Context) -> HttpResponse:
    """The sample of one batch: read it, mark what is wrong; if nothing is, all of the batch is approved."""
    batch = _batch_named(request)
    sound = sound_claims(request.user, batch)
    sample = draw_sample(
        sound.claims, f"{request.user.pk}:{batch.wanted.query}", sample_size(len(sound.claims))
    )
    if request.method == "POST":
        read = {str(one.pk): str(one.version) for one in sample}
        if request.POST.getlist("read") != [f"{pk}:{version}" for pk, version in read.items()]:
            messages.warning(request, "The batch has changed since you opened it. Read its new sample.")
            return redirect(request.get_full_path())
        done = decide_batch(
            request.user,
            sound.claims,
            sample,
            request.POST.getlist("wrong"),
            f"{batch.source}, {batch.group}",
        )
        _tell_result(request, done)
        return redirect("admin:curation_claim_batches")
    shown = {
        **context,
        "title": "Approve a batch by its sample",
        "batch": batch,
        "sound": sound,
        "sample": sample,
        "read": [(one, _quotes_in_order(one)) for one in sample],
        "wrong_most": f"{conf.CLAIMS_WRONG_MOST:.0%}",
        "confidence": f"{CONFIDENCE:.0%}",
    }
    return TemplateResponse(request, "admin/curation/oversight/batch.html", shown)


def _quotes_in_order(claim: Claim) -> list[str]:
    """Each quote once, a lead-in before its item. The claim's own list has that order, and lead-ins without evidence of
    their own; it counts as long as the evidence is among it."""
    told = claim.key_facts.get("quotes") or ()
    stored = [row.quote for row in claim.evidence.all()]
    return list(dict.fromkeys(told if set(stored) <= set(told) else stored))


def _batch_named(request: HttpRequest) -> Batch:
    form = BatchForm(request.GET)
    if not form.is_valid():
        raise Http404("There is no such batch.")
    said = form.cleaned_data
    school: Tenant | None = said.pop("tenant")
    if not may_act_for(request.user, Role.REVIEWER, school.pk if school else None):
        raise Http404("There is no such batch.")
    return Batch(tenant=school.pk if school else None, school=school.name if school else "", **said)


def _tell_result(request: HttpRequest, done: BatchResult) -> None:
    skipped = f" {done.skipped} had changed meanwhile and still wait." if done.skipped else ""
    if done.rejected:
        messages.warning(
            request,
            f"{done.rejected} of the {done.sample} claims you read {pluralize(done.rejected, 'was,were')} wrong and "
            f"rejected; the {done.approved} others you read are approved. The rest of the batch waits.{skipped}",
        )
    else:
        messages.success(
            request, f"{done.approved} claims are approved after a sample of {done.sample}.{skipped}"
        )
