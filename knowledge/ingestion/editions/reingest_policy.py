"""A changed file is read again: how much of the text changed since the edition before, and whether that asks for
chunking all of it anew.

Where it does not (seed 004: at most 30 %, the same strategy and token limits, the same embedding model), chunks begin
where those of the edition before began. The same file read once more is its own edition before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from knowledge.ingestion.chunking.chunker import ChunkDraft
from knowledge.ingestion.chunking.diff import Chunking, changed_share, reason_to_rechunk
from knowledge.ingestion.chunking.stable_boundaries import Borders, Place, Stretch, borders_between
from knowledge.ingestion.document_model import Description
from knowledge.ingestion.editions.editions import edition_before, edition_told, passages_of
from knowledge.models import Chunk, Document, EditionPlace, IngestionJob
from knowledge.models.documents import DocType, DocumentStatus

ASIDE = ("toc", "index")

#: Chunks that begin where these borders are, or wherever they come out.
Chunker = Callable[[Borders | None], tuple[ChunkDraft, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """A file read again: the edition before, the share of the text that changed, and why it was chunked anew, which
    is empty where passages kept their borders."""

    before: Document
    changed: float
    reason: str
    same_file: bool

    def told(self) -> str:
        """In words for an operator."""
        since = "since it was read last" if self.same_file else f"since {_edition(self.before)}"
        share = "nothing changed" if not self.changed else f"{self.changed:.0%} of the text changed"
        if self.reason:
            why = "" if self.reason.endswith("of it changed") else f" ({self.reason})"
            return f"{share} {since}: chunked anew as a whole{why}"
        return (
            f"{share} {since}: passages that stay keep their borders" if self.changed else f"{share} {since}"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "before": str(self.before.pk),
            "changed": round(self.changed, 3),
            "anew": self.reason,
            "told": self.told(),
        }


def chunk_again(
    job: IngestionJob, told: Description, wanted: Chunking, chunk: Chunker
) -> tuple[tuple[ChunkDraft, ...], Reread | None]:
    """The chunks of a job's file, and what became of the edition before it; None for a file without one."""
    drafts = chunk(None)
    before = _before(job, told, drafts)
    if before is None:
        return drafts, None
    stood = list(passages_of(before))
    changed = changed_share(
        [one.text for one in stood if one.kind not in ASIDE],
        _texts(drafts),
    )
    reason = reason_to_rechunk(Chunking(strategy=before.chunking, model=before.counted_by), wanted, changed)
    if job.options.get("anew"):
        reason = reason or "asked for"
    found = Reread(
        before=before, changed=changed, reason=reason, same_file=before.content_hash == job.content_hash
    )
    return (drafts if reason else chunk(_borders(stood))), found


def _before(job: IngestionJob, told: Description, drafts: Sequence[ChunkDraft]) -> Document | None:
    """What this file takes the place of: the edition in force, or itself where it is that."""
    known = Document.objects.filter(tenant=job.tenant, content_hash=job.content_hash).first()
    if known is not None and (known.status != DocumentStatus.DRAFT or known.follows_id is None):
        return known if known.superseded_by_id is None and known.chunks.exists() else None
    incoming = known or Document(
        tenant=job.tenant,
        title=told.title[:300],
        doc_type=told.doc_type or DocType.OTHER,
        abbreviation=told.abbreviation[:60],
        edition=told.edition[:60],
        source_name=job.source_name,
    )
    if incoming.follows_id is None and job.options.get("edition_of"):
        incoming.follows = edition_told(job.options["edition_of"])
    return edition_before(incoming, _texts(drafts))


def _texts(drafts: Sequence[ChunkDraft]) -> list[str]:
    return [draft.text for draft in drafts if draft.kind not in ASIDE]


def _borders(stood: Sequence[Chunk | EditionPlace]) -> Borders:
    return borders_between(Stretch(Place(one.section, one.heading), one.text) for one in stood)


def _edition(document: Document) -> str:
    return f"{document}, {document.edition}" if document.edition else str(document)
