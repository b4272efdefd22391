"""Mark passages as examples or counterexamples of claims. They illustrate a claim and never support it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db import transaction
from django.db.models import QuerySet

from curation import conf
from curation.models import Claim
from curation.selectors import WrongDecision, claim_for, quotes_of
from knowledge.grounding.citations import find_quote
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.library_version import library_changed
from knowledge.models import Chunk, ConceptChunkEvidence
from knowledge.models.graph import SUPPORT, EvidenceType
from knowledge.retrieval.searchable import Scope, searchable_chunks
from llm.registry import embedding_model


def illustrations_of(claim: Claim) -> QuerySet[ConceptChunkEvidence]:
    """The claim's examples and counterexamples, as they were marked."""
    rows = ConceptChunkEvidence.every.filter(concept=claim).exclude(evidence_type__in=SUPPORT)
    return rows.select_related("chunk__document", "reviewer").order_by("id")


def mark_illustration(claim_id: UUID | str, reviewer: Any, kind: EvidenceType, quote: str) -> Claim:
    """Keep words of a passage in force as an example or a counterexample of the claim, in place of those of the same
    passage. Raises UnknownClaim and WrongDecision."""
    claim = claim_for(reviewer, claim_id)
    words = " ".join(quote.split())
    if len(words.split()) < conf.DEFINITION_LEAST_WORDS or len(words) > conf.QUOTE_LENGTH:
        raise WrongDecision(
            f"Copy at least {conf.DEFINITION_LEAST_WORDS} words, and at most {conf.QUOTE_LENGTH} characters."
        )
    if any(find_quote(one, words) or find_quote(words, one) for one in quotes_of(claim)):
        raise WrongDecision("The claim rests on these words. Copy those that illustrate it.")
    chunk, span = _passage_with(words, claim)
    lit = rectangles_for_quote(chunk.text, chunk.lines, words)
    with transaction.atomic():
        ConceptChunkEvidence.every.update_or_create(
            concept=claim,
            chunk=chunk,
            evidence_type=kind,
            defaults={
                "quote": " ".join(chunk.text[slice(*span)].split()),
                "page": lit[0].page if lit else chunk.page_start,
                "confidence": 1.0,
                "created_by": "reviewer",
                "reviewer": reviewer,
            },
        )
        library_changed(claim.tenant_id)
    return claim


@transaction.atomic
def remove_illustration(claim_id: UUID | str, reviewer: Any, illustration: int) -> Claim:
    """Raises UnknownClaim, and WrongDecision where it is gone already."""
    claim = claim_for(reviewer, claim_id)
    if not illustrations_of(claim).filter(pk=illustration).delete()[0]:
        raise WrongDecision("It was removed meanwhile.")
    library_changed(claim.tenant_id)
    return claim


def _passage_with(words: str, claim: Claim) -> tuple[Chunk, tuple[int, int]]:
    """The passage in force that says this word for word, and where; those of the claim's own documents come first."""
    scope = Scope(tenant=claim.tenant_id, model=embedding_model().name)
    said = SearchQuery(words, search_type="plain", config="english")
    own = set(claim.evidence.values_list("chunk__document", flat=True))
    rows = searchable_chunks(scope).filter(search_vector=said).select_related("document")
    for chunk in sorted(rows, key=lambda one: (one.document_id not in own, one.document.title, one.index)):
        if span := find_quote(chunk.text, words):
            return chunk, span
    raise WrongDecision("No passage in force says this word for word. Copy it from there.")
