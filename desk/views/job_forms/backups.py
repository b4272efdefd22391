"""The backups that are there, how to restore one, and the start of the job that makes another."""

import shutil
from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from desk.operations.backups import backup_folder, backups, remove_backup, request_backup
from desk.operations.job_lists import statuses_of
from desk.views.operations import shared_library_operators_only
from knowledge.access.throttling import charge_page
from knowledge.conf import DOCUMENT_COST
from knowledge.ingestion.jobs.jobs import OPEN_STATES
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind


@shared_library_operators_only
@require_http_methods(["GET", "POST"])
@charge_page(DOCUMENT_COST, methods=("POST",))
def backups_page(request: HttpRequest) -> HttpResponse:
    """A POST starts a backup, or removes the one that it names."""
    if request.method == "POST" and (name := request.POST.get("remove", "")):
        if remove_backup(name):
            messages.success(request, f"{name} is removed.")
        else:
            messages.info(request, "There is no such backup any more.")
        return redirect("desk:backups")
    if request.method == "POST":
        job = request_backup(created_by=request.user)
        return redirect("desk:job", job.pk)
    jobs = IngestionJob.objects.filter(kind=JobKind.BACKUP)
    made = {
        job.counts["backup"]: job
        for job in jobs.filter(counts__has_key="backup").select_related("created_by")
    }
    context = {
        "section": "operations",
        "rows": [(one, made.get(one.name)) for one in backups()],
        "open": statuses_of(jobs.filter(state__in=OPEN_STATES)),
        "folder": backup_folder(),
        "free": shutil.disk_usage(Path(settings.DATA_DIR)).free,
    }
    return render(request, "operations/backups.html", context)
