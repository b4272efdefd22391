"""The pages for oversight: decisions, agreement of reviewers, guidelines, and batches with their sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation import conf
from curation.item_review import CONFIDENCE, draw_sample
from curation.models import Claim
from curation.offline.priority import known_domains
from curation.oversight.agreement_report import agreement_report
from curation.oversight.batch_jobs import batch_jobs_of, request_batch, request_undo
from curation.oversight.batches import LOW_RISK, Batch, batches_for, last_batches, sample_size, sound_claims
from curation.oversight.progress import progress_of
from curation.selectors import WrongDecision, claims_for
from knowledge.access.people import may_act_for
from knowledge.models import Tenant
from knowledge.models.graph import UNDECIDED
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
    """The groups of alike claims that wait, the reviewer's last batches, and jobs that still decide on some."""
    batches = [(one, sample_size(min(one.claims, conf.BATCH_MOST))) for one in batches_for(request.user)]
    shown = {
        **context,
        "title": "Batches",
        "batches": batches,
        "least": conf.BATCH_LEAST,
        "own": last_batches(request.user),
        "jobs": batch_jobs_of(request.user),
    }
    return TemplateResponse(request, "admin/curation/oversight/batches.html", shown)


@require_POST
def undo_batch_page(request: HttpRequest, context: Context, batch_id: UUID) -> HttpResponse:
    """Take an own batch back, by a job."""
    try:
        return redirect("desk:job", request_undo(batch_id, request.user).pk)
    except WrongDecision as error:
        messages.error(request, str(error))
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
    """The sample of one batch: read it, mark what is wrong; if nothing is, all of the batch is approved. The page has
    signed what its sample stands for, so that a job decides on exactly that."""
    batch = _batch_named(request)
    salt = f"batch of {batch.tenant}{batch.wanted.query} for {request.user.pk}"
    if request.method == "POST":
        try:
            stands_for = signing.loads(
                request.POST.get("stands_for", ""), salt=salt, max_age=conf.SAMPLE_READ_SECONDS
            )
        except signing.BadSignature:
            stands_for = {"claims": [], "sample": 0}
        read = dict(stands_for["claims"][: stands_for["sample"]])
        waiting = claims_for(request.user).filter(UNDECIDED, pk__in=read).values_list("pk", "version")
        if not read or {str(pk): version for pk, version in waiting} != read:
            messages.warning(request, "The batch has changed since you opened it. Read its new sample.")
            return redirect(request.get_full_path())
        wrong = set(request.POST.getlist("wrong"))
        return redirect("desk:job", request_batch(request.user, batch, **stands_for, wrong=wrong).pk)
    sound = sound_claims(request.user, batch)
    sample = draw_sample(
        sound.claims, f"{request.user.pk}:{batch.wanted.query}", sample_size(len(sound.claims))
    )
    in_order = dict.fromkeys([*sample, *sound.claims])
    stands_for = {"claims": [(str(one.pk), one.version) for one in in_order], "sample": len(sample)}
    shown = {
        **context,
        "title": "Approve a batch by its sample",
        "batch": batch,
        "sound": sound,
        "sample": sample,
        "stands_for": signing.dumps(stands_for, salt=salt, compress=True),
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
