"""The certification standards that are loaded, and the start of the job that loads one from its PDF."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from desk.views.operations import shared_library_operators_only
from knowledge.access.throttling import charge_page, upload_cost
from knowledge.documents.standard_intake import changes_of_upload
from knowledge.documents.standard_jobs import NO_STANDARD, request_standard
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.content_storage import store_upload
from knowledge.ingestion.source_files import PDF_SUFFIX, kept_name
from knowledge.models import Document, Standard
from knowledge.standards.acs_pdf import MAX_BYTES


@shared_library_operators_only
@require_http_methods(["GET", "POST"])
@charge_page(upload_cost, methods=("POST",))
def standards_page(request: HttpRequest) -> HttpResponse:
    """A POST looks at the uploaded PDF and starts the job; one that changes exams waits until the operator has read
    what it changes."""
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
        "limit_mb": MAX_BYTES // 1024**2,
    }
    return render(request, "operations/standards.html", context)
