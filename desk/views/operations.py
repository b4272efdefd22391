"""The operator's page: uploads, jobs with their steps, and the documents of the library."""

from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required, user_passes_test
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_POST

from curation.intake import request_claims
from curation.oversight.audit import chains_for
from desk.operations.job_lists import jobs_now
from desk.operations.uploads import KeepFolders, unpacked_files
from knowledge.access.people import may_act_for, school_for, schools_of, slug_of
from knowledge.access.throttling import charge_page, upload_cost
from knowledge.conf import DOCUMENT_COST, UPLOAD_FILES
from knowledge.documents.queries import documents_of_operator
from knowledge.documents.standard_intake import TOLD, hand_in_upload
from knowledge.ingestion.errors import IngestionError
from knowledge.models import IngestionJob, Tenant
from knowledge.models.documents import DocType
from knowledge.models.tenancy import Role
from knowledge.retrieval.cache import unused_cache_alarms

SHOWN_DOCUMENTS = 30
UPLOAD_OPTIONS = (
    *("doc_type", "title", "abbreviation", "edition", "edition_date"),
    *("category", "tags", "chunking"),
)
NAMED = 3  # refused files that get a message each; the list of jobs gives the reason for all

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
    school = school_for(request, Role.OPERATOR)  # asked before somebody chooses files for it
    context = {
        **jobs_now(request.user),
        **_document_context(request),
        "doc_types": DocType.choices,
        "operated": [
            (slug_of(school), school or "Shared library")
            for school in schools_of(request.user, Role.OPERATOR)
        ],
        "school": school,
        "preset_kind": DocType.SOP if school else "",
        "limit_mb": settings.UPLOAD_LIMIT_BYTES // 1024**2,
        "limit_files": UPLOAD_FILES,
        "house": may_act_for(request.user, Role.OPERATOR, None),
        "section": "operations",
        "alarms": unused_cache_alarms(timezone.now()),
        "chains": chains_for(request.user),
    }
    return render(request, "operations/index.html", context)


@operators_only
@require_GET
def document_list(request: HttpRequest) -> HttpResponse:
    """The list of documents alone."""
    return render(request, "operations/documents.html", _document_context(request))


@csrf_exempt
@operators_only
@require_POST
@charge_page(upload_cost)
def upload_files(request: HttpRequest) -> HttpResponse:
    """Take the files with their folders. The check for forgery reads the whole form, so it runs once that is said."""
    request.upload_handlers.insert(0, KeepFolders(request))
    return _take_files(request)


@csrf_protect
def _take_files(request: HttpRequest) -> HttpResponse:
    """Each file is a separate job; a refused file does not stop the others. A certification standard waits until the
    operator has read its changes."""
    files = request.FILES.getlist("files")
    if not files:
        messages.error(request, "Choose at least one file.")
    options = {name: request.POST[name] for name in UPLOAD_OPTIONS if request.POST.get(name)}
    held, school = "estimate" in request.POST, _school_of_upload(request)
    with unpacked_files(files, tenant=school, created_by=request.user) as found:
        queued, refused = [], list(found.left_out)
        for file, told in found.opened():
            try:
                job = hand_in_upload(
                    file,
                    tenant=school,
                    options={**options, **told},
                    created_by=request.user,
                    held=held,
                    ask_first=True,
                )
            except IngestionError as error:
                refused.append(f"{file.name}: {error}")
                continue
            if _tell_standard(request, job, str(file.name), held):
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


def _school_of_upload(request: HttpRequest) -> Tenant | None:
    """The school that the form names, else the one that the operator acts for."""
    for school in schools_of(request.user, Role.OPERATOR):
        if slug_of(school) == request.POST.get("school"):
            return school
    return school_for(request, Role.OPERATOR)


def _tell_standard(request: HttpRequest, job: IngestionJob, name: str, held: bool) -> bool:
    """Say what a standard changes; False if it waits for the operator, who did not ask for that."""
    if TOLD in job.estimate and not job.held:
        messages.info(request, f"{name}: {' '.join(job.estimate[TOLD])}")
    if TOLD not in job.estimate or not job.held or held:
        return True
    messages.warning(
        request,
        f"{name} is a certification standard. Nothing has changed yet: read below what it changes, then start it.",
    )
    return False


@operators_only
@require_POST
@charge_page(DOCUMENT_COST)
def extract_claims(request: HttpRequest, document_id: UUID) -> HttpResponse:
    found = get_object_or_404(documents_of_operator(request.user), pk=document_id)
    job = request_claims(found, created_by=request.user)
    messages.success(
        request, f"Claims of {found} are being extracted; they appear in the verification queue."
    )
    return redirect("desk:job", job.pk)


def _document_context(request: HttpRequest) -> dict[str, Any]:
    rows = documents_of_operator(request.user).order_by("-created_at")[:SHOWN_DOCUMENTS]
    return {"documents": rows, "today": timezone.now().date()}
