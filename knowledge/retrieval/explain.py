"""Explains a search: where each arm ranks a passage, what the filters did, and why a passage was not returned.

It ranks nothing itself. The search's own functions rank every arm, one at a time and without the floor, so this stays
correct when scores change. Explaining writes no log and uses no cache.
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
from knowledge.retrieval.authority import Conflict
from knowledge.retrieval.cache import CachedRanking
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.results import read_passages, read_results
from knowledge.retrieval.scoring import Thresholds, thresholds_for
from knowledge.retrieval.search import (
    PreparedSearch,
    asked_from,
    find_ranking,
    prepare_search,
    quality_of_ranking,
    rank_with_filters,
    scope_for_request,
    score_floor,
    select_results,
)
from knowledge.retrieval.searchable import (
    FROM_CHUNKS,
    Condition,
    Scope,
    filter_condition,
    searchable_condition,
)
from knowledge.retrieval.values import Arm, Filters, Found, Quality, Ranked, SearchRequest, conflicts_among
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model


@dataclass(frozen=True, slots=True)
class Place:
    """A place in one arm's ranking, from 1; the measure that the arm orders by; the score that the floor applies to."""

    rank: int
    value: float
    score: float


Places = Mapping[UUID, Place]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmPlaces:
    """Where each arm ranks the passages, under the filters that led to the answer. `own` is the search's own ranking,
    which looks less far; `reranked_by` names the reranker that it used."""

    vector: Places = field(default_factory=dict)
    lexical: Places = field(default_factory=dict)
    exact: frozenset[UUID] = frozenset()
    fused: Places = field(default_factory=dict)
    reranked: Places = field(default_factory=dict)
    own: frozenset[UUID] = frozenset()
    reranked_by: str = ""
    floor: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One passage. `given` is its place in the answer; if it has none, `why` says what kept it out."""

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
    """What the inferred filters found before they were dropped."""

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
    """Why one passage was not given: `reasons` in the order in which a search meets them, none if it was given."""

    chunk: Chunk
    given: int | None
    reasons: tuple[str, ...]
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


def explain_search(request: SearchRequest, model: EmbeddingModel | None = None) -> Explanation:
    """The request as the search would answer it now. Raises UnknownElement."""
    begun = perf_counter()
    model, request = model or embedding_model(), replace(request, recorded=False)
    scope = scope_for_request(request, model)
    first = prepare_search(request, asked_from(request), scope, model)
    at_vector = perf_counter()
    prepared, ranked = find_ranking(request, first, model)
    at_ranking = perf_counter()
    places = _rank_by_arm(request, prepared, ranked, conf.SEARCH_MAX_K)
    scores = sorted((one.score for one in ranked.ranking), reverse=True)
    rows = _explain_rows(request, _given_by(request, ranked, scope, model), places, scope)
    first_try = None
    if ranked.fallback:
        filters = request.filters.over(prepared.inferred)
        found = rank_with_filters(request, prepared, filters).ranking
        top = max((one.score for one in found), default=None)
        first_try = FirstTry(filters=filters.to_dict(), results=len(found), top=top)
    return Explanation(
        request=request,
        model=model.name,
        semantic=prepared.query.semantic,
        terms=prepared.query.terms,
        numbers=prepared.numbers,
        inferred=prepared.inferred.to_dict(),
        filters=ranked.filters,
        first_try=first_try,
        degraded="; ".join(filter(None, (prepared.degraded, ranked.degraded))),
        reformulated=ranked.reformulated,
        reranked=ranked.reranked,
        floor=score_floor(request, prepared),
        thresholds=thresholds_for(model.name, asks_one=ranked.asks_one),
        quality=quality_of_ranking(ranked, model.name),
        top=scores[0] if scores else None,
        rows=rows,
        conflicts=conflicts_among([row.found for row in rows if row.given]),
        ranked={"vector": len(places.vector), "lexical": len(places.lexical), "exact": len(places.exact)},
        milliseconds={
            "vector": (at_vector - begun) * 1000,
            "ranking": (at_ranking - at_vector) * 1000,
        },
    )


def _given_by(
    request: SearchRequest, ranked: CachedRanking, scope: Scope, model: EmbeddingModel
) -> tuple[Ranked, ...]:
    """What the search gives of the ranking, in its order."""
    by_id = {one.chunk_id: one for one in ranked.ranking}
    found = select_results(request, ranked, read_passages(ranked.ranking, scope), model.name)
    return tuple(by_id[one.chunk_id] for one in found)


# --- The places of all passages ------------------------------------------------------------------------------


def _rank_by_arm(
    request: SearchRequest, prepared: PreparedSearch, ranked: CachedRanking, depth: int
) -> ArmPlaces:
    if not prepared.vector:
        return ArmPlaces()
    filters = Filters(**ranked.filters)

    def rank(arm: Arm) -> tuple[Ranked, ...]:
        wide = replace(request, threshold=0.0, k=depth, arm=arm)
        return rank_with_filters(wide, prepared, filters, depth).ranking

    lexical, fused = rank("lexical"), rank("hybrid")
    reranked = rank_with_filters(replace(request, arm="hybrid+rerank"), prepared, filters).ranking
    exact = frozenset[UUID]()
    if prepared.numbers:
        chunks = {one.chunk_id for one in (*lexical, *fused)}
        exact = frozenset(
            Chunk.objects.filter(pk__in=chunks, section__in=prepared.numbers).values_list("pk", flat=True)
        )
    return ArmPlaces(
        vector={} if prepared.degraded else _places_by(rank("vector"), "similarity"),
        lexical=_places_by(lexical, "lexical"),
        exact=exact,
        fused=_places_by(fused, "score"),
        reranked=_places_of(reranked, "score"),
        own=frozenset(one.chunk_id for one in ranked.ranking),
        reranked_by=ranked.reranked,
        floor=score_floor(request, prepared),
    )


def _places_by(ranking: Sequence[Ranked], measure: str) -> Places:
    """By the arm's own measure: a section that was asked for by number leads every ranking, but not every measure."""
    measured = [one for one in ranking if getattr(one, measure) > 0]
    return _places_of(sorted(measured, key=lambda one: -getattr(one, measure)), measure)


def _places_of(ranking: Sequence[Ranked], measure: str) -> Places:
    return {
        one.chunk_id: Place(rank, float(getattr(one, measure)), one.score)
        for rank, one in enumerate(ranking, 1)
    }


def _explain_rows(
    request: SearchRequest, given: Sequence[Ranked], places: ArmPlaces, scope: Scope
) -> tuple[Row, ...]:
    """What was given, in its order, then what came nearest to it in any arm: a passage that one arm alone likes is
    shown, too."""
    answer = {one.chunk_id: place for place, one in enumerate(given, 1)}
    known = {one.chunk_id: one for one in given}
    best: dict[UUID, int] = {}
    for arm in (places.fused, places.vector, places.lexical):
        for chunk, place in arm.items():
            best[chunk] = min(place.rank, best.get(chunk, place.rank))
    last = Place(len(places.fused) + 1, 0.0, 0.0)
    nearest = sorted(best, key=lambda one: (best[one], places.fused.get(one, last).rank))
    wanted = [*answer, *(one for one in nearest if one not in answer)][
        : max(conf.EXPLAINED_ROWS, len(answer))
    ]
    ranked = [known.get(chunk) or Ranked(chunk, 0.0, 0.0, 0.0) for chunk in wanted]
    return tuple(
        Row(
            found=found,
            vector=places.vector.get(found.chunk_id),
            lexical=places.lexical.get(found.chunk_id),
            exact=found.chunk_id in places.exact,
            fused=places.fused.get(found.chunk_id),
            reranked=places.reranked.get(found.chunk_id),
            given=answer.get(found.chunk_id),
            why=""
            if found.chunk_id in answer
            else _left_out_by(request, found.chunk_id, places, conf.SEARCH_MAX_K),
        )
        for found in read_results(ranked, scope)
    )


def _left_out_by(request: SearchRequest, chunk: UUID, places: ArmPlaces, depth: int) -> str:
    """Which of the last steps left out a passage that came so far."""
    arm = {"vector": places.vector, "lexical": places.lexical}.get(request.arm, places.fused)
    place = arm.get(chunk)
    if place is None:
        return f"not among the first {depth:,} of the ranking"
    if place.score < places.floor:
        return f"below the floor of {places.floor:.2f}"
    if place.rank > request.k:
        return f"place {place.rank:,}; {request.k} are given"
    if chunk not in places.own:
        reread = " or did not like it as well on closer reading" if places.reranked_by else ""
        return f"not in the ranking of the search itself, which looks less far than this page{reread}"
    return "left out by a later step: it says what another passage says, or others were put before it"


# --- One passage that was expected ---------------------------------------------------------------------------


def explain_missing(request: SearchRequest, chunk: Chunk, model: EmbeddingModel | None = None) -> WhyNot:
    """Why the search does not give this passage, condition by condition. Whoever asks must be allowed to read it."""
    model, request = model or embedding_model(), replace(request, recorded=False)
    scope = scope_for_request(request, model)
    if hidden := _why_not_searchable(chunk, scope):
        return WhyNot(chunk=chunk, given=None, reasons=hidden)
    prepared = prepare_search(request, asked_from(request), scope, model)
    if not prepared.vector:
        return WhyNot(chunk=chunk, given=None, reasons=("The question has no word to look for.",))
    prepared, ranked = find_ranking(request, prepared, model)
    given = _given_by(request, ranked, scope, model)
    place = next((at for at, one in enumerate(given, 1) if one.chunk_id == chunk.pk), None)
    has, lacks = _terms_in_chunk(chunk, prepared.query.terms)
    reasons = () if place else _why_left_out(request, chunk, prepared, ranked, has)
    return WhyNot(chunk=chunk, given=place, reasons=reasons, has=has, lacks=lacks)


def _why_left_out(
    request: SearchRequest,
    chunk: Chunk,
    prepared: PreparedSearch,
    ranked: CachedRanking,
    has: Sequence[str],
) -> tuple[str, ...]:
    filtered = tuple(
        f"The filter by {_FILTER_NAMES.get(name, name)} leaves it out: asked for {_in_words(value)}."
        for name, value in ranked.filters.items()
        if not _holds(chunk, filter_condition(Filters(**{name: value}), request.tenant))
    )
    if filtered:
        return filtered
    if not _holds(chunk, filter_condition(Filters(**ranked.filters), request.tenant)):
        return ("It has Tasks of the certificate and of the aircraft class, but no one Task of both.",)
    places = _rank_by_arm(request, prepared, ranked, conf.EXPLAINED_DEPTH)
    said = []
    if request.arm != "lexical":
        place = places.vector.get(chunk.pk)
        if prepared.degraded:
            said.append(f"The vector leg was not asked: {prepared.degraded}.")
        elif place is None:
            said.append(f"It is not among the first {conf.EXPLAINED_DEPTH:,} of the vector leg.")
        else:
            near = f"with a similarity of {place.value:.2f}"
            said.append(f"It has rank {place.rank:,} in the vector leg, {near}.")
    if request.arm != "vector":
        place = places.lexical.get(chunk.pk)
        if place is not None:
            weight = f"with {place.value:.2f} of the words’ weight"
            said.append(f"It has rank {place.rank:,} in the keyword leg, {weight}.")
        elif has:
            why = "the words that it has are common, or others have more of them"
            said.append(f"The keyword leg did not bring it: {why}.")
        else:
            said.append("It has no word of the query.")
    return (*said, f"At the end: {_left_out_by(request, chunk.pk, places, conf.EXPLAINED_DEPTH)}.")


def _why_not_searchable(chunk: Chunk, scope: Scope) -> tuple[str, ...]:
    """Each part of the condition `searchable_condition` that the passage does not meet."""
    document = chunk.document
    own = document.tenant_id is not None and document.tenant_id == scope.tenant
    shared = document.tenant_id is None and scope.shared
    status = {"draft": "a draft", "archived": "archived"}.get(document.status, document.status)
    has_vector = ChunkEmbedding.objects.filter(chunk=chunk, model=scope.model, state="current").exists()
    refused = [
        (
            chunk.retired_at is not None,
            "Its document was divided into passages again since; other passages hold its words.",
        ),
        (
            document.status != DocumentStatus.PUBLISHED,
            f"Its document is not published (it is {status}).",
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
        (not has_vector, f"It has no vector of {scope.model}, the model that searches use."),
    ]
    reasons = tuple(why for is_refused, why in refused if is_refused)
    if reasons or _holds(chunk, searchable_condition(scope)):
        return reasons
    return ("Searches leave it out for a reason that this page does not know.",)


def _holds(chunk: Chunk, condition: Condition) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT EXISTS (SELECT 1 FROM {FROM_CHUNKS} WHERE c.id = %(this_chunk)s AND {condition.sql})",
            {**condition.values, "this_chunk": chunk.pk},
        )
        return bool(cursor.fetchone()[0])


_FILTER_NAMES = {
    "doc_types": "kind of document",
    "abbreviation": "document",
    "chapter": "chapter",
    "sections": "section",
    "category": "category",
    "certificate": "certificate",
    "aircraft_class": "aircraft class",
    "task": "Task",
    "serves": "element served",
}


def _in_words(value: Any) -> str:
    return value if isinstance(value, str) else ", ".join(map(str, value))


def _terms_in_chunk(chunk: Chunk, terms: Sequence[Term]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The terms of the query that the passage has, and those that it lacks; stop words are neither."""
    if not terms:
        return (), ()
    sql = """
        SELECT parsed.at, COALESCE(c.search_vector @@ parsed.q, FALSE)
        FROM (SELECT at, to_tsquery('english', term) AS q
              FROM unnest(%(terms)s::text[]) WITH ORDINALITY AS asked (term, at)) AS parsed
        JOIN knowledge_chunk c ON c.id = %(chunk)s
        WHERE numnode(parsed.q) > 0 ORDER BY parsed.at"""
    with connection.cursor() as cursor:
        cursor.execute(sql, {"terms": [term.tsquery() for term in terms], "chunk": chunk.pk})
        named = [(" / ".join(terms[at - 1].wordings), there) for at, there in cursor.fetchall()]
    return tuple(word for word, there in named if there), tuple(word for word, there in named if not there)
