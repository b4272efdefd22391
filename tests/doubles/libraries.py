"""What a school's library says, as plain values without ids: two that say the same are equal."""

import hashlib
from typing import Any

from django.db.models import Model

from knowledge.models import Chunk, ChunkEmbedding, ChunkImageLink, Document, Image, Page, Tenant


def said_by(tenant: Tenant | None) -> dict[str, list[Any]]:
    """All that jobs make: documents, pages, passages with their anchors and lines, vectors, figures, links."""
    of = {"document__tenant": tenant}
    through = {"chunk__document__tenant": tenant}
    place = ("document__source_name", "document__content_hash")
    return {
        "documents": _rows(
            Document,
            ("source_name", "content_hash", "title", "status", "page_count", "doc_type"),
            tenant=tenant,
        ),
        "pages": _rows(Page, (*place, "number", "label", "width", "height"), **of),
        "passages": _rows(
            Chunk,
            (*place, "index", "content_hash", "anchor", "section", "heading", "text", "page_start", "lines"),
            **of,
        ),
        "vectors": sorted(
            (row.chunk.document.source_name, row.chunk.index, row.model, row.state, _digest(row.vector))
            for row in ChunkEmbedding.objects.filter(**through).select_related("chunk__document")
        ),
        "figures": _rows(Image, (*place, "page", "sha256", "figure_label", "caption", "bbox", "file"), **of),
        "links": _rows(
            ChunkImageLink,
            ("chunk__document__content_hash", "chunk__index", "image__sha256", "strategy", "relevance"),
            **through,
        ),
    }


def _rows(model: type[Model], fields: tuple[str, ...], **of: Any) -> list[Any]:
    return sorted(map(repr, model._default_manager.filter(**of).values_list(*fields)))


def _digest(vector: Any) -> str:
    return hashlib.sha256(repr([round(float(value), 6) for value in vector]).encode()).hexdigest()
