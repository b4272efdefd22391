"""Chunks become passages: what a ranking names is read with all that a citation needs, and nothing more."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple
from uuid import UUID

from knowledge.db.prepared_statements import rows_of
from knowledge.grounding.context import Disagreement, GroundedContext, Passage, context_of
from knowledge.grounding.labels import source_label
from knowledge.models import Chunk
from knowledge.retrieval.authority import standing, with_authority
from knowledge.retrieval.results.figures import figures_for
from knowledge.retrieval.results.near_duplicates import Source, without_repeats
from knowledge.retrieval.searchable import FROM_CHUNKS, Scope, searchable
from knowledge.retrieval.values import Figure, Found, Ranked, SearchResponse


class _Told(NamedTuple):
    """A passage and its document as they are read, in the order of `_TELL`. `edition` is what is printed; `page_starts`
    is JSON."""

    id: UUID
    heading: str
    section: str
    page_start: int | None
    page_end: int | None
    page_label: str
    anchor: str
    text: str
    document_id: UUID
    title: str
    abbreviation: str
    doc_type: str
    edition: str
    edition_date: date | None
    page_starts: str | None

    @property
    def label(self) -> str:
        return source_label(
            doc_type=self.doc_type,
            abbreviation=self.abbreviation,
            title=self.title,
            section=self.section,
            page_label=self.page_label,
            page=self.page_start,
            heading=self.heading,
        )

    @property
    def edition_told(self) -> str:
        return self.edition or (f"{self.edition_date:%B %Y}" if self.edition_date else "")


# Of a passage over several pages also where each begins in its text, and what is printed on it.
_TELL = f"""
    SELECT c.id, c.heading, c.section, c.page_start, c.page_end, c.page_label, c.anchor, c.text,
           c.document_id, d.title, d.abbreviation, d.doc_type, d.edition, d.edition_date,
           CASE WHEN c.page_start IS DISTINCT FROM c.page_end THEN (
               SELECT jsonb_agg(jsonb_build_array(begun.start, begun.page, COALESCE(p.label, '')) ORDER BY begun.page)
               FROM (SELECT (line->>'page')::int AS page, min((line->>'start')::int) AS start
                     FROM jsonb_array_elements(c.lines) AS line GROUP BY 1) AS begun
               LEFT JOIN knowledge_page p ON p.document_id = c.document_id AND p.number = begun.page
           ) END::text
    FROM {FROM_CHUNKS} WHERE c.id = ANY(%(passages)s)"""


def found_from(ranking: Sequence[Ranked], scope: Scope) -> tuple[Found, ...]:
    """The ranked passages in their order, with figures; one that may no longer be found is left out."""
    return with_figures(read_from(ranking, scope))


def read_from(ranking: Sequence[Ranked], scope: Scope) -> tuple[Found, ...]:
    """The same without figures."""
    told = _told([ranked.chunk_id for ranked in ranking], scope)
    return tuple(_found(told[ranked.chunk_id], ranked) for ranked in ranking if ranked.chunk_id in told)


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


def _told(ids: Sequence[UUID], scope: Scope) -> dict[UUID, _Told]:
    """What is told of those of these passages that may be found."""
    if not ids:
        return {}
    allowed = searchable(scope)
    rows = rows_of(f"{_TELL} AND {allowed.sql}", {**allowed.values, "passages": list(ids)})
    return {told.id: told for told in map(_Told._make, rows)}


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
        heading=chunk.heading,
    )


def _found(told: _Told, ranked: Ranked) -> Found:
    return Found(
        chunk_id=told.id,
        document_id=told.document_id,
        document=told.title,
        abbreviation=told.abbreviation,
        doc_type=told.doc_type,
        edition=told.edition_told,
        heading=told.heading,
        section=told.section,
        label=told.label,
        page_start=told.page_start,
        page_end=told.page_end,
        page_label=told.page_label,
        anchor=told.anchor,
        text=told.text,
        score=ranked.score,
        similarity=ranked.similarity,
        lexical=ranked.lexical,
        page_starts=tuple(
            (start, page, label) for start, page, label in json.loads(told.page_starts or "[]")
        ),
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
