"""What publishing a draft would take away: the passages of the edition in force that the new one drops.

A passage is dropped if the new edition has neither its words nor its heading. A passage that is worded anew is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from knowledge import conf
from knowledge.ingestion.editions.editions import LISTS, edition_before, is_older, passages_of
from knowledge.models import Chunk, Document, EditionPlace
from knowledge.models.documents import DocumentStatus


@dataclass(frozen=True, slots=True)
class Replacement:
    """The edition that a draft would supersede, how many passages that has, those that would go, and whether the draft
    comes from a file that had to be repaired."""

    before: Document
    passages: int
    dropped: Sequence[Chunk | EditionPlace]
    repaired: bool

    @property
    def asks(self) -> bool:
        """Whether somebody should look before it is published."""
        return self.repaired or len(self.dropped) > conf.EDITION_DROPS * self.passages

    def in_words(self) -> str:
        """Why somebody should look, in words that follow "it"."""
        reasons = []
        if self.dropped:
            reasons.append(f"would drop {len(self.dropped):,} of {self.passages:,} passages of {self.before}")
        if self.repaired:
            reasons.append("comes from a damaged file that had to be repaired")
        return " and ".join(reasons)

    def to_dict(self) -> dict[str, Any]:
        return {
            "before": str(self.before.pk),
            "passages": self.passages,
            "dropped": len(self.dropped),
            "repaired": self.repaired,
            "told": self.in_words(),
        }


def replacement_by(document: Document, repaired: bool | None = None) -> Replacement | None:
    """What a draft would replace; None if it is no draft or would replace nothing. `repaired` is as its last job found
    it, unless given."""
    if document.status != DocumentStatus.DRAFT or document.superseded_by_id or document.trashed_at:
        return None
    before = edition_before(document)
    if before is None or is_older(document, before):
        return None
    if repaired is None:
        read = document.jobs.filter(counts__has_key="chunks", kind="document").order_by("-created_at").first()
        repaired = bool(read and read.counts.get("repaired"))
    kept = set(document.places.values_list("chunk", flat=True))
    headings = {(one.section, one.heading) for one in passages_of(document)}
    old = [one for one in passages_of(before) if one.kind not in LISTS]
    dropped = [
        one
        for one in old
        if (one.section, one.heading) not in headings
        and (one.chunk_id if isinstance(one, EditionPlace) else one.pk) not in kept
    ]
    return Replacement(before, len(old), dropped, repaired)
