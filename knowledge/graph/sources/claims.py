"""Read the extracted claims into the graph: each is part of the section, topic or document that holds its passage."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.db.models import Count, Max

from knowledge.graph.writing import GraphPart, GraphSource, NewEdge
from knowledge.models import Concept, ConceptChunkEvidence
from knowledge.models.graph import ConceptCategory, EvidenceType, RelationType, ValidationStatus

from .documents import DOCUMENTS, papers_in_force, place_of, spots_of
from .outline import outline_of

CLAIMED: Final = (ConceptCategory.REGULATORY_CLAIM, ConceptCategory.DEFINITION)


def read_claims() -> GraphPart:
    spots = spots_of(papers_in_force())
    outline = outline_of(spots)
    places = {spot.chunk: (place_of(spot, outline), spot.paper.title) for spot in spots}
    rows = ConceptChunkEvidence.objects.filter(
        concept__category__in=CLAIMED, concept__key_points=None, evidence_type=EvidenceType.PRIMARY
    ).exclude(concept__validation_status=ValidationStatus.REJECTED)
    part = GraphPart()
    for tenant, key, chunk in rows.order_by("pk").values_list("concept__tenant", "concept__key", "chunk"):
        if chunk in places:
            place, title = places[chunk]
            part.add_edge(
                NewEdge(
                    source=(tenant, key),
                    relation=RelationType.IS_COMPONENT_OF,
                    target=place,
                    reason=f"extracted from {title}",
                    chunk=chunk,
                )
            )
    return part


def claims_state() -> str:
    """A fingerprint of the claims and of what they stand in."""
    rows = Concept.objects.filter(category__in=CLAIMED).aggregate(Count("pk"), Max("updated_at"))
    return sha256(repr((DOCUMENTS.state(), sorted(rows.items()))).encode()).hexdigest()


CLAIMS: Final = GraphSource(origin="claims", state=claims_state, read=read_claims)
