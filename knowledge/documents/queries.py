"""What a reader may see of the library: shared documents and those of the reader's own schools."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from knowledge.access.people import acts_for, read_memberships
from knowledge.grounding.citations import find_quote
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.ingestion.editions.editions import PLACED_FIELDS
from knowledge.models import Chunk, Document, EditionPlace, Image, IngestionJob, Page
from knowledge.models.documents import DocumentStatus
from knowledge.models.telemetry import JobKind
from knowledge.models.tenancy import Role


@dataclass(frozen=True)
class Lit:
    """A highlighted rectangle on a page, in points."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Stand:
    """A passage as one edition has it, without its text, for lists."""

    id: UUID
    index: int
    section: str
    heading: str


@dataclass(frozen=True)
class Passage:
    """A chunk opened at a quote: the page to show, the rectangles to highlight, and the text around the quote."""

    chunk: Chunk
    page: Page | None
    lit: tuple[Lit, ...]
    before: str
    marked: str
    after: str
    other_pages: tuple[int, ...]


def documents_for(user: Any) -> QuerySet[Document]:
    """Those of the shared library and of the reader's schools; drafts only for operators and reviewers of their
    school."""
    if user.is_superuser:
        return Document.objects.all()
    held = {(row.role, row.tenant_id) for row in read_memberships(user)}
    schools = {tenant for _, tenant in held}
    staffed = {tenant for role, tenant in held if role != Role.STUDENT}
    mine = Q(tenant__isnull=True) | Q(tenant__in=schools - {None})
    drafts = Q(tenant__in=staffed - {None}) | (Q(tenant__isnull=True) if None in staffed else Q(pk__in=()))
    return Document.objects.filter(mine & (drafts | ~Q(status=DocumentStatus.DRAFT)))


def documents_of_operator(user: Any) -> QuerySet[Document]:
    """Those that an operator may change."""
    return Document.objects.filter(acts_for(user, Role.OPERATOR))


def jobs_of_operator(user: Any) -> QuerySet[IngestionJob]:
    return IngestionJob.objects.filter(acts_for(user, Role.OPERATOR))


def jobs_seen_by(user: Any) -> QuerySet[IngestionJob]:
    """Those of an operator, and a reviewer's own batches of claims."""
    own = IngestionJob.objects.filter(acts_for(user, Role.REVIEWER), kind=JobKind.BATCH, created_by=user.pk)
    return IngestionJob.objects.filter(Q(pk__in=jobs_of_operator(user)) | Q(pk__in=own))


def list_passages(document: Document, page: int | None = None) -> list[Stand]:
    """The passages of an edition in their order, including those that it shares with another edition."""
    on_page = Q() if page is None else Q(page_start__lte=page, page_end__gte=page)
    fields = ("index", "section", "heading")
    own = document.chunks.filter(on_page).values_list("pk", *fields)
    placed = document.places.filter(on_page).values_list("chunk_id", *fields)
    return sorted((Stand(*row) for row in (*own, *placed)), key=lambda stand: stand.index)


def chunk_in_edition(chunk: Chunk, document: Document) -> Chunk:
    """The chunk with its page and rectangles in that edition, or unchanged if the edition does not have it. Do not save
    it."""
    place = EditionPlace.objects.filter(chunk=chunk, document=document).first()
    if place is None:
        return chunk
    for name in PLACED_FIELDS:
        setattr(chunk, name, getattr(place, name))
    chunk.document = document
    return chunk


def editions_with(chunk: Chunk) -> QuerySet[Document]:
    """The other editions in which these words stand."""
    return Document.objects.filter(places__chunk=chunk).order_by("-created_at")


def pages_of(chunks: Iterable[Chunk]) -> dict[tuple[UUID, int], Page]:
    """The pages that the chunks stand on, by document and number. One query."""
    spans = [
        Q(document=one.document_id, number__range=(one.page_start, one.page_end))
        for one in chunks
        if one.page_start is not None and one.page_end is not None
    ]
    found = Page.objects.filter(reduce(or_, spans)) if spans else ()
    return {(page.document_id, page.number): page for page in found}


def passage_for(
    chunk: Chunk,
    quote: str,
    page_number: int | None = None,
    known: Mapping[tuple[UUID, int], Page] | None = None,
) -> Passage:
    """A quote that is not in the chunk highlights nothing; the passage is shown all the same. `known` are the pages of
    several chunks, read together."""
    found = rectangles_for_quote(chunk.text, chunk.lines, quote) if quote else ()
    pages = tuple(sorted({rectangle.page for rectangle in found}))
    if not pages and chunk.page_start is not None and chunk.page_end is not None:
        pages = tuple(range(chunk.page_start, chunk.page_end + 1))
    number = page_number if page_number in pages else (pages[0] if pages else None)
    known = pages_of([chunk]) if known is None else known
    page = known.get((chunk.document_id, number)) if number else None
    lit = tuple(
        Lit(rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0)
        for rect in found
        if page and rect.page == page.number
    )
    text = chunk.text
    start, end = (find_quote(text, quote) if quote else None) or (len(text), len(text))
    others = tuple(other for other in pages if other != number)
    return Passage(chunk, page, lit, text[:start], text[start:end], text[end:], others)


def figures_on(document: Document, page: int) -> QuerySet[Image]:
    return Image.objects.filter(document=document, page=page)
