"""Load a file of European rules by page: the operator sees what it would change, then starts the job that loads it.

The file waits in the cache between the two, for the operator who uploaded it. The job loads nothing if the rules have
changed since, so that nothing happens that the operator has not seen.
"""

from hashlib import sha256
from io import BytesIO
from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from desk import conf
from desk.views.operations import operators_only
from knowledge.access.people import school_for
from knowledge.access.throttling import charge_page, upload_cost
from knowledge.conf import DOCUMENT_COST
from knowledge.ingestion.jobs.content_storage import store_upload
from knowledge.models import Tenant
from knowledge.models.tenancy import Role
from rules.answers.coverage import coverage_for
from rules.countries import KNOWN_COUNTRIES, name_of
from rules.data.load import fingerprint, preview_rules
from rules.data.parse import NotRules, RulesFile, read_rules
from rules.data.rule_jobs import request_rules
from rules.data.spreadsheet import is_workbook


@operators_only
@require_http_methods(["GET", "POST"])
@charge_page(upload_cost, methods=("POST",))
def rules_page(request: HttpRequest) -> HttpResponse:
    """What is loaded and a form to upload a file; for an uploaded file, what loading it would change."""
    school = school_for(request, Role.OPERATOR)
    upload = request.FILES.get("file")
    if request.method == "GET" or upload is None:
        problem = "Choose a file." if request.method == "POST" else ""
        return _render_page(request, school, problem=problem)
    size = upload.size or 0
    if size > conf.RULES_UPLOAD_BYTES:
        limit = conf.RULES_UPLOAD_BYTES // 1024**2
        return _render_page(
            request, school, problem=f"The file has more than {limit} MB. Load it by command."
        )
    data = upload.read()
    try:
        file = read_rules(data, KNOWN_COUNTRIES)
    except NotRules as error:
        return _render_page(request, school, problem=f"{upload.name}: {error}. Nothing was changed.")
    digest = sha256(data).hexdigest()
    cache.set(_key(request, digest), data, conf.RULES_UPLOAD_SECONDS)
    return _render_page(request, school, **_preview(file, school), name=upload.name, digest=digest)


@operators_only
@require_POST
@charge_page(DOCUMENT_COST)
def load_file(request: HttpRequest) -> HttpResponse:
    """Start the job that loads the file whose preview was shown; if the rules have changed since, show it again."""
    school = school_for(request, Role.OPERATOR)
    digest, name = request.POST.get("digest", "")[:64], request.POST.get("name", "")[:200]
    data = cache.get(_key(request, digest))
    if data is None:
        messages.error(request, "The file has not been kept. Nothing was changed; upload it again.")
        return redirect("desk:rules")
    shown = _preview(read_rules(data, KNOWN_COUNTRIES), school)
    if shown["expected"] != request.POST.get("expected", ""):
        problem = "The rules have changed since you looked. Check again what would change."
        return _render_page(request, school, **shown, name=name, digest=digest, problem=problem)
    job = request_rules(
        name or "Rules",
        file=store_upload(BytesIO(data), ".xlsx" if is_workbook(data) else ".json"),
        tenant=school,
        expected=shown["expected"],
        created_by=request.user,
    )
    cache.delete(_key(request, digest))
    messages.success(request, f"{name or 'The file'} is queued to be loaded.")
    return redirect("desk:job", job.pk)


def _key(request: HttpRequest, digest: str) -> str:
    return f"rules-upload:{request.user.pk}:{digest}"


def _preview(file: RulesFile, school: Tenant | None) -> dict[str, Any]:
    would = preview_rules(file, school)
    steps = [(step, name_of(step.country) if step.country else "") for step in would.steps]
    return {
        "file": file,
        "would": would,
        "expected": fingerprint(would),
        "steps": steps[: conf.RULE_STEPS_SHOWN],
        "more_steps": max(0, len(steps) - conf.RULE_STEPS_SHOWN),
        "mended": len(file.mended),
    }


def _render_page(
    request: HttpRequest, school: Tenant | None, *, problem: str = "", **shown: Any
) -> HttpResponse:
    context = {
        "section": "operations",
        "school": school,
        "coverage": coverage_for(school.pk if school else None),
        "limit_mb": conf.RULES_UPLOAD_BYTES // 1024**2,
        "problem": problem,
        **shown,
    }
    return render(request, "operations/rules.html", context, status=400 if problem else 200)
