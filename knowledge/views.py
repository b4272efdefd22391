"""The library: documents, page pictures with the cited lines lit, and passages without pages."""

import mimetypes
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from .ingestion.errors import RefusedFile
from .library import documents_for, figures_on, passage_for
from .models import Chunk, Image, Page
from .pictures import NoSuchPage, picture_of_page
from .whole_numbers import whole_number

LONGEST_QUOTE = 4000


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    documents = documents_for(request.user).order_by("doc_type", "title")
    context = {"documents": documents, "section": "library", "today": timezone.now().date()}
    return render(request, "library/index.html", context)


@login_required
@require_GET
def document(request: HttpRequest, document_id: UUID) -> HttpResponse:
    found = get_object_or_404(documents_for(request.user), pk=document_id)
    if found.paged and found.page_count:
        return redirect("library:page", document_id, 1)
    chunks = found.chunks.only("id", "heading", "section", "document")
    return render(
        request, "library/document.html", {"document": found, "chunks": chunks, "section": "library"}
    )


@login_required
@require_GET
def page(request: HttpRequest, document_id: UUID, number: int) -> HttpResponse:
    found = get_object_or_404(documents_for(request.user), pk=document_id)
    sheet = get_object_or_404(Page, document=found, number=number)
    context = {
        "document": found,
        "page": sheet,
        "chunks": found.chunks.filter(page_start__lte=number, page_end__gte=number),
        "figures": figures_on(found, number),
        "section": "library",
    }
    return render(request, "library/page.html", context)


@login_required
@require_GET
@cache_control(private=True, max_age=86_400, immutable=True)
def page_picture(request: HttpRequest, document_id: UUID, number: int) -> FileResponse:
    found = get_object_or_404(documents_for(request.user), pk=document_id)
    try:
        return FileResponse(picture_of_page(found, number).open("rb"), content_type="image/webp")
    except (NoSuchPage, RefusedFile, OSError) as error:
        raise Http404(str(error)) from error


@login_required
@require_GET
def passage(request: HttpRequest, chunk_id: UUID) -> HttpResponse:
    """Opens where a citation leads: `?quote=` is lit, `?page=` chooses one of its pages."""
    chunk = get_object_or_404(
        Chunk.objects.select_related("document").filter(document__in=documents_for(request.user)), pk=chunk_id
    )
    opened = passage_for(
        chunk, request.GET.get("quote", "")[:LONGEST_QUOTE], whole_number(request.GET.get("page", ""))
    )
    context = {"passage": opened, "document": chunk.document, "page": opened.page, "section": "library"}
    return render(request, "library/passage.html", context)


@login_required
@require_GET
@cache_control(private=True, max_age=86_400, immutable=True)
def figure(request: HttpRequest, image_id: UUID) -> FileResponse:
    image = get_object_or_404(Image, pk=image_id, document__in=documents_for(request.user))
    try:
        content = image.file.open("rb")
    except OSError as error:
        raise Http404("The picture's file is missing.") from error
    kind = mimetypes.guess_type(image.file.name or "")[0] or "application/octet-stream"
    return FileResponse(content, content_type=kind)
