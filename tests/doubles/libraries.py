"""What a document says, as plain values without ids: two libraries that say the same are equal."""

import hashlib
from typing import Any

from django.db.models import Model

from knowledge.models import Chunk, ChunkEmbedding, ChunkImageLink, Document, Image, Page, Tenant


def said_by(tenant: Tenant | None) -> dict[str, Any]:
    """By the name of its file; a file that became two documents is an error."""
    documents = list(Document.objects.filter(tenant=tenant))
    said = {document.source_name: _said_of(document) for document in documents}
    assert len(said) == len(documents), sorted(document.source_name for document in documents)
    return said


def _said_of(document: Document) -> dict[str, list[Any]]:
    """All that a job makes: pages, passages with their anchors and lines, vectors, figures, links."""
    of, through = {"document": document}, {"chunk__document": document}
    told = ("content_hash", "title", "status", "page_count", "doc_type", "chunking", "file")
    passage = ("index", "content_hash", "anchor", "section", "heading", "text", "page_start", "lines")
    link = ("chunk__index", "image__sha256", "strategy", "relevance")
    return {
        "document": _rows(Document, told, pk=document.pk),
        "pages": _rows(Page, ("number", "label", "width", "height"), **of),
        "passages": _rows(Chunk, passage, **of),
        "vectors": sorted(
            [row.chunk.index, row.model, row.state, _digest(row.vector)]
            for row in ChunkEmbedding.objects.filter(**through).select_related("chunk")
        ),
        "figures": _rows(Image, ("page", "sha256", "figure_label", "caption", "bbox", "file"), **of),
        "links": _rows(ChunkImageLink, link, **through),
    }


def _rows(model: type[Model], fields: tuple[str, ...], **of: Any) -> list[Any]:
    return sorted(map(repr, model._default_manager.filter(**of).values_list(*fields)))


def _digest(vector: Any) -> str:
    return hashlib.sha256(repr([round(float(value), 4) for value in vector]).encode()).hexdigest()
