"""Chunks become passages: what a ranking names is read with all that a citation needs, and nothing more."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from knowledge.grounding.context import Disagreement, GroundedContext, Passage, context_of
from knowledge.grounding.labels import source_label
from knowledge.models import Chunk, Document, Page

from .authority import standing, with_authority
from .images import figures_for
from .repeats import Source, without_repeats
from .searchable import Scope, searchable_chunks
from .values import Figure, Found, PageStarts, Ranked, SearchResponse


def found_from(ranking: Sequence[Ranked], scope: Scope) -> tuple[Found, ...]:
    """The ranked passages in their order, with figures; one that may no longer be found is left out."""
    return with_figures(read_from(ranking, scope))


def read_from(ranking: Sequence[Ranked], scope: Scope) -> tuple[Found, ...]:
    """The same without figures."""
    chunks = _chunks([ranked.chunk_id for ranked in ranking], scope)
    starts = page_starts_of(chunks.values())
    return tuple(
        _found(chunks[ranked.chunk_id], ranked, starts.get(ranked.chunk_id, ()))
        for ranked in ranking
        if ranked.chunk_id in chunks
    )


def chosen(found: Sequence[Found], k: int, *, settled: bool, first: int) -> tuple[Found, ...]:
    """The first k that say something new. Among nearly equal ones authority decides, unless the order is `settled`;
    the `first` of them stay before the others."""
    ordered = found if settled else [*_by_authority(found[:first]), *_by_authority(found[first:])]
    return tuple(new_among(ordered)[:k])


def _by_authority(found: Sequence[Found]) -> list[Found]:
    return with_authority(found, lambda one: one.score, lambda one: one.doc_type)


def new_among(found: Sequence[Found], said: Iterable[Found] = ()) -> list[Found]:
    """Those that say something which neither one before them nor any of `said` says."""
    return without_repeats(found, _source, [one.text for one in said])


def _source(one: Found) -> Source:
    return Source(one.text, str(one.document_id), one.doc_type)


def with_figures(found: Sequence[Found], least: float = 0.0) -> tuple[Found, ...]:
    """Figures of those whose score is at least `least`: one of a passage that hardly fits would show another matter."""
    figures = figures_for([one.chunk_id for one in found if one.score >= least])
    return tuple(_with_figures(one, figures) for one in found)


def _chunks(ids: Sequence[UUID], scope: Scope) -> dict[UUID, Chunk]:
    if not ids:
        return {}
    chunks = searchable_chunks(scope).filter(id__in=ids).select_related("document").only(*_TOLD).order_by()
    return {chunk.id: chunk for chunk in chunks}


_TOLD = (
    *("heading", "section", "page_start", "page_end", "page_label", "anchor", "text"),
    *(f"document__{name}" for name in ("title", "abbreviation", "doc_type", "edition", "edition_date")),
)


def _with_figures(found: Found, figures: Mapping[UUID, tuple[Figure, ...]]) -> Found:
    return replace(found, images=figures.get(found.chunk_id, ()))


def label_of_chunk(chunk: Chunk) -> str:
    """How a pilot cites this chunk; its document must be at hand."""
    return source_label(
        doc_type=chunk.document.doc_type,
        abbreviation=chunk.document.abbreviation,
        title=chunk.document.title,
        section=chunk.section,
        page_label=chunk.page_label,
        page=chunk.page_start,
    )


def _found(chunk: Chunk, ranked: Ranked, page_starts: PageStarts) -> Found:
    document = chunk.document
    return Found(
        chunk_id=chunk.id,
        document_id=document.id,
        document=document.title,
        abbreviation=document.abbreviation,
        doc_type=document.doc_type,
        edition=edition_of(document),
        heading=chunk.heading,
        section=chunk.section,
        label=label_of_chunk(chunk),
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        page_label=chunk.page_label,
        anchor=chunk.anchor,
        text=chunk.text,
        score=ranked.score,
        similarity=ranked.similarity,
        lexical=ranked.lexical,
        page_starts=page_starts,
    )


def context_from(response: SearchResponse) -> GroundedContext:
    """What a search found, as the only sources that examiner and assessor may rely on: those of most authority first,
    the better before the worse, and where two of them set another limit."""
    told = sorted(response.results, key=lambda one: (-standing(one.doc_type), -one.score))
    disagreeing = tuple(
        Disagreement(conflict.chunks, conflict.quotes, conflict.holds) for conflict in response.conflicts
    )
    return replace(context_of(passages_of(told), response.quality), disagreeing=disagreeing)


def passages_of(found: Iterable[Found]) -> tuple[Passage, ...]:
    """What was found as sources, not yet numbered."""
    return tuple(_passage(one) for one in found)


def _passage(found: Found) -> Passage:
    return Passage(
        n=0,  # numbered by the context
        chunk_id=str(found.chunk_id),
        text=found.text,
        document=found.document,
        abbreviation=found.abbreviation,
        doc_type=found.doc_type,
        heading=found.heading,
        section=found.section,
        label=found.label,
        edition=found.edition,
        page=found.page_start,
        page_label=found.page_label,
        anchor=found.anchor,
        relevance=found.score,
        page_starts=found.page_starts,
    )


def page_starts_of(chunks: Iterable[Chunk]) -> dict[UUID, PageStarts]:
    """For each chunk that runs over several pages where each of them begins in its text, and what is printed on it."""
    wide = [chunk for chunk in chunks if chunk.page_start != chunk.page_end]
    if not wide:
        return {}
    lines = dict(Chunk.objects.filter(id__in=[chunk.id for chunk in wide]).values_list("id", "lines"))
    labels = _labels({chunk.document_id for chunk in wide})
    return {chunk.id: _page_starts(chunk.document_id, lines[chunk.id], labels) for chunk in wide}


def _labels(documents: Iterable[UUID]) -> dict[tuple[UUID, int], str]:
    rows = Page.objects.filter(document_id__in=documents).values_list("document_id", "number", "label")
    return {(document, number): label for document, number, label in rows}


def _page_starts(
    document: UUID, lines: Sequence[Mapping[str, Any]], labels: Mapping[tuple[UUID, int], str]
) -> PageStarts:
    first: dict[int, int] = {}
    for line in lines:
        first.setdefault(line["page"], line["start"])
    return tuple((start, page, labels.get((document, page), "")) for page, start in sorted(first.items()))


def edition_of(document: Document) -> str:
    """As it is printed, else the month of its date."""
    return document.edition or (f"{document.edition_date:%B %Y}" if document.edition_date else "")
