"""What was decided and how far reviewers agree, and the guidelines they go by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from curation import conf
from curation.offline.priority import known_domains
from curation.oversight.agreement_report import agreement_report
from curation.oversight.progress import progress_of
from knowledge.access.people import schools_named
from knowledge.models.tenancy import Role

Context = Mapping[str, Any]


@require_GET
def progress_page(request: HttpRequest, context: Context) -> HttpResponse:
    """Decisions by person and day, the pace, and what is left."""
    schools_named(request, Role.REVIEWER, Role.OPERATOR)
    progress = progress_of(request.user, timezone.now())
    shown = {**context, "title": "Progress", "progress": progress, "days": conf.PROGRESS_DAYS}
    return TemplateResponse(request, "admin/curation/oversight/progress.html", shown)


@require_GET
def agreement_page(request: HttpRequest, context: Context) -> HttpResponse:
    """How far reviewers agree on claims that two or more read; `domain` chooses a subject."""
    schools_named(request, Role.REVIEWER, Role.OPERATOR)
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
    schools_named(request, Role.REVIEWER, Role.OPERATOR)
    shown = {**context, "title": "Guidelines"}
    return TemplateResponse(request, "admin/curation/oversight/guidelines.html", shown)
