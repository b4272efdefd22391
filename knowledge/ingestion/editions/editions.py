"""A new edition takes the place of the one before it, and may give it back.

What both editions say in the same words is one chunk: its row, with vector and claims, belongs to the edition in
force, and an `EditionPlace` says where it stands in the other. So a new edition is built beside the old one, only
its new passages are embedded, and serving it is one transaction: rows and places are swapped, claims follow their
quotes (`claim_anchoring`), the old edition is marked as superseded. Bringing an edition back is the same swap.
Nothing is deleted: what was cited can be opened in the edition it was cited from.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Q

from knowledge import conf
from knowledge.ingestion.chunking.diff import changed_share
from knowledge.ingestion.claim_anchoring import (
    Anchored,
    anchor_claims,
    claims_on,
    renumber_pages,
    settle_claims,
)
from knowledge.ingestion.editions.work_identity import Named, work_of
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
from knowledge.models.documents import DocumentStatus
from knowledge.retrieval.glossary import read_glossary
from knowledge.standards.chunk_task_tags import mark_tasks
from llm.interfaces import EmbeddingModel

PLACED = (
    *(
        "index",
        "heading",
        "section_path",
        "section",
        "anchor",
        "text",
        "page_start",
        "page_end",
        "page_label",
    ),
    *("lines", "tokens", "kind"),
)


class WrongEdition(IngestionError):
    """This edition cannot be served or joined as asked; the text says why."""

    code = "wrong_edition"


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What became of the editions: the one that was superseded, passages that are the same and those that are not,
    the share of the text that changed, and the claims."""

    superseded: UUID | None = None
    kept: int = 0
    new: int = 0
    gone: int = 0
    changed: float = 0.0
    claims: Anchored = field(default_factory=Anchored)
    older: bool = False

    def told(self) -> str:
        """In words for an operator."""
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
    """The edition that superseded this one, or the one that superseded that; itself if none did."""
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
    """The edition in force that this one would supersede; None where there is none, or none for certain. `texts` are
    the passages of a document that is not stored yet."""
    if document.follows is not None:
        found = edition_in_force(document.follows)
        return found if found.pk != document.pk else None
    candidates = list(_of_the_same_work(document))
    own = _texts(document) if texts is None and candidates else texts or []
    return next((one for one in candidates if _is_edition_of(document, own, one)), None)


def _of_the_same_work(document: Document) -> Iterator[Document]:
    work = work_of(_named(document))
    rows = Document.objects.filter(
        tenant=document.tenant, doc_type=document.doc_type, superseded_by=None
    ).exclude(pk=document.pk)
    for row in rows.exclude(status=DocumentStatus.DRAFT).order_by("-created_at"):
        if (work and work_of(_named(row)) == work) or (
            row.source_name and row.source_name == document.source_name
        ):
            yield row


def _named(document: Document) -> Named:
    return Named(
        doc_type=document.doc_type,
        abbreviation=document.abbreviation,
        title=document.title,
        edition=document.edition,
    )


def _is_edition_of(document: Document, texts: Sequence[str], other: Document) -> bool:
    """The same name is not enough: two chapters may be called alike. They share text, or their numbers say it."""
    same_work = work_of(_named(document)) == work_of(_named(other)) != ""
    numbered = document.doc_type in ("ac", "acs") and document.abbreviation != other.abbreviation
    least = conf.SAME_WORK_SHARE if same_work else conf.SAME_FILE_SHARE
    return (same_work and numbered) or 1.0 - changed_share(_texts(other), texts) >= least


def change_between(before: Document, after: Document) -> float:
    """The share of the text of two editions that they do not have in common."""
    return changed_share(_texts(before), _texts(after))


def _texts(document: Document) -> list[str]:
    return [one.text for one in passages_of(document) if one.kind not in ("toc", "index")]


def passages_of(document: Document) -> list[Chunk | EditionPlace]:
    """What an edition says, in its order: its own chunks, and where it stands on those of another edition."""
    told = ("index", "kind", "section", "heading", "text", "document")
    return sorted((*document.chunks.only(*told), *document.places.only(*told)), key=lambda one: one.index)


def edition_told(told: str) -> Document:
    """The document with this id, as an operator said it. Raises WrongEdition."""
    try:
        return Document.objects.get(pk=told)
    except (Document.DoesNotExist, ValidationError) as error:
        raise WrongEdition(f"There is no document {told} of which this could be an edition.") from error


def join_editions(document: Document, before: Document) -> None:
    """An operator says what could not be told: this is an edition of that work. Raises WrongEdition."""
    if before.tenant_id != document.tenant_id:
        raise WrongEdition("Editions of one work belong to the same school, or both to the shared library.")
    if document.pk == before.pk or document.pk in {row.pk for row in editions_of(before)}:
        raise WrongEdition("These two are editions of one work already.")
    Document.objects.filter(pk=document.pk).update(follows=before)
    document.follows = before


# --- building a new edition ------------------------------------------------------------


def share_passages(document: Document, told: str = "") -> Document | None:
    """Let a document that was never served stand on the chunks of the edition in force where the words are the same.
    The edition it would supersede, or None; `told` is the id of one of its work, as an operator said. Call it in the
    transaction that stored the document. Raises WrongEdition."""
    if document.status != DocumentStatus.DRAFT or document.superseded_by_id:
        return None
    document.places.all().delete()
    if told and document.follows is None:
        join_editions(document, edition_told(told))
    before = edition_before(document)
    if before is None:
        return None
    Document.objects.filter(pk=document.pk).update(follows=before)
    document.follows = before
    pairs = _pairs(list(before.chunks.order_by("index")), list(document.chunks.order_by("index")))
    EditionPlace.objects.bulk_create(
        [_place(document.pk, old, new, _image_links(new)) for old, new in pairs], batch_size=500
    )
    for old, new in pairs:
        _give_over(new, old)
    Chunk.objects.filter(pk__in=[new.pk for _, new in pairs]).delete()
    return before


def _pairs(old: Sequence[Chunk], new: Sequence[Chunk]) -> list[tuple[Chunk, Chunk]]:
    """Chunks of both that are embedded as the same text, in their order."""
    known: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for chunk in old:
        known[chunk.content_hash, chunk.heading].append(chunk)
    found = []
    for chunk in new:
        if rows := known[chunk.content_hash, chunk.heading]:
            found.append((rows.pop(0), chunk))
    return found


def _place(document: UUID, chunk: Chunk, stands: Chunk, links: list[dict[str, Any]]) -> EditionPlace:
    values = {name: getattr(stands, name) for name in PLACED}
    return EditionPlace(document_id=document, chunk=chunk, image_links=links, **values)


def _image_links(chunk: Chunk) -> list[dict[str, Any]]:
    rows = chunk.image_links.order_by("id").values_list("image_id", "strategy", "relevance")
    return [{"image": str(image), "strategy": told, "relevance": share} for image, told, share in rows]


def _give_over(new: Chunk, old: Chunk) -> None:
    """What hangs on a chunk that is about to go, to the one that stays."""
    known = set(old.evidence.values_list("concept_id", "evidence_type"))
    for row in ConceptChunkEvidence.objects.filter(chunk=new):
        if (row.concept_id, row.evidence_type) not in known:
            ConceptChunkEvidence.objects.filter(pk=row.pk).update(chunk=old)
    tasks = [ChunkTask(chunk=old, task_code=row.task_code, origin=row.origin) for row in new.tasks.all()]
    ChunkTask.objects.bulk_create(tasks, ignore_conflicts=True)


# --- serving ------------------------------------------------------------


@transaction.atomic
def publish_edition(document: Document) -> Served:
    """The document can be found from now on. It supersedes the edition in force, unless that one is newer: then it
    is kept as a former edition."""
    _one_at_a_time(document)
    document.refresh_from_db()
    before = edition_before(document) if document.superseded_by_id is None else None
    fresh = document.status == DocumentStatus.DRAFT
    if not fresh and document.follows is None:
        before = None  # it was served beside the other: only an operator may say that they are one work
    Document.objects.filter(pk=document.pk).update(status=DocumentStatus.PUBLISHED)
    document.status = DocumentStatus.PUBLISHED
    served = Served()
    if before is not None and fresh and _is_newer(before, document):
        Document.objects.filter(pk=document.pk).update(superseded_by=before, follows=before)
        served = Served(superseded=document.pk, changed=change_between(before, document), older=True)
    elif before is not None:
        served = _serve(document, before)
    mark_tasks(document)
    read_glossary(document)
    library_changed(document.tenant_id)
    return served


def bring_back(document: Document, model: EmbeddingModel) -> Served:
    """Serve a superseded edition again, in place of the one in force. Raises WrongEdition.

    What it needs of vectors is made first, so that no passage of it is missing for a moment.
    """
    if document.superseded_by_id is None:
        raise WrongEdition("This edition is not superseded.")
    if document.deprecated_at is not None:
        raise WrongEdition("This edition was deprecated. Reinstate it first.")
    prepare_edition(document, model)
    with transaction.atomic():
        _one_at_a_time(document)
        document.refresh_from_db()
        if document.superseded_by_id is None:
            raise WrongEdition("This edition was brought back by somebody else.")
        Document.objects.filter(pk=document.pk).update(status=DocumentStatus.PUBLISHED)
        served = _serve(document, edition_in_force(document))
        mark_tasks(document)
        library_changed(document.tenant_id)
    document.refresh_from_db()
    return served


def prepare_edition(document: Document, model: EmbeddingModel) -> None:
    """Vectors for what this edition would be served with, as far as they are missing."""
    embed_kept([*document.chunks.all(), *Chunk.every.filter(places__document=document)], model)


def _serve(document: Document, before: Document) -> Served:
    changed = change_between(before, document)
    claims_before = claims_on(_ids(before))
    moved = _swap_places(document)
    Document.objects.filter(pk=document.pk).update(superseded_by=None)
    Document.objects.filter(pk=before.pk).update(superseded_by=document)
    document.superseded_by = None
    write_search_vectors(document)
    renumber_pages(moved)
    out = Chunk.every.filter(document__in=[row for row in editions_of(document) if row.pk != document.pk])
    anchored = anchor_claims(out.filter(evidence__isnull=False).values_list("pk", flat=True), document)
    stale, restored = settle_claims(claims_before | claims_on(_ids(document)))
    return Served(
        superseded=before.pk,
        kept=len(moved),
        new=document.chunks.count() - len(moved),
        gone=before.chunks.count(),
        changed=changed,
        claims=Anchored(
            moved=anchored.moved, stale=anchored.stale + stale, restored=anchored.restored + restored
        ),
    )


def _ids(document: Document) -> list[UUID]:
    return list(Chunk.every.filter(document=document).values_list("pk", flat=True))


def _swap_places(document: Document) -> list[UUID]:
    """Chunks that this edition shares move to it; where they stood becomes a place of their edition."""
    rows = list(document.places.select_related("chunk"))
    left = [
        _place(row.chunk.document_id, row.chunk, row.chunk, _image_links(row.chunk))
        for row in rows
        if row.chunk.retired_at is None and row.chunk.document_id != document.pk
    ]
    EditionPlace.objects.bulk_create(
        left,
        update_conflicts=True,
        unique_fields=["document", "chunk"],
        update_fields=[*PLACED, "image_links"],
    )
    for row in rows:
        _move_chunk(row, document)
    chunks = [row.chunk for row in rows]
    Chunk.every.bulk_update(chunks, ["document", "retired_at", *PLACED], batch_size=500)
    _link_images(rows)
    document.places.all().delete()
    return [chunk.pk for chunk in chunks]


def _move_chunk(row: EditionPlace, document: Document) -> None:
    for name in PLACED:
        setattr(row.chunk, name, getattr(row, name))
    row.chunk.document, row.chunk.retired_at = document, None


def _link_images(rows: Sequence[EditionPlace]) -> None:
    ChunkImageLink.objects.filter(chunk__in=[row.chunk_id for row in rows]).delete()
    wanted = {link["image"] for row in rows for link in row.image_links}
    known = {str(pk) for pk in Image.objects.filter(pk__in=wanted).values_list("pk", flat=True)}
    links = [
        ChunkImageLink(
            chunk_id=row.chunk_id,
            image_id=UUID(link["image"]),
            strategy=link["strategy"],
            relevance=link["relevance"],
        )
        for row in rows
        for link in row.image_links
        if link["image"] in known
    ]
    ChunkImageLink.objects.bulk_create(links, batch_size=1000)


def _is_newer(one: Document, other: Document) -> bool:
    return bool(one.edition_date and other.edition_date and one.edition_date > other.edition_date)


def _one_at_a_time(document: Document) -> None:
    """Editions of one school change one after the other, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"editions:{document.tenant_id}"]
        )
