"""A small made-up library: documents, chunks with vectors and words, claims with evidence. The facts are
true,
the sentences are our own."""

import hashlib
from collections.abc import Iterable
from typing import Any

from django.db import connection

from knowledge.graph.identity import node_key
from knowledge.models import (
    Chunk,
    ChunkEmbedding,
    ChunkImageLink,
    Concept,
    ConceptChunkEvidence,
    ConceptRelation,
    Document,
    Image,
    Tenant,
)

from .embedding import HashingEmbedding

MODEL = HashingEmbedding()

WEATHER = (
    "In Class G airspace, 1,200 feet or less above the surface, a pilot by day needs 1 statute mile of "
    "flight visibility and stays clear of clouds; by night 3 statute miles."
)
LIGHTS = "A steady green light signal from the tower to an aircraft in flight means cleared to land."
FUEL = "By day the airplane carries fuel for 30 minutes beyond the first point of intended landing."


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def make_tenant(slug: str = "school") -> Tenant:
    return Tenant.objects.get_or_create(slug=slug, defaults={"name": slug.title()})[0]


def make_document(title: str = "14 CFR Part 91", **fields: Any) -> Document:
    given = {"abbreviation": "14 CFR 91", "doc_type": "cfr", "status": "published", **fields}
    owner = given.get("tenant")
    return Document.objects.create(title=title, content_hash=digest_of(f"{title} {owner}"), **given)


def make_chunk(text: str, document: Document | None = None, *, embed: bool = True, **fields: Any) -> Chunk:
    """A chunk that can be found, unless `embed` is false."""
    document = document or Document.objects.filter(title="14 CFR Part 91").first() or make_document()
    given = {"index": document.chunks.count(), "page_start": 1, "page_end": 1, **fields}
    chunk = Chunk.objects.create(document=document, text=text, content_hash=digest_of(text), **given)
    if embed:
        make_vectors([chunk])
    make_searchable()
    return chunk


def make_vectors(chunks: Iterable[Chunk], state: str = "current", model: str = MODEL.name) -> None:
    rows = list(chunks)
    vectors = MODEL.embed_passages([f"{chunk.heading} {chunk.text}" for chunk in rows])
    ChunkEmbedding.objects.bulk_create(
        ChunkEmbedding(chunk=chunk, model=model, vector=vector, state=state)
        for chunk, vector in zip(rows, vectors, strict=True)
    )


def make_searchable() -> None:
    """Full-text vectors, the heading above the text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE knowledge_chunk SET search_vector = setweight(to_tsvector('english', heading), 'A')"
            " || setweight(to_tsvector('english', text), 'B') WHERE search_vector IS NULL"
        )


def make_figure(chunk: Chunk, label: str, strategy: str, relevance: float = 0.5, page: int = 1) -> Image:
    image, _ = Image.objects.get_or_create(
        document=chunk.document, sha256=digest_of(label), defaults={"page": page, "figure_label": label}
    )
    ChunkImageLink.objects.create(chunk=chunk, image=image, strategy=strategy, relevance=relevance)
    return image


def make_node(
    name: str, category: str = "regulatory_claim", status: str = "validated", **fields: Any
) -> Concept:
    return Concept.objects.create(
        key=node_key(category, name), name=name, category=category, validation_status=status, **fields
    )


def make_evidence(node: Concept, chunk: Chunk, quote: str, confidence: float = 0.9) -> ConceptChunkEvidence:
    return ConceptChunkEvidence.objects.create(
        concept=node, chunk=chunk, quote=quote, page=chunk.page_start, confidence=confidence
    )


def join(source: Concept, relation: str, target: Concept, confidence: float = 0.9) -> ConceptRelation:
    return ConceptRelation.objects.create(
        source=source, target=target, relation_type=relation, confidence=confidence
    )


def element_node(code: str) -> Concept:
    return Concept.objects.get(key=node_key("acs_element", code))
