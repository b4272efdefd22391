"""A claim whose quote is gone becomes what a reviewer decides on: the old words, and the passages in force that say
nearly the same. Only reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import F, Q, QuerySet

from curation import conf
from curation.differences import Differences, differences
from curation.extraction import fact_fault
from curation.models import Claim
from curation.quote_suggestions import nearest_words, statement_beside
from curation.selectors import quotes_of
from knowledge.documents.queries import Passage, passage_for
from knowledge.ingestion.claim_anchoring import BEARING, out_of_service
from knowledge.ingestion.editions.editions import edition_in_force
from knowledge.models import Chunk, ConceptChunkEvidence, Document
from knowledge.models.documents import DocumentStatus
from knowledge.text.tokens import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Words in force that may bear the claim: where they stand, what differs, and what the claim would say. `fault`
    is what keeps the statement as it stands from resting on them."""

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
    """A piece of evidence out of service, as its edition printed it, and what is offered for it in the one in force,
    which is None where there is none."""

    evidence: ConceptChunkEvidence
    was: Passage
    into: Document | None
    offers: tuple[Offer, ...]


def lost_evidence(claim: Claim) -> QuerySet[ConceptChunkEvidence]:
    """What the claim rests on that no edition in force says, the first evidence first."""
    rows = claim.evidence.filter(out_of_service(), evidence_type__in=BEARING)
    return rows.select_related("chunk__document").order_by("evidence_type", "id")


def lost_for(claim: Claim) -> Lost | None:
    """The piece of evidence to decide on next; None where every one stands in force."""
    row = lost_evidence(claim).first()
    if row is None:
        return None
    into = _in_force(row.chunk.document)
    offers = tuple(_offers(claim, row)) if into else ()
    return Lost(evidence=row, was=passage_for(row.chunk, row.quote, row.page), into=into, offers=offers)


def passages_for(row: ConceptChunkEvidence) -> QuerySet[Chunk]:
    """The passages to which this evidence may move: those of the edition in force of its work."""
    into = _in_force(row.chunk.document)
    if into is None:
        return Chunk.objects.none()
    return Chunk.objects.filter(document=into).exclude(kind__in=("toc", "index"))


def _in_force(document: Document) -> Document | None:
    found = edition_in_force(document)
    served = found.status == DocumentStatus.PUBLISHED and found.deprecated_at is None
    return found if served and found.superseded_by_id is None else None


def _offers(claim: Claim, row: ConceptChunkEvidence) -> Iterator[Offer]:
    found = []
    for chunk in _near(row):
        if (words := nearest_words(row.quote, chunk.text)) and words[1].likeness >= conf.OFFER_LIKENESS:
            found.append((chunk, *words))
    found.sort(key=lambda one: (-one[2].likeness, one[0].index))
    for number, (chunk, quote, wording) in enumerate(found[: conf.OFFERS_SHOWN], start=1):
        statement = statement_beside(claim.name, row.quote, quote)
        yield Offer(
            number=number,
            passage=passage_for(chunk, quote),
            quote=quote,
            wording=wording,
            statement=statement,
            restated=differences(claim.name, statement),
            fault=fact_fault(statement, *quotes_after(claim, row.quote, quote)),
        )


def _near(row: ConceptChunkEvidence) -> list[Chunk]:
    """Passages that share words with the quote or stand where it stood."""
    words = sorted({word for word in content_words(row.quote) if word.isalnum()})
    rows = passages_for(row).select_related("document")
    query = SearchQuery(" or ".join(words), search_type="websearch", config="english")
    by_words = rows.filter(search_vector=query).annotate(rank=SearchRank(F("search_vector"), query))
    place = Q(section=row.chunk.section) if row.chunk.section else Q(heading=row.chunk.heading)
    found = {chunk.pk: chunk for chunk in rows.filter(place).order_by("index")[: conf.OFFERS_READ]}
    found |= {chunk.pk: chunk for chunk in by_words.order_by("-rank", "index")[: conf.OFFERS_READ]}
    return list(found.values())


def quotes_after(claim: Claim, old: str, new: str) -> list[str]:
    """The exact words that the claim rests on, with those of one quote replaced."""
    return [new if _same(one, old) else one for one in quotes_of(claim)]


def _same(one: str, other: str) -> bool:
    return one.split() == other.split()


def passage_of(row: ConceptChunkEvidence, chunk_id: UUID | str) -> Chunk | None:
    """A passage offered, if it is still in force."""
    return passages_for(row).select_related("document").filter(pk=chunk_id).first()
