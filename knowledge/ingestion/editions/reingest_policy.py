"""Decide whether a file that is read again is also chunked again, by how much of its text changed.

If little changed (seed 004: at most 30 %, with the same strategy, token limits and embedding model), chunks begin where
those of the previous edition began. If the same file is read again, it counts as its own previous edition.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from knowledge.ingestion.chunking.chunker import ChunkDraft
from knowledge.ingestion.chunking.diff import Chunking, changed_share, reason_to_rechunk
from knowledge.ingestion.chunking.stable_boundaries import Borders, Place, Stretch, borders_between
from knowledge.ingestion.document_model import Description
from knowledge.ingestion.editions.editions import LISTS, edition_before, find_edition, passages_of
from knowledge.models import Document, IngestionJob
from knowledge.models.documents import DocType, DocumentStatus

#: Makes chunks that begin at these borders, or wherever they come out.
Chunker = Callable[[Borders | None], tuple[ChunkDraft, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """A file read again: the previous edition, the share of the text that changed, and the reason to chunk it again,
    which is empty if passages kept their borders."""

    before: Document
    changed: float
    reason: str
    same_file: bool

    def in_words(self) -> str:
        """A line for the operator."""
        edition = f"{self.before}, {self.before.edition}" if self.before.edition else str(self.before)
        since = "since it was read last" if self.same_file else f"since {edition}"
        share = "nothing changed" if not self.changed else f"{self.changed:.0%} of the text changed"
        if self.reason:
            why = "" if self.reason.endswith("of it changed") else f" ({self.reason})"
            return f"{share} {since}: divided again completely{why}"
        return (
            f"{share} {since}: passages that stay keep their borders" if self.changed else f"{share} {since}"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "before": str(self.before.pk),
            "changed": round(self.changed, 3),
            "anew": self.reason,
            "told": self.in_words(),
        }


def chunk_again(
    job: IngestionJob, told: Description, wanted: Chunking, chunk: Chunker
) -> tuple[tuple[ChunkDraft, ...], Reread | None]:
    """The chunks of a job's file, and what was decided; None for a file without an edition before: the edition in
    force, or the file's own document if that is in force."""
    drafts = chunk(None)
    texts = [draft.text for draft in drafts if draft.kind not in LISTS]
    known = Document.objects.filter(tenant=job.tenant, content_hash=job.content_hash).first()
    if known is not None and (known.status != DocumentStatus.DRAFT or known.follows_id is None):
        before = known if known.superseded_by_id is None and known.chunks.exists() else None
    else:
        incoming = known or Document(
            tenant=job.tenant,
            title=told.title[:300],
            doc_type=told.doc_type or DocType.OTHER,
            abbreviation=told.abbreviation[:60],
            edition=told.edition[:60],
            source_name=job.source_name,
        )
        if incoming.follows_id is None and job.options.get("edition_of"):
            incoming.follows = find_edition(job.options["edition_of"])
        before = edition_before(incoming, texts)
    if before is None:
        return drafts, None
    passages = passages_of(before)
    changed = changed_share([one.text for one in passages if one.kind not in LISTS], texts)
    reason = reason_to_rechunk(Chunking(strategy=before.chunking, model=before.counted_by), wanted, changed)
    if job.options.get("anew"):
        reason = reason or "asked for"
    if not reason:
        stretches = (Stretch(Place(one.section, one.heading), one.text) for one in passages)
        drafts = chunk(borders_between(stretches))
    is_same_file = before.content_hash == job.content_hash
    return drafts, Reread(before=before, changed=changed, reason=reason, same_file=is_same_file)
