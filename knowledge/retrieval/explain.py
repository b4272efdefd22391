"""A search is taken apart: where each leg puts a passage, what came of the filters, and why one was not given.

Nothing is ranked here. Every leg is ranked by the search's own functions, one arm at a time and without the floor, so
that this stays right when scores change. Explaining writes no log and keeps nothing in the cache.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any
from uuid import UUID

from django.db import connection

from knowledge import conf
from knowledge.models import Chunk, ChunkEmbedding
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.retrieval.cache import Kept
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.query.filters import mentions_in
from knowledge.retrieval.query.quality import Thresholds, thresholds_for
from knowledge.retrieval.results.passages import found_from, read_from
from knowledge.retrieval.search import (
    Prepared,
    answered,
    asked_from,
    floor_of,
    given_of,
    prepare,
    quality_of_kept,
    ranking_of,
    scope_of,
)
from knowledge.retrieval.searchable import FROM_CHUNKS, Scope, belongs, searchable
from knowledge.retrieval.source_conflicts import Conflict
from knowledge.retrieval.values import Arm, Filters, Found, Quality, Ranked, SearchRequest, conflicts_among
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model


@dataclass(frozen=True, slots=True)
class Place:
    """A place in one leg, from 1; the measure by which that leg orders; the score that is held against the floor."""

    rank: int
    value: float
    score: float


Leg = Mapping[UUID, Place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """Where each way of ranking puts the passages, under the filters that led to the answer. `own` is the
    search's own ranking, which looks less far: what it kept above its floor, for those that are given and some more.
    `reread` says by what passages were read again."""

    vector: Leg = field(default_factory=dict)
    lexical: Leg = field(default_factory=dict)
    exact: frozenset[UUID] = frozenset()
    fused: Leg = field(default_factory=dict)
    reranked: Leg = field(default_factory=dict)
    own: frozenset[UUID] = frozenset()
    reread: str = ""
    floor: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One passage. `given` is its place in the answer; without one, `why` says what kept it out."""

    found: Found
    vector: Place | None
    lexical: Place | None
    exact: bool
    fused: Place | None
    reranked: Place | None
    given: int | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTry:
    """What the filters that were inferred found, before they were dropped."""

    filters: dict[str, Any]
    results: int
    top: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    request: SearchRequest
    model: str
    semantic: str
    terms: tuple[Term, ...]
    numbers: tuple[str, ...]
    inferred: dict[str, Any]
    filters: dict[str, Any]
    first_try: FirstTry | None
    degraded: str
    reformulated: str
    floor: float
    thresholds: Thresholds
    quality: Quality
    top: float | None
    rows: tuple[Row, ...]
    conflicts: tuple[Conflict, ...]
    reranked: str
    ranked: Mapping[str, int]
    milliseconds: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """Of one passage that was expected: `reasons` in the order in which a search meets them; none if it was given."""

    chunk: Chunk
    given: int | None
    reasons: tuple[str, ...]
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


def explain(request: SearchRequest, model: EmbeddingModel | None = None) -> Explanation:
    """The request as the search would answer it now. Raises UnknownElement."""
    begun = perf_counter()
    model, request = model or embedding_model(), replace(request, recorded=False)
    scope = scope_of(request, model)
    first = prepare(request, asked_from(request), scope, model)
    at_vector = perf_counter()
    prepared, kept = answered(request, first, model)
    at_ranking = perf_counter()
    filters = Filters(**kept.filters)
    legs = _legs(request, prepared, kept, conf.SEARCH_MAX_K)
    scores = sorted((one.score for one in kept.ranking), reverse=True)
    rows = _rows(request, _given(request, kept, scope, model), legs, scope)
    return Explanation(
        request=request,
        model=model.name,
        semantic=prepared.query.semantic,
        terms=prepared.query.terms,
        numbers=_numbers(prepared),
        inferred=prepared.inferred.to_dict(),
        filters=filters.to_dict(),
        first_try=_first_try(request, prepared) if kept.fallback else None,
        degraded="; ".join(filter(None, (prepared.degraded, kept.degraded))),
        reformulated=kept.reformulated,
        reranked=kept.reranked,
        floor=floor_of(request, prepared),
        thresholds=thresholds_for(model.name, asks_one=kept.asks_one),
        quality=quality_of_kept(kept, model.name),
        top=scores[0] if scores else None,
        rows=rows,
        conflicts=conflicts_among([row.found for row in rows if row.given]),
        ranked={"vector": len(legs.vector), "lexical": len(legs.lexical), "exact": len(legs.exact)},
        milliseconds={
            "vector": (at_vector - begun) * 1000,
            "ranking": (at_ranking - at_vector) * 1000,
        },
    )


def _given(request: SearchRequest, kept: Kept, scope: Scope, model: EmbeddingModel) -> tuple[Ranked, ...]:
    """What the search gives of the ranking, in its order."""
    ranked = {one.chunk_id: one for one in kept.ranking}
    found = given_of(request, kept, read_from(kept.ranking, scope), model.name)
    return tuple(ranked[one.chunk_id] for one in found)


def _numbers(prepared: Prepared) -> tuple[str, ...]:
    asked = prepared.asked
    return mentions_in(f"{asked.text} {asked.question} {asked.answer}").numbers


def _first_try(request: SearchRequest, prepared: Prepared) -> FirstTry:
    filters = request.filters.over(prepared.inferred)
    found = ranking_of(request, prepared, filters)
    top = max((one.score for one in found), default=None)
    return FirstTry(filters=filters.to_dict(), results=len(found), top=top)


# --- the legs ------------------------------------------------------------


def _legs(request: SearchRequest, prepared: Prepared, kept: Kept, depth: int) -> Legs:
    if not prepared.vector:
        return Legs()
    filters = Filters(**kept.filters)
    wide = replace(request, threshold=0.0, k=depth)

    def ranking(arm: Arm) -> tuple[Ranked, ...]:
        return ranking_of(replace(wide, arm=arm), prepared, filters, depth)

    lexical = ranking("lexical")
    fused = ranking("hybrid")
    reranked = ranking_of(replace(request, arm="hybrid+rerank"), prepared, filters)
    everything = {one.chunk_id for one in (*lexical, *fused)}
    return Legs(
        vector={} if prepared.degraded else _ordered(ranking("vector"), "similarity"),
        lexical=_ordered(lexical, "lexical"),
        exact=_exact(everything, _numbers(prepared)),
        fused=_ordered(fused, "score"),
        reranked=_places(reranked, "score"),
        own=frozenset(one.chunk_id for one in kept.ranking),
        reread=kept.reranked,
        floor=floor_of(request, prepared),
    )


def _ordered(ranking: Sequence[Ranked], measure: str) -> Leg:
    """By the leg's own measure: a section that was asked for by number leads every ranking, but not every leg."""
    measured = [one for one in ranking if getattr(one, measure) > 0]
    return _places(sorted(measured, key=lambda one: -getattr(one, measure)), measure)


def _places(ranking: Sequence[Ranked], measure: str) -> Leg:
    return {
        one.chunk_id: Place(rank, float(getattr(one, measure)), one.score)
        for rank, one in enumerate(ranking, 1)
    }


def _exact(chunks: set[UUID], numbers: tuple[str, ...]) -> frozenset[UUID]:
    if not numbers:
        return frozenset()
    return frozenset(Chunk.objects.filter(pk__in=chunks, section__in=numbers).values_list("pk", flat=True))


def _rows(request: SearchRequest, given: Sequence[Ranked], legs: Legs, scope: Scope) -> tuple[Row, ...]:
    """What was given, in its order, then what came nearest to it in any leg."""
    answer = {one.chunk_id: place for place, one in enumerate(given, 1)}
    known = {one.chunk_id: one for one in given}
    others = [chunk for chunk in _best_first(legs) if chunk not in answer]
    wanted = [*answer, *others][: max(conf.EXPLAINED_ROWS, len(answer))]
    ranked = [known.get(chunk) or Ranked(chunk, 0.0, 0.0, 0.0) for chunk in wanted]
    return tuple(_row(request, found, answer, legs) for found in found_from(ranked, scope))


def _best_first(legs: Legs) -> list[UUID]:
    """By the best place in any leg, so that a passage which one leg alone likes is seen, too."""
    best: dict[UUID, int] = {}
    for leg in (legs.fused, legs.vector, legs.lexical):
        for chunk, place in leg.items():
            best[chunk] = min(place.rank, best.get(chunk, place.rank))
    last = len(legs.fused) + 1
    return sorted(
        best, key=lambda chunk: (best[chunk], legs.fused[chunk].rank if chunk in legs.fused else last)
    )


def _row(request: SearchRequest, found: Found, answer: Mapping[UUID, int], legs: Legs) -> Row:
    chunk = found.chunk_id
    return Row(
        found=found,
        vector=legs.vector.get(chunk),
        lexical=legs.lexical.get(chunk),
        exact=chunk in legs.exact,
        fused=legs.fused.get(chunk),
        reranked=legs.reranked.get(chunk),
        given=answer.get(chunk),
        why="" if chunk in answer else _kept_out(request, chunk, legs, conf.SEARCH_MAX_K),
    )


def _kept_out(request: SearchRequest, chunk: UUID, legs: Legs, depth: int) -> str:
    """What of the last steps kept a passage out that came so far."""
    place = {"vector": legs.vector, "lexical": legs.lexical}.get(request.arm, legs.fused).get(chunk)
    if place is None:
        return f"not among the first {depth:,} of the ranking"
    if place.score < legs.floor:
        return f"below the floor of {legs.floor:.2f}"
    if place.rank > request.k:
        return f"place {place.rank:,}; {request.k} are given"
    if chunk not in legs.own:
        reread = " or did not like it as well on closer reading" if legs.reread else ""
        return f"not in the ranking of the search itself, which looks less far than this page{reread}"
    return "left out by a later step: it says what another passage says, or others were put before it"


# --- one passage that was expected --------------------------------------


def why_not(request: SearchRequest, chunk: Chunk, model: EmbeddingModel | None = None) -> WhyNot:
    """Why the search does not give this passage, condition by condition. Whoever asks must be allowed to read it."""
    model, request = model or embedding_model(), replace(request, recorded=False)
    scope = scope_of(request, model)
    hidden = _not_searchable(chunk, scope)
    if hidden:
        return WhyNot(chunk=chunk, given=None, reasons=hidden)
    prepared = prepare(request, asked_from(request), scope, model)
    if not prepared.vector:
        return WhyNot(chunk=chunk, given=None, reasons=("The question has no word to look for.",))
    prepared, kept = answered(request, prepared, model)
    ranking = _given(request, kept, scope, model)
    given = next((at for at, one in enumerate(ranking, 1) if one.chunk_id == chunk.pk), None)
    has, lacks = _words(chunk, prepared.query.terms)
    reasons = () if given else _reasons(request, chunk, prepared, kept, has)
    return WhyNot(chunk=chunk, given=given, reasons=reasons, has=has, lacks=lacks)


def _reasons(
    request: SearchRequest, chunk: Chunk, prepared: Prepared, kept: Kept, has: Sequence[str]
) -> tuple[str, ...]:
    filtered = _filtered_out(chunk, Filters(**kept.filters))
    if filtered:
        return filtered
    legs = _legs(request, prepared, kept, conf.EXPLAINED_DEPTH)
    said = [] if request.arm == "lexical" else [_in_vector_leg(legs.vector.get(chunk.pk), prepared)]
    if request.arm != "vector":
        said.append(_in_lexical_leg(legs.lexical.get(chunk.pk), has))
    return (*said, f"At the end: {_kept_out(request, chunk.pk, legs, conf.EXPLAINED_DEPTH)}.")


def _in_vector_leg(place: Place | None, prepared: Prepared) -> str:
    if prepared.degraded:
        return f"The vector leg was not asked: {prepared.degraded}."
    if place is None:
        return f"It is not among the first {conf.EXPLAINED_DEPTH:,} of the vector leg."
    return f"It has rank {place.rank:,} in the vector leg, with a similarity of {place.value:.2f}."


def _in_lexical_leg(place: Place | None, has: Sequence[str]) -> str:
    if place is not None:
        return f"It has rank {place.rank:,} in the keyword leg, with {place.value:.2f} of the words’ weight."
    if has:
        return (
            "The keyword leg did not bring it: the words that it has are common, or others have more of them."
        )
    return "It has no word of the query."


def _not_searchable(chunk: Chunk, scope: Scope) -> tuple[str, ...]:
    """The one predicate, condition by condition; what it refuses for a reason not listed here is said to be so."""
    found = tuple(why for refused, why in _conditions(chunk, scope) if refused)
    if found or _passes(chunk, scope):
        return found
    return ("Searches leave it out for a reason that this page does not know.",)


def _conditions(chunk: Chunk, scope: Scope) -> list[tuple[bool, str]]:
    document = chunk.document
    own = document.tenant_id is not None and document.tenant_id == scope.tenant
    shared = document.tenant_id is None and scope.shared
    current, stale = _vectors(chunk, scope.model)
    return [
        (
            chunk.retired_at is not None,
            "Its document was chunked again since; other passages hold its words.",
        ),
        (
            document.status != DocumentStatus.PUBLISHED,
            f"Its document is not published (it is {_status(document.status)}).",
        ),
        (
            document.deprecated_at is not None,
            f"Its document is deprecated: {document.deprecated_reason or 'no reason was given'}.",
        ),
        (document.superseded_by_id is not None, "Its edition was superseded by a newer one."),
        (
            chunk.kind in ("toc", "index"),
            "It is part of a table of contents or an index, which are not searched.",
        ),
        (not (own or shared), "Its document belongs to another school."),
        (
            document.doc_type == DocType.ACS and not scope.standards,
            "It is of a certification standard, which says what an element asks and not what is right.",
        ),
        (stale and not current, f"Its vector of {scope.model} is out of date: the text changed since."),
        (not stale and not current, f"It has no vector of {scope.model}, the model that searches use."),
    ]


def _status(status: str) -> str:
    return {"draft": "a draft", "archived": "archived"}.get(status, status)


def _vectors(chunk: Chunk, model: str) -> tuple[bool, bool]:
    """Whether there is a current vector of the model, and whether there is another."""
    states = set(ChunkEmbedding.objects.filter(chunk=chunk, model=model).values_list("state", flat=True))
    return "current" in states, bool(states - {"current"})


def _passes(chunk: Chunk, scope: Scope, filters: Filters | None = None) -> bool:
    condition = searchable(scope) if filters is None else searchable(scope) & belongs(filters)
    return _holds(chunk, condition.sql, condition.values)


def _holds(chunk: Chunk, sql: str, values: Mapping[str, Any]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT EXISTS (SELECT 1 FROM {FROM_CHUNKS} WHERE c.id = %(this_chunk)s AND {sql})",
            {**values, "this_chunk": chunk.pk},
        )
        return bool(cursor.fetchone()[0])


_FILTERED = {
    "doc_types": "kind of document",
    "abbreviation": "document",
    "chapter": "chapter",
    "sections": "section",
    "category": "category",
    "certificate": "certificate",
    "aircraft_class": "aircraft class",
    "task": "Task",
}


def _filtered_out(chunk: Chunk, filters: Filters) -> tuple[str, ...]:
    """Each filter that it does not pass, with what was asked for."""
    given = filters.to_dict()
    return tuple(
        f"The filter by {_FILTERED.get(name, name)} leaves it out: asked for {_said(value)}."
        for name, value in given.items()
        if not _belongs(chunk, Filters(**{name: value}))
    )


def _belongs(chunk: Chunk, filters: Filters) -> bool:
    condition = belongs(filters)
    return _holds(chunk, condition.sql, condition.values)


def _said(value: Any) -> str:
    return value if isinstance(value, str) else ", ".join(map(str, value))


def _words(chunk: Chunk, terms: Sequence[Term]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The terms of the query that stand in the passage, and those that do not; stop words are neither."""
    if not terms:
        return (), ()
    with connection.cursor() as cursor:
        cursor.execute(_STANDS, {"terms": [term.tsquery() for term in terms], "chunk": chunk.pk})
        stands = cursor.fetchall()
    said = [(" / ".join(terms[at - 1].wordings), there) for at, there in stands]
    return tuple(word for word, there in said if there), tuple(word for word, there in said if not there)


_STANDS = """
    SELECT parsed.at, COALESCE(c.search_vector @@ parsed.q, FALSE)
    FROM (SELECT at, to_tsquery('english', term) AS q
          FROM unnest(%(terms)s::text[]) WITH ORDINALITY AS asked (term, at)) AS parsed
    JOIN knowledge_chunk c ON c.id = %(chunk)s
    WHERE numnode(parsed.q) > 0 ORDER BY parsed.at"""
