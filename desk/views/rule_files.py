"""Load a file of European rules by page: the operator sees what it would change, then loads it.

The file waits in the cache between the two, for the operator who uploaded it. Loading is refused if the rules have
changed since, so that nothing happens that the operator has not seen.
"""

from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from kombu.exceptions import OperationalError as BrokerAway

from desk import conf
from knowledge.access.people import school_for
from knowledge.access.throttling import charge_page, upload_cost
from knowledge.models import Tenant
from knowledge.models.tenancy import Role
from rules.answers.coverage import coverage_for
from rules.countries import KNOWN_COUNTRIES, name_of
from rules.data.load import Outdated, fingerprint, preview_rules, store_rules
from rules.data.parse import NotRules, RulesFile, read_rules
from rules.tasks import embed_rules

from .operations import operators_only


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
def load_file(request: HttpRequest) -> HttpResponse:
    """Load the file whose preview was shown."""
    school = school_for(request, Role.OPERATOR)
    digest, name = request.POST.get("digest", "")[:64], request.POST.get("name", "")[:200]
    data = cache.get(_key(request, digest))
    if data is None:
        messages.error(request, "The file has not been kept. Nothing was changed; upload it again.")
        return redirect("desk:rules")
    file = read_rules(data, KNOWN_COUNTRIES)
    try:
        loaded = store_rules(file, school, by=request.user, expected=request.POST.get("expected", ""))
    except Outdated as error:
        shown = _preview(file, school)
        return _render_page(request, school, **shown, name=name, digest=digest, problem=str(error))
    cache.delete(_key(request, digest))
    counts = ", ".join(
        f"{loaded.counts[done]:,} {done}" for done in ("added", "changed", "removed", "unchanged")
    )
    messages.success(request, f"{name or 'The file'} is loaded. Answers: {counts}.")
    try:
        embed_rules.delay()
    except BrokerAway:
        messages.warning(
            request, "No worker can be reached. Until one runs, rules are found by their words alone."
        )
    return redirect("desk:rules")


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
