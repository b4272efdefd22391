"""Finds what a reviewer needs to move a claim whose quote is gone: the old words, and the most similar passages.

It only reads; `review` decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import F, Q, QuerySet

from curation import conf
from curation.extraction import find_fact_fault
from curation.models import Claim
from curation.offline.quote_suggestions import Differences, compare_wordings, nearest_words, statement_beside
from curation.selectors import quotes_of
from knowledge.documents.queries import Passage, passage_for
from knowledge.ingestion.claim_anchoring import out_of_service
from knowledge.ingestion.editions.editions import edition_in_force
from knowledge.models import Chunk, ConceptChunkEvidence, Document
from knowledge.models.documents import DocumentStatus
from knowledge.text.tokens import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Words in force that may support the claim: where they are, what differs, and what the claim would say. `fault` is
    why the claim in that wording does not agree with them."""

    number: int
    passage: Passage
    quote: str
    wording: Differences
    statement: str
    restated: Differences
    fault: str

    @property
    def key(self) -> str:
        return str(self.passage.chunk.pk)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Evidence out of service, as its edition printed it, and the offers of the edition in force: `into`, or None."""

    evidence: ConceptChunkEvidence
    was: Passage
    into: Document | None
    offers: tuple[Offer, ...]


def lost_evidence(claim: Claim) -> QuerySet[ConceptChunkEvidence]:
    """The claim's evidence that no edition in force holds, primary evidence first."""
    rows = claim.evidence.filter(out_of_service())
    return rows.select_related("chunk__document").order_by("evidence_type", "id")


def lost_for(claim: Claim) -> Lost | None:
    """The evidence to decide on next; None where all of it is in force."""
    row = lost_evidence(claim).first()
    if row is None:
        return None
    into = _edition_served(row.chunk.document)
    offers = tuple(_offers_for(claim, row)) if into else ()
    return Lost(evidence=row, was=passage_for(row.chunk, row.quote, row.page), into=into, offers=offers)


def passages_for(row: ConceptChunkEvidence) -> QuerySet[Chunk]:
    """The passages to which this evidence may move: those of its work's edition in force."""
    into = _edition_served(row.chunk.document)
    chunks = Chunk.objects.filter(document=into) if into else Chunk.objects.none()
    return chunks.exclude(kind__in=("toc", "index")).select_related("document")


def passage_offered(row: ConceptChunkEvidence, chunk_id: UUID | str) -> Chunk | None:
    """The passage of this id, if the evidence may still move there."""
    return passages_for(row).filter(pk=chunk_id).first()


def quotes_after(claim: Claim, old: str, new: str) -> list[str]:
    """The claim's quotes, with `new` in place of `old`; white space makes no difference."""
    return [new if one.split() == old.split() else one for one in quotes_of(claim)]


def _edition_served(document: Document) -> Document | None:
    found = edition_in_force(document)
    served = found.status == DocumentStatus.PUBLISHED and found.deprecated_at is None
    return found if served and found.superseded_by_id is None else None


def _offers_for(claim: Claim, row: ConceptChunkEvidence) -> Iterator[Offer]:
    """From passages that share words with the quote, or stand under its section or heading; the nearest first."""
    rows = passages_for(row)
    place = Q(section=row.chunk.section) if row.chunk.section else Q(heading=row.chunk.heading)
    words = sorted({word for word in content_words(row.quote) if word.isalnum()})
    query = SearchQuery(" or ".join(words), search_type="websearch", config="english")
    by_words = rows.filter(search_vector=query).annotate(rank=SearchRank(F("search_vector"), query))
    near = {chunk.pk: chunk for chunk in rows.filter(place).order_by("index")[: conf.OFFERS_READ]}
    near |= {chunk.pk: chunk for chunk in by_words.order_by("-rank", "index")[: conf.OFFERS_READ]}
    found = []
    for chunk in near.values():
        if (alike := nearest_words(row.quote, chunk.text)) and alike[1].likeness >= conf.OFFER_LIKENESS:
            found.append((chunk, *alike))
    found.sort(key=lambda one: (-one[2].likeness, one[0].index))
    for number, (chunk, quote, wording) in enumerate(found[: conf.OFFERS_SHOWN], start=1):
        statement = statement_beside(claim.name, row.quote, quote)
        yield Offer(
            number=number,
            passage=passage_for(chunk, quote),
            quote=quote,
            wording=wording,
            statement=statement,
            restated=compare_wordings(claim.name, statement),
            fault=find_fact_fault(statement, *quotes_after(claim, row.quote, quote)),
        )
