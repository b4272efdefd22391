"""The standards and questions that are loaded, and the start of the job that loads a standard from its PDF, or the
project's questions."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from desk.views.operations import shared_library_operators_only
from exams.bank.anchor_jobs import item_folders, request_loading
from knowledge.access.throttling import charge_page, upload_cost
from knowledge.documents.standard_intake import changes_of_upload
from knowledge.documents.standard_jobs import NO_STANDARD, request_standard
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.content_storage import store_upload
from knowledge.ingestion.source_files import PDF_SUFFIX, kept_name
from knowledge.models import Document, Item, Standard
from knowledge.standards.acs_pdf import MAX_BYTES

NO_QUESTIONS = (
    "Load the standard of a certificate first. There are questions for private and commercial pilots."
)


@shared_library_operators_only
@require_http_methods(["GET", "POST"])
@charge_page(upload_cost, methods=("POST",))
def standards_page(request: HttpRequest) -> HttpResponse:
    """A POST looks at the uploaded PDF and starts the job; one that changes exams waits until the operator has read
    what it changes. With `questions` it starts the job that loads those instead."""
    if request.method == "POST" and "questions" in request.POST:
        if folders := item_folders():
            return redirect("desk:job", request_loading(folders, created_by=request.user).pk)
        messages.error(request, NO_QUESTIONS)
        return redirect("desk:standards")
    if request.method == "POST":
        file = request.FILES.get("file")
        name = kept_name(file.name or "") if file else ""
        if file is None:
            messages.error(request, "Choose a file.")
            return redirect("desk:standards")
        try:
            if (changes := changes_of_upload(file)) is None:
                raise IngestionError(NO_STANDARD)
        except IngestionError as error:
            messages.error(request, f"{name}: {error} Nothing was changed.")
            return redirect("desk:standards")
        job = request_standard(
            name,
            file=store_upload(file, PDF_SUFFIX),  # type: ignore[arg-type]
            changes=changes,
            created_by=request.user,
        )
        if job.held:
            messages.warning(
                request, "Nothing has changed yet: read below what the standard changes, then start it."
            )
        return redirect("desk:job", job.pk)
    elements = Count("areas__tasks__elements", filter=Q(areas__tasks__elements__archived=False))
    rows = Standard.objects.annotate(elements=elements, tasks=Count("areas__tasks", distinct=True)).order_by(
        "certificate", "-current", "-edition_date"
    )
    documents = {
        row.content_hash: row
        for row in Document.objects.filter(tenant=None, content_hash__in=[one.content_hash for one in rows])
    }
    context = {
        "section": "operations",
        "rows": [(one, documents.get(one.content_hash)) for one in rows],
        "questions": Item.objects.filter(tenant=None, withdrawn=False).count(),
        "limit_mb": MAX_BYTES // 1024**2,
    }
    return render(request, "operations/standards.html", context)
