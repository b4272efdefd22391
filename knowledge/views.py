"""Pages of the library: documents, page pictures with the cited lines highlighted, and passages without pages."""

import mimetypes
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from knowledge.access.people import school_id_read_by
from knowledge.decision_tables.answers import compute_tables
from knowledge.decision_tables.table_data import UnknownCell, decision_tables, table_named
from knowledge.documents.page_images import NoSuchPage, picture_of_page
from knowledge.documents.queries import (
    chunk_in_edition,
    documents_for,
    editions_with,
    figures_on,
    list_passages,
    passage_for,
)
from knowledge.ingestion.editions.editions import edition_in_force

from .ingestion.errors import RefusedFile
from .models import Chunk, Document, Image, Page
from .whole_numbers import whole_number

LONGEST_QUOTE = 4000


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    documents = list(
        documents_for(request.user).select_related("superseded_by").order_by("doc_type", "title")
    )
    context = {
        "documents": [row for row in documents if row.superseded_by_id is None],
        "former": [row for row in documents if row.superseded_by_id is not None],
        "section": "library",
        "today": timezone.now().date(),
    }
    return render(request, "library/index.html", context)


@login_required
@require_GET
def document(request: HttpRequest, document_id: UUID) -> HttpResponse:
    found = get_object_or_404(documents_for(request.user), pk=document_id)
    if found.paged and found.page_count:
        return redirect("library:page", document_id, 1)
    context = {"document": found, "chunks": list_passages(found), **_edition_context(request, found)}
    return render(request, "library/document.html", context)


def _edition_context(request: HttpRequest, found: Document) -> dict[str, Any]:
    """What a page says about the edition on show: whether it was checked in time, and which one is in force instead."""
    now = edition_in_force(found)
    seen = documents_for(request.user).filter(pk=now.pk).exists()
    return {
        "section": "library",
        "today": timezone.now().date(),
        "in_force": now if seen and now.pk != found.pk else None,
    }


@login_required
@require_GET
def page(request: HttpRequest, document_id: UUID, number: int) -> HttpResponse:
    found = get_object_or_404(documents_for(request.user), pk=document_id)
    sheet = get_object_or_404(Page, document=found, number=number)
    context = {
        "document": found,
        "page": sheet,
        "chunks": list_passages(found, number),
        "figures": figures_on(found, number),
        **_edition_context(request, found),
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
    """Open a citation: `?quote=` is highlighted, `?page=` chooses one of its pages, `?edition=` another edition with
    the same words. A passage that is no longer searched still opens, and says so."""
    readable = documents_for(request.user)
    chunk = get_object_or_404(
        Chunk.every.select_related("document").filter(document__in=readable), pk=chunk_id
    )
    others = readable.filter(pk__in=editions_with(chunk))
    edition = None
    with suppress(ValueError):
        edition = others.filter(pk=UUID(request.GET.get("edition", ""))).first()
    if edition is not None:
        others = readable.filter(pk__in=[row.pk for row in [*others, chunk.document] if row != edition])
        chunk = chunk_in_edition(chunk, edition)
    opened = passage_for(
        chunk, request.GET.get("quote", "")[:LONGEST_QUOTE], whole_number(request.GET.get("page", ""))
    )
    context = {
        "passage": opened,
        "document": chunk.document,
        "page": opened.page,
        "other_editions": others,
        **_edition_context(request, chunk.document),
    }
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


@login_required
@require_GET
def tables(request: HttpRequest) -> HttpResponse:
    """The decision tables, and how many cells of each approved claims fill."""
    computed = compute_tables(list(decision_tables().values()), school_id_read_by(request))
    return render(request, "library/tables.html", {"tables": computed, "section": "library"})


@login_required
@require_GET
def table(request: HttpRequest, domain: str) -> HttpResponse:
    """One decision table: each cell with its source, the exceptions below."""
    try:
        wanted = table_named(domain)
    except UnknownCell as error:
        raise Http404(str(error)) from error
    (computed,) = compute_tables([wanted], school_id_read_by(request))
    exceptions = computed.exceptions
    context = {
        "table": wanted,
        "rows": [
            (cell, sorted(exceptions.index(one) + 1 for one in cell.exceptions)) for cell in computed.cells
        ],
        "filled": computed.filled,
        "exceptions": exceptions,
        "others": [one for one in decision_tables().values() if one is not wanted],
        "section": "library",
    }
    return render(request, "library/table.html", context)
