"""Move the evidence of claims to the passages that replace its old ones.

If the quote occurs again in the same section and inside the same sentence, its claim follows. Otherwise the evidence
stays where a reviewer put it, and the claim is flagged as stale with the reason: it no longer counts and waits in the
queue. When the old passage is in force again, the claim counts again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge import conf
from knowledge.grounding.citations import find_quote
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.ingestion.document_model import squeeze_spaces
from knowledge.models import Chunk, Concept, ConceptChunkEvidence, Document
from knowledge.models.graph import ValidationStatus
from knowledge.text.sentences import sentences_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """How many pieces of evidence moved, claims were flagged, and claims count again."""

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
    """Why a quote has no place any more, for a reviewer."""

    reason: str


# --- where a quote stands now: pure ------------------------------------------------------------


def spot_for_quote(quote: str, was: Spot, spots: Sequence[Spot], where: str) -> Spot | Lost:
    """The passage that says what the old one said. `where` names the new edition in a reason."""
    holding = [spot for spot in spots if find_quote(spot.text, quote)]
    if not holding:
        return Lost(f"Its quote is no longer in {where}.")
    likeness = {
        spot.id: 2 * (was.section == spot.section != "") + (was.heading == spot.heading) for spot in holding
    }
    near = [spot for spot in holding if likeness[spot.id] == max(likeness.values())]
    is_same_place = was.section == near[0].section if was.section else was.heading == near[0].heading
    # A quote that is long enough not to be a phrase of many rules, and stands in one section only, is the same.
    is_unique = len({(spot.section, spot.heading) for spot in near}) == 1
    if not is_same_place and not (is_unique and len(quote.split()) >= conf.ANCHOR_WORDS):
        places = ", ".join(dict.fromkeys(spot.section or spot.heading or "a passage" for spot in near))
        return Lost(f"In {where} its quote stands elsewhere: {places}.")
    said = sentence_around(was.text, quote)
    same = (spot for spot in near if sentence_around(spot.text, quote) == said)
    return next(same, Lost(f"The sentence around its quote changed in {where}."))


def sentence_around(text: str, quote: str) -> str:
    """The whole sentences in which a quote stands, with single spaces; empty if it is not in the text."""
    span = find_quote(text, quote)
    if span is None:
        return ""
    touched = [found for found in sentences_in(text) if found.start < span[1] and found.end > span[0]]
    return squeeze_spaces(" ".join(found.text for found in touched))


# --- rows ------------------------------------------------------------


def anchor_claims(chunks: Iterable[UUID], into: Document) -> Anchored:
    """Move the evidence in these chunks, which are no longer served, to the passages of `into`, or flag it.

    Call it in the transaction that takes the chunks out of service.
    """
    rows = _evidence_in(chunks)
    spots: list[Spot] = []
    if rows:
        passages = into.chunks.exclude(kind__in=("toc", "index")).order_by("index")
        spots = [_spot_of(chunk) for chunk in passages.only("id", "section", "heading", "text", "document")]
    edition = f", {into.edition}" if into.edition and into.edition != str(into) else ""
    reasons: dict[int, str] = {}
    for row in rows:
        found = spot_for_quote(row.quote, _spot_of(row.chunk), spots, f"“{into}”{edition}")
        if isinstance(found, Lost):
            reasons[row.pk] = found.reason
        else:
            _move_evidence(row, found.id)
    stale, restored = settle_claims({row.concept_id for row in rows}, reasons)
    return Anchored(moved=len(rows) - len(reasons), stale=stale, restored=restored)


def settle_claims(concepts: Iterable[UUID], reasons: Mapping[int, str] | None = None) -> tuple[int, int]:
    """Flag the claims that rest on a passage out of service, and clear those flagged for it that no longer do; how many
    of each. `reasons` say why a piece of evidence was left behind."""
    lost: dict[UUID, str] = {}
    known = set(concepts)
    bearing = ConceptChunkEvidence.objects.filter(concept__in=known)  # who lost only an example still counts
    for row in bearing.filter(out_of_service()).order_by("concept_id", "evidence_type", "id"):
        reason = (reasons or {}).get(row.pk, "") or "Its passage is of an edition out of service."
        lost.setdefault(row.concept_id, reason)
    stale = 0
    fresh = Concept.objects.filter(stale=False).exclude(validation_status=ValidationStatus.REJECTED)
    for concept, reason in lost.items():
        stale += fresh.filter(pk=concept).update(
            stale=True, stale_reason=reason[:300], version=F("version") + 1, updated_at=Now()
        )
    flagged = Concept.objects.filter(pk__in=known - set(lost), stale=True).exclude(stale_reason="")
    return stale, flagged.update(stale=False, stale_reason="", version=F("version") + 1, updated_at=Now())


def out_of_service() -> Q:
    """Evidence in a passage that is retired or of a superseded edition."""
    return Q(chunk__retired_at__isnull=False) | Q(chunk__document__superseded_by__isnull=False)


def claims_on(chunks: Iterable[UUID]) -> set[UUID]:
    """The claims that rest on these chunks."""
    return set(
        ConceptChunkEvidence.objects.filter(chunk__in=list(chunks)).values_list("concept_id", flat=True)
    )


def renumber_pages(chunks: Iterable[UUID]) -> None:
    """Correct the page of evidence in chunks that moved."""
    rows = _evidence_in(chunks)
    for row in rows:
        row.page = _page_of_quote(row.chunk, row.quote)
    ConceptChunkEvidence.objects.bulk_update(rows, ["page"], batch_size=500)


def _evidence_in(chunks: Iterable[UUID]) -> list[ConceptChunkEvidence]:
    rows = ConceptChunkEvidence.every.filter(chunk__in=list(chunks))
    return list(rows.select_related("chunk").order_by("id"))


def _spot_of(chunk: Chunk) -> Spot:
    return Spot(id=chunk.pk, section=chunk.section, heading=chunk.heading, text=chunk.text)


def _move_evidence(row: ConceptChunkEvidence, chunk_id: UUID) -> None:
    """Move a row to a chunk, or delete it if the chunk supports the claim in the same way already."""
    same = ConceptChunkEvidence.every.filter(
        concept=row.concept_id, chunk=chunk_id, evidence_type=row.evidence_type
    )
    if same.exclude(pk=row.pk).exists():
        row.delete()
        return
    row.chunk = Chunk.objects.get(pk=chunk_id)
    row.page = _page_of_quote(row.chunk, row.quote)
    row.save(update_fields=["chunk", "page"])


def _page_of_quote(chunk: Chunk, quote: str) -> int | None:
    lit = rectangles_for_quote(chunk.text, chunk.lines, quote)
    return lit[0].page if lit else chunk.page_start
