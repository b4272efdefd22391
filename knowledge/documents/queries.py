"""What of the library a reader may see: the shared documents and those of the reader's own school."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from knowledge.access.people import acts_for, memberships_of
from knowledge.grounding.highlight import Rect, rectangles_for_quote
from knowledge.grounding.quotes import find_quote
from knowledge.ingestion.editions.editions import PLACED
from knowledge.models import Chunk, Document, EditionPlace, Image, IngestionJob, Page
from knowledge.models.documents import DocumentStatus
from knowledge.models.tenancy import Role


@dataclass(frozen=True)
class Lit:
    """A rectangle on a page, in points."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Stand:
    """A passage as one edition has it: for lists, without its text."""

    id: UUID
    index: int
    section: str
    heading: str


@dataclass(frozen=True)
class Passage:
    """A chunk opened at a quote: the page to show, the rectangles to light, or the words around the mark."""

    chunk: Chunk
    page: Page | None
    lit: tuple[Lit, ...]
    before: str
    marked: str
    after: str
    other_pages: tuple[int, ...]


def documents_for(user: Any) -> QuerySet[Document]:
    """Those of the shared library and of the reader's schools; drafts only for operators and reviewers of the school
    whose they are."""
    if user.is_superuser:
        return Document.objects.all()
    held = set(memberships_of(user).values_list("role", "tenant"))
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


def stands_in(document: Document, page: int | None = None) -> list[Stand]:
    """The passages of an edition in their order, also those whose words another edition holds, too."""
    on_page = Q() if page is None else Q(page_start__lte=page, page_end__gte=page)
    fields = ("index", "section", "heading")
    own = document.chunks.filter(on_page).values_list("pk", *fields)
    placed = document.places.filter(on_page).values_list("chunk_id", *fields)
    return sorted((Stand(*row) for row in (*own, *placed)), key=lambda stand: stand.index)


def chunk_in_edition(chunk: Chunk, document: Document) -> Chunk:
    """The chunk as that edition prints it: its page and rectangles there; as it is where the edition does not have
    it. Not to be saved."""
    place = EditionPlace.objects.filter(chunk=chunk, document=document).first()
    if place is None:
        return chunk
    for name in PLACED:
        setattr(chunk, name, getattr(place, name))
    chunk.document = document
    return chunk


def editions_with(chunk: Chunk) -> QuerySet[Document]:
    """The other editions in which these words stand."""
    return Document.objects.filter(places__chunk=chunk).order_by("-created_at")


def passage_for(chunk: Chunk, quote: str, page_number: int | None = None) -> Passage:
    """`quote` that is not in the chunk lights nothing: the passage alone is shown."""
    found = rectangles_for_quote(chunk.text, chunk.lines, quote) if quote else ()
    pages = tuple(sorted({rectangle.page for rectangle in found})) or _own_pages(chunk)
    number = page_number if page_number in pages else (pages[0] if pages else None)
    page = Page.objects.filter(document=chunk.document, number=number).first() if number else None
    lit = tuple(_lit(found_on) for found_on in found if page and found_on.page == page.number)
    before, marked, after = _around(chunk.text, quote)
    return Passage(chunk, page, lit, before, marked, after, tuple(p for p in pages if p != number))


def figures_on(document: Document, page: int) -> QuerySet[Image]:
    return Image.objects.filter(document=document, page=page)


def _own_pages(chunk: Chunk) -> tuple[int, ...]:
    if chunk.page_start is None or chunk.page_end is None:
        return ()
    return tuple(range(chunk.page_start, chunk.page_end + 1))


def _lit(rect: Rect) -> Lit:
    return Lit(rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0)


def _around(text: str, quote: str) -> tuple[str, str, str]:
    span = find_quote(text, quote) if quote else None
    if span is None:
        return text, "", ""
    start, end = span
    return text[:start], text[start:end], text[end:]
