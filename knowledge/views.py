"""Pages of the library: documents, page pictures with the cited lines highlighted, and passages without pages."""

import mimetypes
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from knowledge.access.throttling import charge_page
from knowledge.conf import BUNDLE_COST, FOUND_SHOWN, SEARCH_COST, TABLE_COST
from knowledge.decision_tables.answers import compute_tables
from knowledge.decision_tables.table_data import UnknownCell, decision_tables, table_named
from knowledge.documents.chapters import chapters_of
from knowledge.documents.page_images import picture_of_page
from knowledge.documents.queries import (
    chunk_in_edition,
    documents_for,
    editions_with,
    figures_on,
    list_passages,
    passage_for,
)
from knowledge.grounding.citations import passage_url
from knowledge.ingestion.editions.editions import edition_in_force
from llm.registry import embedding_model

from .access.people import may_act_for, school_id_read_by
from .graph.identity import node_key
from .graph.neighborhood import WORDS, Viewer, find_nodes, neighborhood_of
from .ingestion.errors import RefusedFile
from .models import AcsTask, Chunk, Concept, Document, Image, Page
from .models.graph import ConceptCategory, RelationType
from .models.tenancy import Role
from .retrieval.query.snippets import quote_for
from .retrieval.request import request_from
from .retrieval.search import search
from .retrieval.searchable import Scope
from .whole_numbers import whole_number

DOCUMENTS_SHOWN = 50
LONGEST_QUOTE = 4000
LONGEST_SEARCH = 200


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    words = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    found = (
        documents_for(request.user).filter(trashed_at=None).defer("body").order_by("doc_type", "title", "pk")
    )
    if words:
        found = found.filter(Q(title__icontains=words) | Q(abbreviation__icontains=words))
    former = found.filter(superseded_by__isnull=False)
    shown = Paginator(found.filter(superseded_by=None), DOCUMENTS_SHOWN)
    context = {
        "table": {"page": shown.get_page(request.GET.get("page"))},
        "former": former[:DOCUMENTS_SHOWN],
        "former_count": former.count(),
        "words": words,
        "section": "library",
        "today": timezone.now().date(),
    }
    return render(request, "library/index.html", context)


def search_cost(request: HttpRequest) -> int:
    return SEARCH_COST if request.GET.get("q", "").strip() else 0


@login_required
@require_GET
@charge_page(search_cost)
def search_page(request: HttpRequest) -> HttpResponse:
    """Passages for what somebody types, of what the person's school may find; each opens at its lines."""
    words = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:LONGEST_SEARCH]
    context: dict[str, Any] = {"section": "library", "words": words}
    if any(map(str.isalnum, words)):
        wanted = {"q": words, "k": str(FOUND_SHOWN)}
        found = search(request_from(wanted, school_id_read_by(request)))
        quotes = [(one, quote_for(one.text, words, one.heading)) for one in found.results]
        urls = [passage_url(str(one.chunk_id), quote.text if quote else "") for one, quote in quotes]
        titled = documents_for(request.user).filter(trashed_at=None, superseded_by=None).defer("body")
        titled = titled.filter(Q(title__icontains=words) | Q(abbreviation__icontains=words))
        context |= {
            "found": found,
            "rows": [(*row, url) for row, url in zip(quotes, urls, strict=True)],
            "titled": titled.order_by("title", "pk")[:FOUND_SHOWN],
        }
    return render(request, "library/search.html", context)


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
def chapters(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """The chapters of a whole handbook, with their pages and what is held of each."""
    found = get_object_or_404(documents_for(request.user), pk=document_id)
    shown = chapters_of(found)
    if not shown.held:
        return redirect("library:document", document_id)
    context = {"document": found, "chapters": shown, **_edition_context(request, found)}
    return render(request, "library/chapters.html", context)


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
        "chapter": found.chapters.filter(page_start__lte=number, page_end__gte=number).first(),
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
    except (RefusedFile, OSError) as error:
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
@charge_page(TABLE_COST)
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


@login_required
@require_GET
def graph(request: HttpRequest) -> HttpResponse:
    """Where the graph is entered: elements of each Task, and a search by code or words."""
    words = " ".join(request.GET.get("q", "").split())[:LONGEST_SEARCH]
    found = find_nodes(_viewer_of(request), words) if words else []
    if len(found) == 1 or (
        found and found[0].key_facts.get("element_code", "").casefold() == words.casefold()
    ):
        return redirect("library:graph_node", found[0].pk)
    tasks = AcsTask.objects.filter(area__standard__current=True).select_related("area__standard")
    keys = {task: node_key(ConceptCategory.TOPIC, task.code) for task in tasks}
    nodes = dict(Concept.objects.filter(tenant=None, key__in=keys.values()).values_list("key", "pk"))
    context = {
        "section": "library",
        "words": words,
        "found": found,
        "tasks": [(task, nodes[key]) for task, key in keys.items() if key in nodes],
    }
    return render(request, "library/graph.html", context)


@login_required
@require_GET
@charge_page(BUNDLE_COST)
def graph_node(request: HttpRequest, node_id: UUID) -> HttpResponse:
    """What is around a node: a drawing, the same as a list, and the passages of the node. `?relation=` narrows both."""
    viewer = _viewer_of(request)
    center = get_object_or_404(viewer.nodes, pk=node_id)
    wanted = [one for one in request.GET.getlist("relation") if one in RelationType.values]
    scope = Scope(tenant=viewer.tenant, model=embedding_model().name)
    around = neighborhood_of(center, viewer, scope, wanted)
    present = {one.category for one in around.nodes}
    context = {
        "section": "library",
        "around": around,
        "steps": around.steps(),
        "drawing": around.to_drawing(),
        "relations": [
            (value, WORDS[value][0], not wanted or value in wanted) for value in RelationType.values
        ],
        "query": urlencode({"relation": wanted}, doseq=True),
        "categories": [one for one in ConceptCategory if one.value in present],
        "sees_pending": viewer.sees_pending,
    }
    return render(request, "library/graph_node.html", context)


def _viewer_of(request: HttpRequest) -> Viewer:
    """The person's school; what is pending is for reviewers."""
    tenant = school_id_read_by(request)
    return Viewer(tenant, sees_pending=may_act_for(request.user, Role.REVIEWER, tenant))
