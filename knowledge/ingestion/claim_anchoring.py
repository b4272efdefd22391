"""The evidence of claims follows its words into the passages that replace those it stood in.

A quote that stands there again, in the same section and inside the same sentence, takes its claim along. Where it
does not, the evidence stays where a reviewer put it and the claim is flagged as stale, with the reason: it no longer
counts, it waits in the queue, and nothing of it is lost. When the old passage comes back into force, so does the
claim.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from knowledge import conf
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.grounding.quotes import find_quote
from knowledge.ingestion.document_model import squeezed
from knowledge.models import Chunk, Concept, ConceptChunkEvidence, Document
from knowledge.models.graph import EvidenceType, ValidationStatus
from knowledge.text.sentences import sentences_in

BEARING = (EvidenceType.PRIMARY, EvidenceType.SECONDARY)  # a claim whose example is gone still stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """What became of the claims: pieces of evidence that moved, claims flagged, claims that count again."""

    moved: int = 0
    stale: int = 0
    restored: int = 0

    def to_dict(self) -> dict[str, int]:
        return {"reanchored": self.moved, "stale": self.stale, "restored": self.restored}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A passage in which a quote may stand."""

    id: UUID
    section: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Why a quote has no place any more, said to a reviewer."""

    reason: str


# --- where a quote stands now: pure ------------------------------------------------------------


def spot_for_quote(quote: str, was: Spot, spots: Sequence[Spot], where: str) -> Spot | Lost:
    """The passage that says what the old one said. `where` names the new edition in a reason."""
    holding = [spot for spot in spots if find_quote(spot.text, quote)]
    if not holding:
        return Lost(f"Its quote no longer stands in {where}.")
    near = _nearest(was, holding)
    if not _same_place(was, near[0]) and not _unmistakable(quote, near):
        places = ", ".join(dict.fromkeys(spot.section or spot.heading or "a passage" for spot in near))
        return Lost(f"In {where} its quote stands elsewhere: {places}.")
    said = sentence_around(was.text, quote)
    for spot in near:
        if sentence_around(spot.text, quote) == said:
            return spot
    return Lost(f"The sentence around its quote changed in {where}.")


def sentence_around(text: str, quote: str) -> str:
    """The whole sentences in which a quote stands, their white space squeezed; empty where it does not stand."""
    span = find_quote(text, quote)
    if span is None:
        return ""
    touched = [found for found in sentences_in(text) if found.start < span[1] and found.end > span[0]]
    return squeezed(" ".join(found.text for found in touched))


def _nearest(was: Spot, holding: Sequence[Spot]) -> list[Spot]:
    likeness = {spot.id: _likeness(was, spot) for spot in holding}
    best = max(likeness.values())
    return [spot for spot in holding if likeness[spot.id] == best]


def _likeness(was: Spot, spot: Spot) -> int:
    return 2 * (bool(was.section) and was.section == spot.section) + (was.heading == spot.heading)


def _same_place(was: Spot, spot: Spot) -> bool:
    return was.section == spot.section if was.section else was.heading == spot.heading


def _unmistakable(quote: str, near: Sequence[Spot]) -> bool:
    """Long enough not to be a phrase of many rules, and only in one section."""
    places = {(spot.section, spot.heading) for spot in near}
    return len(places) == 1 and len(quote.split()) >= conf.ANCHOR_WORDS


# --- rows ------------------------------------------------------------


def anchor_claims(chunks: Iterable[UUID], into: Document) -> Anchored:
    """Move what stands in these chunks, which are no longer served, into the passages of `into`, or flag it.

    Call it in the transaction that takes the chunks out of service.
    """
    rows = list(_evidence().filter(chunk__in=list(chunks)))
    spots = _spots(into) if rows else []
    reasons: dict[int, str] = {}
    moved = 0
    for row in rows:
        found = spot_for_quote(row.quote, _spot(row.chunk), spots, f"“{into}”{_edition(into)}")
        if isinstance(found, Lost):
            reasons[row.pk] = found.reason
        else:
            _move(row, found.id)
            moved += 1
    stale, restored = settle_claims({row.concept_id for row in rows}, reasons)
    return Anchored(moved=moved, stale=stale, restored=restored)


def settle_claims(concepts: Iterable[UUID], reasons: Mapping[int, str] | None = None) -> tuple[int, int]:
    """Flag the claims that rest on a passage out of service, clear those flagged for it that no longer do; how many
    of each. `reasons` say why a piece of evidence was left behind."""
    told = reasons or {}
    lost: dict[UUID, str] = {}
    known = set(concepts)
    bearing = ConceptChunkEvidence.objects.filter(concept__in=known, evidence_type__in=BEARING)
    for row in bearing.filter(out_of_service()).order_by("concept_id", "evidence_type", "id"):
        lost.setdefault(
            row.concept_id, told.get(row.pk, "") or "Its passage is of an edition out of service."
        )
    stale = sum(_flag(concept, reason) for concept, reason in lost.items())
    flagged = Concept.objects.filter(pk__in=known - set(lost), stale=True).exclude(stale_reason="")
    return stale, flagged.update(stale=False, stale_reason="", version=F("version") + 1, updated_at=Now())


def _flag(concept: UUID, reason: str) -> int:
    """One if the claim was not flagged before."""
    found = Concept.objects.filter(pk=concept).exclude(validation_status=ValidationStatus.REJECTED)
    fresh = found.filter(stale=False)
    values = {"stale": True, "stale_reason": reason[:300], "version": F("version") + 1, "updated_at": Now()}
    return fresh.update(**values)


def out_of_service() -> Q:
    """Evidence in a passage that is of a superseded edition, or was retired."""
    return Q(chunk__retired_at__isnull=False) | Q(chunk__document__superseded_by__isnull=False)


def claims_on(chunks: Iterable[UUID]) -> set[UUID]:
    """The claims that rest on these chunks."""
    return set(
        ConceptChunkEvidence.objects.filter(chunk__in=list(chunks)).values_list("concept_id", flat=True)
    )


def renumber_pages(chunks: Iterable[UUID]) -> None:
    """Evidence in chunks that stand elsewhere now says on which page."""
    rows = list(_evidence().filter(chunk__in=list(chunks)))
    for row in rows:
        row.page = _page(row.chunk, row.quote)
    ConceptChunkEvidence.objects.bulk_update(rows, ["page"], batch_size=500)


def _evidence() -> QuerySet[ConceptChunkEvidence]:
    return ConceptChunkEvidence.objects.select_related("chunk").order_by("id")


def _spots(document: Document) -> list[Spot]:
    rows = document.chunks.exclude(kind__in=("toc", "index")).order_by("index")
    return [_spot(chunk) for chunk in rows.only("id", "section", "heading", "text", "document")]


def _spot(chunk: Chunk) -> Spot:
    return Spot(id=chunk.pk, section=chunk.section, heading=chunk.heading, text=chunk.text)


def _edition(document: Document) -> str:
    return f", {document.edition}" if document.edition and document.edition != str(document) else ""


def _move(row: ConceptChunkEvidence, chunk_id: UUID) -> None:
    """To a chunk that already bears the same claim in the same way, the row has nothing to add."""
    taken = ConceptChunkEvidence.objects.filter(
        concept=row.concept_id, chunk=chunk_id, evidence_type=row.evidence_type
    ).exclude(pk=row.pk)
    if taken.exists():
        row.delete()
        return
    row.chunk = Chunk.objects.get(pk=chunk_id)
    row.page = _page(row.chunk, row.quote)
    row.save(update_fields=["chunk", "page"])


def _page(chunk: Chunk, quote: str) -> int | None:
    lit = rectangles_for_quote(chunk.text, chunk.lines, quote)
    return lit[0].page if lit else chunk.page_start
