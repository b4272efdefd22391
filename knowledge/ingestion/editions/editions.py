"""Serve a new edition in place of the previous one, and bring an edition back.

A passage with the same words in two editions is one chunk: its row, with vector and claims, belongs to the edition in
force, and an `EditionPlace` records its place in the other. So only new passages are embedded, and serving an edition
is one transaction: rows and places are swapped, claims follow their quotes, the old edition is marked as superseded.
Nothing is deleted, so citations open in the edition they were cited from.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from knowledge import conf
from knowledge.db.connections import lock_until_commit
from knowledge.ingestion.chunking.diff import changed_share
from knowledge.ingestion.claim_anchoring import (
    Anchored,
    anchor_claims,
    claims_on,
    renumber_pages,
    settle_claims,
)
from knowledge.ingestion.editions.work_identity import work_of
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.storage import write_search_vectors
from knowledge.ingestion.vectors.sets import embed_kept
from knowledge.library_version import library_changed
from knowledge.models import (
    Chunk,
    ChunkImageLink,
    ChunkTask,
    ConceptChunkEvidence,
    Document,
    EditionPlace,
    Image,
)
from knowledge.models.documents import DocumentAct, DocumentStatus
from knowledge.retrieval.glossary import read_glossary
from knowledge.standards.chunk_task_tags import mark_tasks
from llm.interfaces import EmbeddingModel

PLACED_FIELDS = (
    *("index", "heading", "section_path", "section", "anchor", "text", "lines", "tokens", "kind"),
    *("page_start", "page_end", "page_label"),
)
LISTS = ("toc", "index")
"""Kinds of passages that name everything and say nothing."""


class WrongEdition(IngestionError):
    """This edition cannot be served or joined; the message says why."""

    code = "wrong_edition"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionChange:
    """The superseded edition, how many passages are kept, new and gone, the share of the text that changed, and what
    happened to claims. `older`: the edition in force is newer and stays."""

    superseded: UUID | None = None
    kept: int = 0
    new: int = 0
    gone: int = 0
    changed: float = 0.0
    claims: Anchored = field(default_factory=Anchored)
    older: bool = False

    def in_words(self) -> str:
        """A line for the operator."""
        if self.older:
            return "older than the edition in force: kept beside it, and served only if it is brought back"
        said = (
            f"{self.kept} passages unchanged, {self.new} new, {self.gone} gone ({self.changed:.0%} changed)"
        )
        waiting = f", {self.claims.stale} wait for reviewers" if self.claims.stale else ""
        restored = f", {self.claims.restored} count again" if self.claims.restored else ""
        return f"supersedes the edition before it: {said}; {self.claims.moved} quotes found again{waiting}{restored}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "superseded": str(self.superseded) if self.superseded else None,
            "kept": self.kept,
            "new": self.new,
            "gone": self.gone,
            "changed": round(self.changed, 3),
            "claims": self.claims.to_dict(),
            "older": self.older,
        }


# --- which editions there are ------------------------------------------------------------


def edition_in_force(document: Document) -> Document:
    """The edition that superseded this one, directly or not; itself if none did."""
    seen = {document.pk}
    while document.superseded_by is not None and document.superseded_by_id not in seen:
        document = document.superseded_by
        seen.add(document.pk)
    return document


def editions_of(document: Document) -> list[Document]:
    """All editions of the work, the one in force first, then the latest."""
    known: set[UUID] = {document.pk}
    while True:
        near = Document.objects.filter(
            Q(superseded_by__in=known)
            | Q(follows__in=known)
            | Q(supersedes__in=known)
            | Q(followers__in=known)
        )
        found = known | set(near.values_list("pk", flat=True))
        if found == known:
            break
        known = found
    rows = Document.objects.filter(pk__in=known)
    return sorted(rows, key=lambda row: (row.superseded_by_id is None, row.created_at), reverse=True)


def edition_before(document: Document, texts: Sequence[str] | None = None) -> Document | None:
    """The edition in force that this one would supersede; None if there is none for certain. `texts` are the passages
    of a document that is not stored yet."""
    if document.follows is not None:
        found = edition_in_force(document.follows)
        return found if found.pk != document.pk else None
    rows = Document.objects.filter(
        tenant=document.tenant, doc_type=document.doc_type, superseded_by=None, trashed_at=None
    ).exclude(pk=document.pk)
    work = _work_of_document(document)
    for row in rows.exclude(status=DocumentStatus.DRAFT).order_by("-created_at"):
        is_same_work = _work_of_document(row) == work != ""
        if not is_same_work and (not row.source_name or row.source_name != document.source_name):
            continue
        # The same name is not enough: two chapters may be called alike. Numbers tell editions, or a shared text does.
        is_numbered = document.doc_type in ("ac", "acs") and document.abbreviation != row.abbreviation
        if is_same_work and is_numbered:
            return row
        if texts is None:
            texts = _texts_of(document)
        least = conf.SAME_WORK_SHARE if is_same_work else conf.SAME_FILE_SHARE
        if 1.0 - changed_share(_texts_of(row), texts) >= least:
            return row
    return None


def is_older(document: Document, before: Document) -> bool:
    """Whether it is kept as a former edition and replaces nothing."""
    dates = before.edition_date, document.edition_date
    return bool(dates[0] and dates[1] and dates[0] > dates[1])


def _work_of_document(document: Document) -> str:
    return work_of(
        document.doc_type,
        abbreviation=document.abbreviation,
        title=document.title,
        edition=document.edition,
    )


def _texts_of(document: Document) -> list[str]:
    return [one.text for one in passages_of(document) if one.kind not in LISTS]


def passages_of(document: Document) -> list[Chunk | EditionPlace]:
    """The passages of an edition, in order: its own chunks, and its places in those of another edition."""
    fields = ("index", "kind", "section", "heading", "text", "document")
    return sorted((*document.chunks.only(*fields), *document.places.only(*fields)), key=lambda one: one.index)


def find_edition(told: str) -> Document:
    """The document with the id that an operator gave. Raises WrongEdition."""
    try:
        return Document.objects.get(pk=told)
    except (Document.DoesNotExist, ValidationError) as error:
        raise WrongEdition(f"There is no document {told} that this could be an edition of.") from error


def join_editions(document: Document, before: Document) -> None:
    """Record that a document is an edition of the same work as `before`, as an operator said. Raises WrongEdition."""
    if before.tenant_id != document.tenant_id:
        raise WrongEdition("Editions of one work belong to the same school, or both to the shared library.")
    if document.pk == before.pk or document.pk in {row.pk for row in editions_of(before)}:
        raise WrongEdition("These two are editions of one work already.")
    Document.objects.filter(pk=document.pk).update(follows=before)
    document.follows = before


# --- building a new edition ------------------------------------------------------------


def share_passages(document: Document, told: str = "") -> Document | None:
    """Let a document that was never served use the chunks of the edition in force where the words are the same. Returns
    the edition that it would supersede, or None. `told` is the id of an edition of its work, from an operator. Call it
    in the transaction that stored the document. Raises WrongEdition."""
    if document.status != DocumentStatus.DRAFT or document.superseded_by_id:
        return None
    document.places.all().delete()
    if told and document.follows is None:
        join_editions(document, find_edition(told))
    before = edition_before(document)
    if before is None:
        return None
    Document.objects.filter(pk=document.pk).update(follows=before)
    document.follows = before
    known: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for chunk in before.chunks.order_by("index"):
        known[chunk.content_hash, chunk.heading].append(chunk)
    pairs = []  # chunks of both that are embedded as the same text
    for chunk in document.chunks.order_by("index"):
        if rows := known[chunk.content_hash, chunk.heading]:
            pairs.append((rows.pop(0), chunk))
    EditionPlace.objects.bulk_create(
        [_place_for(document.pk, old, new) for old, new in pairs], batch_size=500
    )
    for old, new in pairs:  # evidence and Tasks of the chunk that is deleted move to the one that stays
        evidence = ConceptChunkEvidence.every.all()
        known_evidence = set(evidence.filter(chunk=old).values_list("concept_id", "evidence_type"))
        for row in evidence.filter(chunk=new):
            if (row.concept_id, row.evidence_type) not in known_evidence:
                evidence.filter(pk=row.pk).update(chunk=old)
        tasks = [ChunkTask(chunk=old, task_code=one.task_code, origin=one.origin) for one in new.tasks.all()]
        ChunkTask.objects.bulk_create(tasks, ignore_conflicts=True)
    Chunk.objects.filter(pk__in=[new.pk for _, new in pairs]).delete()
    return before


def _place_for(document: UUID, chunk: Chunk, source: Chunk) -> EditionPlace:
    """Where `chunk` stands in another edition: as `source` does, with its links to images."""
    rows = source.image_links.order_by("id").values_list("image_id", "strategy", "relevance")
    links = [{"image": str(image), "strategy": told, "relevance": share} for image, told, share in rows]
    values = {name: getattr(source, name) for name in PLACED_FIELDS}
    return EditionPlace(document_id=document, chunk=chunk, image_links=links, **values)


# --- serving ------------------------------------------------------------


@transaction.atomic
def publish_edition(document: Document, by: Any = None) -> EditionChange:
    """Make the document findable, and record who did. It supersedes the edition in force, unless that one is newer:
    then it is stored as a former edition."""
    lock_until_commit(f"editions:{document.tenant_id}")
    document.refresh_from_db()
    before = edition_before(document) if document.superseded_by_id is None else None
    fresh = document.status == DocumentStatus.DRAFT
    if not fresh and document.follows is None:
        before = None  # both were served: only an operator may say that they are one work
    Document.objects.filter(pk=document.pk).update(status=DocumentStatus.PUBLISHED)
    document.events.create(act=DocumentAct.PUBLISHED, was=document.status, made_by=by)
    document.status = DocumentStatus.PUBLISHED
    served = EditionChange()
    if before is not None and fresh and is_older(document, before):
        Document.objects.filter(pk=document.pk).update(superseded_by=before, follows=before)
        served = EditionChange(
            superseded=document.pk, changed=changed_share(_texts_of(before), _texts_of(document)), older=True
        )
    elif before is not None:
        served = _serve_edition(document, before)
    mark_tasks(document)
    read_glossary(document)
    library_changed(document.tenant_id)
    return served


def bring_back(document: Document, model: EmbeddingModel, by: Any = None) -> EditionChange:
    """Serve a superseded edition again, in place of the one in force, and record who did. Raises WrongEdition.

    Its vectors are made first, so that no passage is missing for a moment.
    """
    if document.superseded_by_id is None:
        raise WrongEdition("This edition is not superseded.")
    if document.deprecated_at is not None:
        raise WrongEdition("This edition was deprecated. Reinstate it first.")
    prepare_edition(document, model)
    with transaction.atomic():
        lock_until_commit(f"editions:{document.tenant_id}")
        document.refresh_from_db()
        if document.superseded_by_id is None:
            raise WrongEdition("This edition was brought back by somebody else.")
        document.events.create(act=DocumentAct.PUBLISHED, was=document.status, made_by=by)
        Document.objects.filter(pk=document.pk).update(status=DocumentStatus.PUBLISHED)
        served = _serve_edition(document, edition_in_force(document))
        mark_tasks(document)
        library_changed(document.tenant_id)
    document.refresh_from_db()
    return served


def prepare_edition(document: Document, model: EmbeddingModel) -> None:
    """Make the missing vectors of what this edition would be served with."""
    embed_kept([*document.chunks.all(), *Chunk.every.filter(places__document=document)], model)


def _serve_edition(document: Document, before: Document) -> EditionChange:
    """Swap two editions. Call it with the lock of the school's editions."""
    changed = changed_share(_texts_of(before), _texts_of(document))
    claims_before = claims_on(_chunk_ids(before))
    moved = _swap_places(document)
    Document.objects.filter(pk=document.pk).update(superseded_by=None)
    Document.objects.filter(pk=before.pk).update(superseded_by=document)
    document.superseded_by = None
    write_search_vectors(document)
    renumber_pages(moved)
    out = Chunk.every.filter(document__in=[row for row in editions_of(document) if row.pk != document.pk])
    anchored = anchor_claims(out.filter(evidence__isnull=False).values_list("pk", flat=True), document)
    stale, restored = settle_claims(claims_before | claims_on(_chunk_ids(document)))
    return EditionChange(
        superseded=before.pk,
        kept=len(moved),
        new=document.chunks.count() - len(moved),
        gone=before.chunks.count(),
        changed=changed,
        claims=Anchored(
            moved=anchored.moved, stale=anchored.stale + stale, restored=anchored.restored + restored
        ),
    )


def _chunk_ids(document: Document) -> list[UUID]:
    return list(Chunk.every.filter(document=document).values_list("pk", flat=True))


def _swap_places(document: Document) -> list[UUID]:
    """Move the chunks that this edition shares to it; where they stood becomes a place of their edition. Link them to
    the images that the places name, as far as they still exist."""
    rows = list(document.places.select_related("chunk"))
    left = [
        _place_for(row.chunk.document_id, row.chunk, row.chunk)
        for row in rows
        if row.chunk.retired_at is None and row.chunk.document_id != document.pk
    ]
    EditionPlace.objects.bulk_create(
        left,
        update_conflicts=True,
        unique_fields=["document", "chunk"],
        update_fields=[*PLACED_FIELDS, "image_links"],
    )
    for row in rows:
        for name in PLACED_FIELDS:
            setattr(row.chunk, name, getattr(row, name))
        row.chunk.document, row.chunk.retired_at = document, None
    chunks = [row.chunk for row in rows]
    Chunk.every.bulk_update(chunks, ["document", "retired_at", *PLACED_FIELDS], batch_size=500)
    ChunkImageLink.objects.filter(chunk__in=chunks).delete()
    links = [
        ChunkImageLink(
            chunk_id=row.chunk_id,
            image_id=UUID(link["image"]),
            strategy=link["strategy"],
            relevance=link["relevance"],
        )
        for row in rows
        for link in row.image_links
    ]
    known = set(Image.objects.filter(pk__in={link.image_id for link in links}).values_list("pk", flat=True))
    ChunkImageLink.objects.bulk_create([link for link in links if link.image_id in known], batch_size=1000)
    document.places.all().delete()
    return [chunk.pk for chunk in chunks]
