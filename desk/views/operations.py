"""The operator's page: upload, jobs with their steps, what the library holds."""

from collections.abc import Callable, Sequence
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
from desk.operations.job_status import outcome_of
from knowledge.access.people import may_act_for, school_for, schools_of
from knowledge.access.throttling import costs, upload_cost
from knowledge.conf import DOCUMENT_COST
from knowledge.documents.queries import documents_of_operator, jobs_of_operator
from knowledge.documents.standard_intake import TOLD, hand_in_upload
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import cancel_job, move_up, retry_job, start_job, waiting_jobs
from knowledge.models.documents import DocType
from knowledge.models.telemetry import JobState
from knowledge.models.tenancy import Role
from knowledge.retrieval.cache import never_found_again

log = structlog.get_logger(__name__)

SHOWN_JOBS = 30
NAMED = 3  # files turned away that have a message each; the list below says it of all

View = TypeVar("View", bound=Callable[..., HttpResponse])


def _is_operator(user: object) -> bool:
    if schools_of(user, Role.OPERATOR):
        return True
    raise PermissionDenied("Only operators may do this.")


def operators_only(view: View) -> View:
    return login_required(user_passes_test(_is_operator)(view))


@operators_only
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    context = {
        **_jobs(request),
        **_documents(request),
        "doc_types": DocType.choices,
        "school": school_for(request, Role.OPERATOR),  # asked before somebody chooses files for it
        "limit_mb": settings.UPLOAD_LIMIT_BYTES // 1024**2,
        "house": may_act_for(request.user, Role.OPERATOR, None),
        "section": "operations",
        "alarms": never_found_again(timezone.now()),
    }
    return render(request, "operations/index.html", context)


@operators_only
@require_GET
def jobs(request: HttpRequest) -> HttpResponse:
    """The list of jobs alone; the page asks for it again and again. When a job has ended since, the event `library`
    tells the page to ask for the documents, too.
    """
    shown = _jobs(request)
    response = render(request, "operations/jobs.html", shown)
    if request.GET.get("over", shown["over"]) != shown["over"]:
        response["HX-Trigger"] = "library"
    return response


@operators_only
@require_GET
def documents(request: HttpRequest) -> HttpResponse:
    """The list of documents alone."""
    return render(request, "operations/documents.html", _documents(request))


@operators_only
@require_POST
@costs(upload_cost)
def upload(request: HttpRequest) -> HttpResponse:
    """Each file becomes a job of its own; one that is refused does not stop the others. A standard waits until its
    operator has read what it changes."""
    files = request.FILES.getlist("files")
    if not files:
        messages.error(request, "Choose at least one file.")
    options = {
        key: request.POST[key] for key in ("doc_type", "title", "abbreviation") if request.POST.get(key)
    }
    held, school = "estimate" in request.POST, school_for(request, Role.OPERATOR)
    queued: list[str] = []
    standards: list[str] = []
    refused: list[tuple[str, str]] = []
    for file in files:
        try:
            job = hand_in_upload(
                file, tenant=school, options=options, created_by=request.user, held=held, ask_first=True
            )
            waits = job.held and TOLD in job.estimate and not held
            (standards if waits else queued).append(str(file.name))
            if TOLD in job.estimate and not job.held:
                messages.info(request, f"{file.name}: {' '.join(job.estimate[TOLD])}")
        except IngestionError as error:
            refused.append((str(file.name), str(error)))
    _say(request, queued, refused, "waits for you: see its estimate below" if held else "is queued")
    for name in standards:
        messages.warning(
            request,
            f"{name} is a certification standard. Nothing has changed yet: read below what it changes, then start it.",
        )
    return redirect("desk:operations")


def _say(
    request: HttpRequest, queued: Sequence[str], refused: Sequence[tuple[str, str]], became: str
) -> None:
    """What became of the files, in a few lines however many there were; each has its own in the list of jobs."""
    for name, why in refused if len(refused) <= NAMED else ():
        messages.error(request, f"{name}: {why}")
    if len(refused) > NAMED:
        messages.error(request, f"{len(refused)} files were turned away. Why stands with each below.")
    if queued:
        many = became.replace("is ", "are ").replace("waits", "wait").replace("its", "their")
        messages.success(
            request, f"{queued[0]} {became}." if len(queued) == 1 else f"{len(queued)} files {many}."
        )


@operators_only
@require_POST
def cancel(request: HttpRequest, job_id: UUID) -> HttpResponse:
    done = cancel_job(get_object_or_404(jobs_of_operator(request.user), pk=job_id))
    messages.info(request, "The job will stop." if done else "That job is already over.")
    return redirect("desk:operations")


@operators_only
@require_POST
def retry(request: HttpRequest, job_id: UUID) -> HttpResponse:
    done = retry_job(get_object_or_404(jobs_of_operator(request.user), pk=job_id))
    messages.info(request, "The job is queued again." if done else "That job is not one to retry.")
    return redirect("desk:operations")


@operators_only
@require_POST
def start(request: HttpRequest, job_id: UUID) -> HttpResponse:
    done = start_job(get_object_or_404(jobs_of_operator(request.user), pk=job_id))
    messages.info(request, "The job is queued." if done else "That job does not wait for you.")
    return redirect("desk:operations")


@operators_only
@require_POST
def first(request: HttpRequest, job_id: UUID) -> HttpResponse:
    done = move_up(get_object_or_404(jobs_of_operator(request.user), pk=job_id))
    messages.info(request, "The job is next." if done else "That job does not wait any more.")
    return redirect("desk:operations")


@operators_only
@require_POST
@costs(DOCUMENT_COST)
def extract(request: HttpRequest, document_id: UUID) -> HttpResponse:
    found = get_object_or_404(documents_of_operator(request.user), pk=document_id)
    try:
        extract_document.delay(str(found.pk))
    except BrokerAway as error:
        log.warning("extraction_not_begun", document=str(found.pk), error=str(error))
        messages.error(
            request, "No worker can be reached just now. Nothing was begun; try again in a minute."
        )
    else:
        messages.success(
            request, f"Claims of {found} are being extracted; they appear in the verification queue."
        )
    return redirect("desk:operations")


def _jobs(request: HttpRequest) -> dict[str, Any]:
    """The jobs, and by how many are over what changed since."""
    mine = jobs_of_operator(request.user)
    over = mine.exclude(state__in=(JobState.QUEUED, JobState.RUNNING)).count()
    turn = {pk: place for place, pk in enumerate(waiting_jobs())}
    shown = [outcome_of(job, turn.get(job.pk)) for job in mine.select_related("document")[:SHOWN_JOBS]]
    return {"jobs": shown, "over": str(over)}


def _documents(request: HttpRequest) -> dict[str, Any]:
    rows = documents_of_operator(request.user).order_by("-created_at")[:SHOWN_JOBS]
    return {"documents": rows, "today": timezone.now().date()}
