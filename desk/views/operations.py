"""The operator's page: uploads, jobs with their steps, and the documents of the library."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required, user_passes_test
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from kombu.exceptions import OperationalError as BrokerAway

from curation.tasks import extract_document
from desk.operations.job_status import JobStatus
from knowledge.access.people import may_act_for, school_for, schools_of
from knowledge.access.throttling import charge_page, upload_cost
from knowledge.conf import DOCUMENT_COST
from knowledge.documents.queries import documents_of_operator, jobs_of_operator
from knowledge.documents.standard_intake import TOLD, hand_in_upload
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import cancel_job, move_job_up, retry_job, start_job, waiting_jobs
from knowledge.models import IngestionJob
from knowledge.models.documents import DocType
from knowledge.models.telemetry import JobState
from knowledge.models.tenancy import Role
from knowledge.retrieval.cache import unused_cache_alarms

log = structlog.get_logger(__name__)

SHOWN_JOBS = 30
NAMED = 3  # refused files that get a message each; the list of jobs gives the reason for all

JOB_ACTS: Mapping[str, tuple[Callable[[IngestionJob], bool], str, str]] = {
    "cancel": (cancel_job, "The job will stop.", "That job is already over."),
    "retry": (retry_job, "The job is queued again.", "That job cannot be retried."),
    "start": (start_job, "The job is queued.", "That job is not waiting for you."),
    "first": (move_job_up, "The job is next.", "That job is no longer waiting."),
}
"""What an operator may do to a job, and what the page says if it was done or came too late."""

View = TypeVar("View", bound=Callable[..., HttpResponse])


def operators_only(view: View) -> View:
    def check_role(user: object) -> bool:
        if schools_of(user, Role.OPERATOR):
            return True
        raise PermissionDenied("Only operators may do this.")

    return login_required(user_passes_test(check_role)(view))


def shared_library_operators_only(view: View) -> View:
    """For everything shared by all schools: an operator of a single school may not see or change it."""

    def check_role(user: object) -> bool:
        if may_act_for(user, Role.OPERATOR, None):
            return True
        raise PermissionDenied("Only operators of the shared library may do this.")

    return login_required(user_passes_test(check_role)(view))


@operators_only
@require_GET
def operations_page(request: HttpRequest) -> HttpResponse:
    context = {
        **_job_context(request),
        **_document_context(request),
        "doc_types": DocType.choices,
        "school": school_for(request, Role.OPERATOR),  # asked before somebody chooses files for it
        "limit_mb": settings.UPLOAD_LIMIT_BYTES // 1024**2,
        "house": may_act_for(request.user, Role.OPERATOR, None),
        "section": "operations",
        "alarms": unused_cache_alarms(timezone.now()),
    }
    return render(request, "operations/index.html", context)


@operators_only
@require_GET
def job_list(request: HttpRequest) -> HttpResponse:
    """The list of jobs alone, which the page polls. Once a job has ended, the event `library` makes the page reload the
    documents too."""
    shown = _job_context(request)
    response = render(request, "operations/jobs.html", shown)
    if request.GET.get("over", shown["over"]) != shown["over"]:
        response["HX-Trigger"] = "library"
    return response


@operators_only
@require_GET
def document_list(request: HttpRequest) -> HttpResponse:
    """The list of documents alone."""
    return render(request, "operations/documents.html", _document_context(request))


@operators_only
@require_POST
@charge_page(upload_cost)
def upload_files(request: HttpRequest) -> HttpResponse:
    """Each file is a separate job; a refused file does not stop the others. A certification standard waits until the
    operator has read its changes."""
    files = request.FILES.getlist("files")
    if not files:
        messages.error(request, "Choose at least one file.")
    names = ("doc_type", "title", "abbreviation")
    options = {name: request.POST[name] for name in names if request.POST.get(name)}
    held, school = "estimate" in request.POST, school_for(request, Role.OPERATOR)
    queued: list[str] = []
    refused: list[str] = []
    for file in files:
        try:
            job = hand_in_upload(
                file, tenant=school, options=options, created_by=request.user, held=held, ask_first=True
            )
        except IngestionError as error:
            refused.append(f"{file.name}: {error}")
            continue
        if TOLD in job.estimate and not job.held:
            messages.info(request, f"{file.name}: {' '.join(job.estimate[TOLD])}")
        if TOLD in job.estimate and job.held and not held:
            messages.warning(
                request,
                f"{file.name} is a certification standard. Nothing has changed yet: read below what it changes, "
                "then start it.",
            )
        else:
            queued.append(str(file.name))
    if len(refused) > NAMED:
        refused = [f"{len(refused)} files were refused. The list below says why."]
    for line in refused:
        messages.error(request, line)
    one, many = (
        ("waits for you: see its estimate below", "wait for you: see their estimates below")
        if held
        else ("is queued", "are queued")
    )
    if queued:
        messages.success(
            request, f"{queued[0]} {one}." if len(queued) == 1 else f"{len(queued)} files {many}."
        )
    return redirect("desk:operations")


@operators_only
@require_POST
def change_job(request: HttpRequest, job_id: UUID, act: str) -> HttpResponse:
    change, done, too_late = JOB_ACTS[act]
    job = get_object_or_404(jobs_of_operator(request.user), pk=job_id)
    messages.info(request, done if change(job) else too_late)
    return redirect("desk:operations")


@operators_only
@require_POST
@charge_page(DOCUMENT_COST)
def extract_claims(request: HttpRequest, document_id: UUID) -> HttpResponse:
    found = get_object_or_404(documents_of_operator(request.user), pk=document_id)
    try:
        extract_document.delay(str(found.pk))
    except BrokerAway as error:
        log.warning("extraction_not_begun", document=str(found.pk), error=str(error))
        messages.error(request, "No worker can be reached. Nothing was started; try again in a minute.")
    else:
        messages.success(
            request, f"Claims of {found} are being extracted; they appear in the verification queue."
        )
    return redirect("desk:operations")


def _job_context(request: HttpRequest) -> dict[str, Any]:
    """The jobs, and how many are over: the page compares that number to notice a change."""
    mine = jobs_of_operator(request.user)
    over = mine.exclude(state__in=(JobState.QUEUED, JobState.RUNNING)).count()
    turn = {pk: place for place, pk in enumerate(waiting_jobs())}
    shown = [JobStatus(job, turn.get(job.pk)) for job in mine.select_related("document")[:SHOWN_JOBS]]
    return {"jobs": shown, "over": str(over)}


def _document_context(request: HttpRequest) -> dict[str, Any]:
    rows = documents_of_operator(request.user).order_by("-created_at")[:SHOWN_JOBS]
    return {"documents": rows, "today": timezone.now().date()}
