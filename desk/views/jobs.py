"""The operator's jobs: what runs and what waits, all jobs in a table, and the page of one job."""

from collections.abc import Callable, Mapping
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from desk.operations.figure_tables import tables_of
from desk.operations.job_lists import (
    KINDS,
    SORTS,
    STATES,
    bring_back_job,
    dismiss_job,
    jobs_found,
    jobs_now,
    queue_of,
    schools_of_jobs,
    statuses_of,
)
from desk.operations.job_results import refusals_of
from desk.operations.tables import change_each, rows_chosen, table_of
from knowledge.access.throttling import charge_page, job_cost
from knowledge.documents.queries import jobs_of_operator, jobs_seen_by
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import (
    OPEN_STATES,
    cancel_job,
    move_job_up,
    places_in_queue,
    retry_job,
    start_job,
)
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind, JobState

from .library import tell_outcome
from .operations import operators_only

JOB_ACTS: Mapping[str, tuple[Callable[[IngestionJob], bool], str]] = {
    "cancel": (cancel_job, "The job will stop."),
    "retry": (retry_job, "The job is queued again."),
    "start": (start_job, "The job is queued."),
    "first": (move_job_up, "The job is put first."),
    "dismiss": (dismiss_job, "The job is dismissed."),
    "bring-back": (bring_back_job, "The job is on the list again."),
}
"""What an operator may do to a job, and what the page says if it was done."""
TOO_LATE: Mapping[str, Mapping[str, str]] = {
    "cancel": {JobState.CANCELLING: "That job is stopping already.", "": "That job is already over."},
    "retry": {
        JobState.QUEUED: "That job waits already.",
        JobState.RUNNING: "That job is running. To start it again, cancel it first.",
        JobState.CANCELLING: "That job is still stopping. Retry it in a few seconds.",
        JobState.SUCCEEDED: "That job succeeded; there is nothing to retry.",
        "": "The file of that job was refused and is not kept. Upload it again.",
    },
    "start": {"": "That job is not waiting for you."},
    "first": {
        JobState.QUEUED: "That job keeps its place: it is first, waits for you, or is behind one of another school.",
        "": "That job is no longer waiting.",
    },
    "dismiss": {
        **dict.fromkeys(OPEN_STATES, "That job is not over yet."),
        "": "That job is dismissed already.",
    },
    "bring-back": {"": "That job is not dismissed."},
}
"""What the page says if it could not be done, by the job's state."""
DONE = {
    "cancel": "stopping",
    "retry": "queued again",
    "dismiss": "dismissed",
    "bring-back": "on the list again",
}
BUTTONS = (("cancel", "Cancel", ""), ("retry", "Retry", ""), ("dismiss", "Dismiss", ""))
BUTTONS_OF_DISMISSED = (("bring-back", "Show again", ""),)
"""The changes that the table offers: the value sent, its words, the look of the button."""


@operators_only
@require_GET
def jobs_page(request: HttpRequest) -> HttpResponse:
    """All jobs in a table."""
    table = table_of(jobs_found(request.user, request.GET), request.GET, SORTS, "-requested")
    places = places_in_queue()
    context = {
        "section": "operations",
        "table": table,
        "rows": statuses_of(table.page, places),
        "kinds": KINDS,
        "states": STATES,
        "filter_schools": schools_of_jobs(request.user),
        **queue_of(request.user, places),
        "acts": BUTTONS_OF_DISMISSED if request.GET.get("state") == "dismissed" else BUTTONS,
    }
    return render(request, "operations/jobs_table.html", context)


@operators_only
@require_GET
def job_list(request: HttpRequest) -> HttpResponse:
    """The jobs of now alone, which pages poll. Once a job has ended, the event `library` makes the page reload the
    documents too."""
    shown = jobs_now(request.user)
    response = render(request, "operations/jobs.html", shown)
    if request.GET.get("over", shown["over"]) != shown["over"]:
        response["HX-Trigger"] = "library"
    return response


@operators_only
@require_GET
def job_queue(request: HttpRequest) -> HttpResponse:
    """The queue alone, which its page polls."""
    return render(request, "operations/queue.html", queue_of(request.user))


@login_required
@require_GET
def job_page(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """One job; the page polls itself while the job is open, and then gets only the part that changes."""
    found = jobs_seen_by(request.user).select_related("document", "tenant", "created_by")
    job = get_object_or_404(found, pk=job_id)
    status = statuses_of(found.filter(pk=job.pk))[0]
    context = {
        "section": "operations",
        "shown": status,
        "job": job,
        "refusals": refusals_of(job),
        "tables": tables_of(job.counts.get("figures", {})),
    }
    part = "operations/job_now.html" if request.headers.get("HX-Request") else "operations/job.html"
    return render(request, part, context)


@login_required
@require_POST
@charge_page(job_cost)
def change_job(request: HttpRequest, job_id: UUID, act: str) -> HttpResponse:
    job = get_object_or_404(jobs_seen_by(request.user), pk=job_id)
    if _change(act, job, request.user):
        messages.success(request, JOB_ACTS[act][1])
    else:
        messages.info(request, _too_late(act, job))
    back = request.POST.get("back", "")
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return redirect(back)
    return redirect("desk:operations")


@operators_only
@require_POST
@charge_page(job_cost)
def change_jobs(request: HttpRequest) -> HttpResponse:
    """Change the jobs whose boxes are ticked, or all that fit the filter."""
    act = request.POST.get("act", "")
    if act not in DONE:
        raise Http404("There is no such change.")

    def change(job: IngestionJob) -> None:
        if not _change(act, job, request.user):
            raise IngestionError(_too_late(act, job))

    own = jobs_of_operator(request.user)
    rows = rows_chosen(request.POST, own, lambda asked: jobs_found(request.user, asked))
    tell_outcome(request, change_each(rows.order_by("created_at"), change), "job", DONE[act])
    query = request.POST.get("query", "")
    return redirect(reverse("desk:jobs") + (f"?{query}" if query else ""))


def _change(act: str, job: IngestionJob, user: object) -> bool:
    return retry_job(job, user) if act == "retry" else JOB_ACTS[act][0](job)


def _too_late(act: str, job: IngestionJob) -> str:
    job.refresh_from_db(fields=["state"])
    if act == "retry" and job.kind == JobKind.BATCH and job.state in (JobState.FAILED, JobState.CANCELLED):
        return "Only its reviewer can start that batch again: it decides in the reviewer's name."
    return TOO_LATE[act].get(job.state, TOO_LATE[act][""])
