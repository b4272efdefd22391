"""Reads the passages of a ranking, leaves out repetitions, adds figures, and returns them as sources.

Visibility is checked again when passages are read. A passage repeats another if nearly all its runs of words occur
there, with all its numbers and the same words for day, night, and denial. The better one stays, or the one with more
authority.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

from knowledge import conf
from knowledge.db.connections import fetch_prepared
from knowledge.grounding.citations import source_label
from knowledge.grounding.context import Disagreement, GroundedContext, Passage, context_of
from knowledge.models import Chunk
from knowledge.models.documents import LinkStrategy
from knowledge.retrieval.authority import authority_of, sort_by_authority
from knowledge.retrieval.searchable import FROM_CHUNKS, Scope, searchable_condition
from knowledge.retrieval.values import Figure, Found, Ranked, SearchResponse

One = TypeVar("One")


# --- Reading -------------------------------------------------------------------------------------------------

# For a passage of several pages also where each page begins in its text, and the printed label of each.
_READ_PASSAGES = f"""
    SELECT c.id, c.heading, c.section, c.page_start, c.page_end, c.page_label, c.anchor, c.text,
           c.document_id, d.title, d.abbreviation, d.doc_type, d.edition, d.edition_date,
           CASE WHEN c.page_start IS DISTINCT FROM c.page_end THEN (
               SELECT jsonb_agg(jsonb_build_array(begun.start, begun.page, COALESCE(p.label, '')) ORDER BY begun.page)
               FROM (SELECT (line->>'page')::int AS page, min((line->>'start')::int) AS start
                     FROM jsonb_array_elements(c.lines) AS line GROUP BY 1) AS begun
               LEFT JOIN knowledge_page p ON p.document_id = c.document_id AND p.number = begun.page
           ) END::text
    FROM {FROM_CHUNKS} WHERE c.id = ANY(%(passages)s)"""


def read_results(ranking: Sequence[Ranked], scope: Scope) -> tuple[Found, ...]:
    """The ranked passages in their order, with figures; one that may no longer be found is left out."""
    return add_figures(read_passages(ranking, scope))


def read_passages(ranking: Sequence[Ranked], scope: Scope) -> tuple[Found, ...]:
    """The same without figures."""
    if not ranking:
        return ()
    allowed = searchable_condition(scope)
    values = {**allowed.values, "passages": [ranked.chunk_id for ranked in ranking]}
    rows = {row[0]: row for row in fetch_prepared(f"{_READ_PASSAGES} AND {allowed.sql}", values)}
    return tuple(_found_from_row(rows[one.chunk_id], one) for one in ranking if one.chunk_id in rows)


def _found_from_row(row: Sequence[Any], ranked: Ranked) -> Found:
    """`row` has the columns of `_READ_PASSAGES`."""
    (chunk_id, heading, section, page_start, page_end, page_label, anchor, text) = row[:8]
    (document_id, title, abbreviation, doc_type, edition, edition_date, page_starts) = row[8:]
    label = source_label(
        doc_type=doc_type,
        abbreviation=abbreviation,
        title=title,
        section=section,
        page_label=page_label,
        page=page_start,
        heading=heading,
    )
    return Found(
        chunk_id=chunk_id,
        document_id=document_id,
        document=title,
        abbreviation=abbreviation,
        doc_type=doc_type,
        edition=edition or (f"{edition_date:%B %Y}" if edition_date else ""),
        heading=heading,
        section=section,
        label=label,
        page_start=page_start,
        page_end=page_end,
        page_label=page_label,
        anchor=anchor,
        text=text,
        score=ranked.score,
        similarity=ranked.similarity,
        lexical=ranked.lexical,
        page_starts=tuple((start, page, printed) for start, page, printed in json.loads(page_starts or "[]")),
    )


def label_of_chunk(chunk: Chunk) -> str:
    """How a pilot cites this chunk; its document must be loaded."""
    return source_label(
        doc_type=chunk.document.doc_type,
        abbreviation=chunk.document.abbreviation,
        title=chunk.document.title,
        section=chunk.section,
        page_label=chunk.page_label,
        page=chunk.page_start,
        heading=chunk.heading,
    )


# --- Choosing ------------------------------------------------------------------------------------------------


def choose_results(found: Sequence[Found], k: int, *, keep_order: bool, first: int) -> tuple[Found, ...]:
    """The first k that say something new. Among nearly equal ones authority decides, unless the order is final; the
    `first` of them stay before the others."""

    def sort(some: Sequence[Found]) -> list[Found]:
        return sort_by_authority(some, lambda one: one.score, lambda one: one.doc_type)

    ordered = found if keep_order else [*sort(found[:first]), *sort(found[first:])]
    return tuple(new_among(ordered)[:k])


def new_among(found: Sequence[Found], said: Iterable[Found] = ()) -> list[Found]:
    """Those that say something which neither one before them nor any of `said` says."""

    def source_of(one: Found) -> Source:
        return Source(one.text, str(one.document_id), one.doc_type)

    return drop_repeats(found, source_of, [one.text for one in said])


_DECIDING = frozenset({"day", "night", "not", "no", "never", "except", "unless"})


@dataclass(frozen=True)
class ComparedText:
    """A text as it is compared. The deciding words are compared first: most texts differ there, so that their runs are
    never made."""

    words: Sequence[str]

    @cached_property
    def different(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def deciding(self) -> frozenset[str]:
        """Numbers, and words that turn what is said."""
        numbers = (word for word in self.different if not word.isalpha() and any(map(str.isdigit, word)))
        return frozenset(numbers) | self.different & _DECIDING

    @cached_property
    def runs_in_order(self) -> tuple[int, ...]:
        """Hashes of runs of words, each beginning one word later."""
        size = min(conf.REPEATED_RUN, max(1, len(self.words)))
        return tuple(map(hash, zip(*(self.words[at:] for at in range(size)), strict=False)))

    @cached_property
    def runs(self) -> frozenset[int]:
        return frozenset(self.runs_in_order)

    def repeats(self, other: "ComparedText") -> bool:
        """Whether the other has said nearly all of it."""
        if not self.words:
            return True
        if not self.deciding <= other.deciding:
            return False
        # For each different word that the other lacks there is a run that it lacks, too.
        if len(self.different - other.different) > (1 - conf.REPEATED_SHARE) * len(self.words):
            return False
        return len(self.runs & other.runs) >= conf.REPEATED_SHARE * len(self.runs)

    def overlaps(self, other: "ComparedText") -> bool:
        """Whether most of it is the end or the beginning of the other, as where a text was cut with an overlap."""
        own, others = self.runs_in_order, other.runs_in_order
        return max(_overlap(others, own), _overlap(own, others)) >= conf.OVERLAP_SHARE * len(own)


def _overlap(before: Sequence[int], behind: Sequence[int]) -> int:
    """How many runs the one ends with and the other begins with."""
    ends = (at + 1 for at, run in enumerate(behind) if before and run == before[-1])
    return max((size for size in ends if before[-size:] == behind[:size]), default=0)


def compared_text(text: str) -> ComparedText:
    return ComparedText(re.findall(r"[a-z0-9]+(?:[.,'’/-][a-z0-9]+)*", text.lower()))


@dataclass(frozen=True, slots=True)
class Source:
    """What repetitions are told by: the text, its document and that document's type."""

    text: str
    document: str
    doc_type: str


def drop_repeats(
    passages: Sequence[One], source: Callable[[One], Source], said: Sequence[str] = ()
) -> list[One]:
    """The passages that say something new, in their order; nothing that `said` says is given again. One of more
    authority takes the place of the one that it repeats."""
    known = [compared_text(text) for text in said]
    kept: list[One] = []
    given: list[tuple[ComparedText, Source]] = []
    for one in passages:
        new = source(one)
        own = compared_text(new.text)
        if any(own.repeats(other) for other in known):
            continue
        for at, (other, before) in enumerate(given):
            has_more_authority = authority_of(new.doc_type) > authority_of(before.doc_type)
            is_repeated_by = has_more_authority and other.repeats(own)
            is_overlap = new.document == before.document and own.overlaps(other)
            if is_overlap or is_repeated_by or own.repeats(other):
                if is_repeated_by:
                    kept[at], given[at] = one, (own, new)
                break
        else:
            kept.append(one)
            given.append((own, new))
    return kept


# --- Figures -------------------------------------------------------------------------------------------------

FIGURE_PRIORITY = {LinkStrategy.FIGURE_REF: 0, LinkStrategy.CAPTION_MATCH: 1, LinkStrategy.SAME_PAGE: 2}

_READ_FIGURES = """
    SELECT link.chunk_id, link.image_id, link.strategy, link.relevance, i.page, i.figure_label, i.caption
    FROM knowledge_chunkimagelink link JOIN knowledge_image i ON i.id = link.image_id
    WHERE link.chunk_id = ANY(%(chunks)s)"""


def add_figures(found: Sequence[Found], least: float = 0.0) -> tuple[Found, ...]:
    """Figures of the passages that score at least `least`: one of a passage that hardly fits shows another matter."""
    figures = figures_for([one.chunk_id for one in found if one.score >= least])
    return tuple(replace(one, images=figures.get(one.chunk_id, ())) for one in found)


def figures_for(chunk_ids: Sequence[UUID]) -> dict[UUID, tuple[Figure, ...]]:
    """Figures by chunk, IMAGES_PER_SEARCH at most in all, each beside the passage that it is best linked to. A link by
    page alone ranks last, whatever its relevance."""
    if not chunk_ids:
        return {}
    place = {chunk_id: at for at, chunk_id in enumerate(chunk_ids)}

    def order(link: tuple[Any, ...]) -> tuple[Any, ...]:
        chunk_id, image_id, strategy, relevance, page, *_ = link
        return FIGURE_PRIORITY[LinkStrategy(strategy)], place[chunk_id], -relevance, page, str(image_id)

    best: dict[UUID, tuple[Any, ...]] = {}
    for link in sorted(fetch_prepared(_READ_FIGURES, {"chunks": list(chunk_ids)}), key=order):
        best.setdefault(link[1], link)
    figures: defaultdict[UUID, tuple[Figure, ...]] = defaultdict(tuple)
    for chunk_id, image_id, strategy, relevance, page, label, caption in list(best.values())[
        : conf.IMAGES_PER_SEARCH
    ]:
        figures[chunk_id] += (
            Figure(
                image_id=image_id,
                figure_label=label,
                caption=caption,
                page=page,
                relevance=relevance,
                strategy=strategy,
            ),
        )
    return dict(figures)


# --- Sources for examiner and assessor -----------------------------------------------------------------------


def context_from(response: SearchResponse) -> GroundedContext:
    """The results as the only sources that examiner and assessor may rely on: by authority, then by score, with the
    pairs that set different limits."""
    told = sorted(response.results, key=lambda one: (-authority_of(one.doc_type), -one.score))
    disagreeing = tuple(
        Disagreement(conflict.chunks, conflict.quotes, conflict.holds) for conflict in response.conflicts
    )
    return replace(context_of(passages_of(told), response.quality), disagreeing=disagreeing)


def passages_of(found: Iterable[Found]) -> tuple[Passage, ...]:
    """What was found as sources, not yet numbered."""
    return tuple(
        Passage(
            n=0,  # numbered by the context
            chunk_id=str(one.chunk_id),
            text=one.text,
            document=one.document,
            abbreviation=one.abbreviation,
            doc_type=one.doc_type,
            heading=one.heading,
            section=one.section,
            label=one.label,
            edition=one.edition,
            page=one.page_start,
            page_label=one.page_label,
            anchor=one.anchor,
            relevance=one.score,
            page_starts=one.page_starts,
        )
        for one in found
    )
