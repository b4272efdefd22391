"""A search request becomes passages: the one door through which the library is searched.

The query is built with the element under test, filters are inferred from its words, the ranking is made or
found in the cache, a poor one is made again without the inferred filters, and every look-up is logged. No database
connection is held while a model makes the vector.
"""

from dataclasses import asdict
from time import perf_counter
from typing import Any

from knowledge import conf
from knowledge.connections import give_connection_back
from knowledge.flags import is_on
from knowledge.generations import generations_of
from knowledge.models import AcsElement, RetrievalLog
from knowledge.standards.elements import element_named
from llm.errors import EmptyText
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model

from . import cache
from .fallback import is_too_poor
from .filters import filters_from, mentions_in
from .hybrid import Search, rank
from .passages import found_from
from .quality import quality_of
from .query import Asked, Query, build_query
from .rerank import rerank
from .searchable import Scope
from .values import Filters, Found, Ranked, SearchRequest, SearchResponse

FILTER_FLAG = "rag.metadata_filter"


def search(
    request: SearchRequest, model: EmbeddingModel | None = None, *, element: AcsElement | None = None
) -> SearchResponse:
    """The best passages for a request, best first, and how good they are.

    Raises UnknownElement for a code that no standard has. `model` is the registry's unless a test gives one; `element`
    is the row of the request's element, where it has been read before.
    """
    started = perf_counter()
    model = model or embedding_model()
    asked = asked_from(request, element)
    scope = Scope(tenant=request.tenant, shared=request.shared, model=model.name)
    key = _key(request, asked, scope)
    remembered = cache.kept(key)
    found = found_from(remembered.ranking, scope) if remembered else ()
    hit = remembered is not None and len(found) == len(remembered.ranking)
    if remembered is None or not hit:
        remembered = _made(request, asked, scope, model)
        cache.keep(key, remembered)
        found = found_from(remembered.ranking, scope)
    return _logged(
        request, _response(request, asked, model.name, remembered, found, hit, started), model.name
    )


def asked_from(request: SearchRequest, element: AcsElement | None = None) -> Asked:
    """What the query is made of; the element by its own text, its parent's and its Task's title."""
    if request.element and element is None:
        element = element_named(request.element)
    about = element_text(element) if element else ""
    return Asked(text=request.query, element=about, question=request.question, answer=request.answer)


def element_text(element: AcsElement) -> str:
    """A sub-element says little without the element that it belongs to: "Airports" of "Chart symbols"."""
    parent = element.parent.text.rstrip(":. ") if element.parent else ""
    return ". ".join(filter(None, (element.task.title, parent, element.text.rstrip(": "))))


def _key(request: SearchRequest, asked: Asked, scope: Scope) -> str:
    return cache.key_of(
        asked=asdict(asked),
        scope=asdict(scope),
        filters=request.filters.to_dict(),
        limits=(request.k, request.floor, request.arm),
        inferring=is_on(FILTER_FLAG),
        generations=generations_of(request.tenant),
    )


def _made(request: SearchRequest, asked: Asked, scope: Scope, model: EmbeddingModel) -> cache.Kept:
    """A ranking; under inferred filters that find too little, one without them. What was asked for stays."""
    query = build_query(asked)
    nothing = cache.Kept((), request.filters.to_dict(), fallback=False)
    if not query.semantic:
        return nothing
    give_connection_back()
    try:
        vector = model.embed_query(query.semantic)
    except EmptyText:  # signs alone
        return nothing
    inferred = filters_from(f"{asked.text} {asked.question}") if is_on(FILTER_FLAG) else Filters()
    filters = request.filters.over(inferred)
    ranking = _ranking(request, asked, query, vector, scope, filters)
    if filters == request.filters or not is_too_poor([ranked.score for ranked in ranking]):
        return cache.Kept(ranking, filters.to_dict(), fallback=False)
    wider = _ranking(request, asked, query, vector, scope, request.filters)
    return cache.Kept(wider, request.filters.to_dict(), fallback=True)


def _ranking(
    request: SearchRequest, asked: Asked, query: Query, vector: list[float], scope: Scope, filters: Filters
) -> tuple[Ranked, ...]:
    wanted = min(max(request.k, 0), conf.SEARCH_MAX_K)
    reranked = request.arm == "hybrid+rerank"
    named = mentions_in(f"{asked.text} {asked.question} {asked.answer}")
    ranking = rank(
        Search(
            scope=scope,
            vector=vector,
            terms=query.terms,
            numbers=named.numbers,
            filters=filters,
            arm=request.arm,
            k=conf.RERANK_FACTOR * wanted if reranked else wanted,
            floor=request.floor,
        )
    )
    return rerank(ranking, query, scope)[:wanted] if reranked else ranking


def _response(
    request: SearchRequest,
    asked: Asked,
    model: str,
    made: cache.Kept,
    found: tuple[Found, ...],
    hit: bool,
    started: float,
) -> SearchResponse:
    scores = sorted((one.score for one in found), reverse=True)
    return SearchResponse(
        query=asked.text or asked.question or asked.element,
        quality=quality_of(scores, model),
        top=scores[0] if scores else None,
        filters=made.filters,
        fallback=made.fallback,
        cached=hit,
        latency_ms=(perf_counter() - started) * 1000,
        results=found,
    )


def _logged(request: SearchRequest, response: SearchResponse, model: str) -> SearchResponse:
    RetrievalLog.objects.create(
        tenant_id=request.tenant,
        query=response.query,
        element=request.element,
        exam=request.exam,
        filters=dict(response.filters),
        arm=request.arm,
        model=model,
        quality=response.quality,
        top=response.top,
        fallback=response.fallback,
        cached=response.cached,
        latency_ms=response.latency_ms,
        results=[_log_row(found) for found in response.results],
    )
    return response


def _log_row(found: Found) -> dict[str, Any]:
    return {"chunk_id": str(found.chunk_id), "score": found.score, "similarity": found.similarity}
