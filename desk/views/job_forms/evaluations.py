"""Evaluations of the product on labeled files: the latest ones, and the start of another."""

from pathlib import Path

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from desk import conf
from desk.operations.evaluation_jobs import EVALUATIONS, ZIP, request_evaluation
from desk.operations.job_lists import statuses_of
from desk.views.operations import shared_library_operators_only
from knowledge.access.throttling import charge_page, upload_cost
from knowledge.conf import SEARCH_MAX_K
from knowledge.ingestion.jobs.content_storage import store_upload
from knowledge.ingestion.source_files import kept_name
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind


@shared_library_operators_only
@require_http_methods(["GET", "POST"])
@charge_page(upload_cost, methods=("POST",))
def evaluations_page(request: HttpRequest) -> HttpResponse:
    """A POST starts one with the uploaded file."""
    if request.method == "POST":
        what, k = request.POST.get("what", ""), request.POST.get("k", "10")
        file = request.FILES.get("file")
        name = kept_name(file.name or "") if file else ""
        if problem := _problem_with(what, k, name, (file.size or 0) if file else 0):
            messages.error(request, problem)
            return redirect("desk:evaluations")
        assert file is not None
        stored = store_upload(file, Path(name).suffix.lower())  # type: ignore[arg-type]
        job = request_evaluation(what, name, file=stored, k=int(k), created_by=request.user)
        return redirect("desk:job", job.pk)
    jobs = IngestionJob.objects.filter(kind=JobKind.EVALUATION, dismissed_at=None)
    context = {
        "section": "operations",
        "kinds": EVALUATIONS.items(),
        "rows": statuses_of(jobs.order_by("-created_at")[: conf.EVALUATIONS_SHOWN]),
        "limit_mb": conf.EVALUATION_BYTES // 1024**2,
        "most": SEARCH_MAX_K,
    }
    return render(request, "operations/evaluations.html", context)


def _problem_with(what: str, k: str, name: str, size: int) -> str:
    """Why an evaluation cannot start; empty if it can."""
    if what not in EVALUATIONS:
        return "Choose what to evaluate."
    if not name:
        return "Choose a file."
    if size > conf.EVALUATION_BYTES:
        return f"{name} has more than {conf.EVALUATION_BYTES // 1024**2} MB. Evaluate it by command."
    if what == "retrieval" and not name.lower().endswith(ZIP):
        return "Upload the folder with corpus.jsonl, queries.jsonl and qrels/test.tsv as one zip."
    if what != "retrieval" and Path(name).suffix.lower() not in (".jsonl", ".json"):
        return f"{name} is no .jsonl file: one JSON object a line, {EVALUATIONS[what].wants}."
    if not k.isascii() or not k.isdigit() or not 1 <= int(k[:6]) <= SEARCH_MAX_K:
        return f"Places that count must be 1 to {SEARCH_MAX_K}."
    return ""
