"""Searches the library. Exams, the API, commands, and pages all call `search`.

It looks in the cache first. Otherwise it builds the query, embeds it, infers filters from its words, and ranks. A poor
ranking is repeated without the inferred filters, a weak one with a reformulated question. No database connection is
held while a model embeds; if the model is unavailable, only words are searched.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from time import perf_counter

import structlog

from knowledge import conf
from knowledge.flags import FILTER, Switched, flags_for
from knowledge.library_version import generations_of
from knowledge.models import AcsElement
from knowledge.retrieval.cache import (
    CachedRanking,
    load_ranking,
    ranking_key,
    store_ranking,
    vectors_for_texts,
)
from knowledge.retrieval.candidates import (
    Search,
    part_similarities,
    passages_serving,
    rank_passages,
)
from knowledge.retrieval.glossary import glossary_for
from knowledge.retrieval.query.builder import (
    Asked,
    Glossary,
    Query,
    build_query,
    filters_from,
    mentions_in,
    reformulate_query,
    split_into_parts,
    texts_to_measure,
)
from knowledge.retrieval.rerank import Reranked, configured_reranker, rerank_passages
from knowledge.retrieval.results import add_figures, choose_results, read_passages
from knowledge.retrieval.scoring import is_better_quality, is_too_poor, quality_of, thresholds_for
from knowledge.retrieval.search_log import kind_of, log_search
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Filters, Found, Quality, SearchRequest, SearchResponse
from knowledge.standards.elements import element_named
from llm.errors import EmptyText, ModelError
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model
from llm.vectors import Vector, weighted_mean

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSearch:
    """Everything a search knows before it asks the database. `vector` is empty if the question has no words; `degraded`
    says why it is not the model's."""

    asked: Asked
    query: Query
    scope: Scope
    vector: list[float]
    inferred: Filters
    glossary: Glossary
    degraded: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Sections that are asked for by number."""
        return mentions_in(f"{self.asked.text} {self.asked.question} {self.asked.answer}").numbers


def search(
    request: SearchRequest, model: EmbeddingModel | None = None, *, element: AcsElement | None = None
) -> SearchResponse:
    """The best passages for a request, best first, and how good they are.

    Raises UnknownElement for a code that no standard has. `model` is the registry's unless a test gives one; `element`
    is the row of the request's element, if it has been read before.
    """
    started = perf_counter()
    model = model or embedding_model()
    request = replace(request, flags=flags_for_request(request))
    asked = asked_from(request, element)
    scope = scope_for_request(request, model)
    generations = generations_of(request.tenant)
    key = ranking_key(
        asked={name: " ".join(text.lower().split()) for name, text in asdict(asked).items()},
        scope=asdict(scope),
        filters=request.filters.to_dict(),
        limits=(request.k, request.threshold, request.arm),
        reranker=configured_reranker() if request.arm == "hybrid+rerank" else "",
        inferring=FILTER in flags_for_request(request),
        generations=generations,
    )
    kind = kind_of(request)
    ranked = load_ranking(key, kind) if request.recorded else None
    found = read_passages(ranked.ranking, scope) if ranked else ()
    is_hit = ranked is not None and len(found) == len(ranked.ranking)
    degraded = ""
    if ranked is None or not is_hit:
        glossary = glossary_for(request.tenant, generations)
        prepared, ranked = find_ranking(
            request, prepare_search(request, asked, scope, model, glossary), model
        )
        degraded = "; ".join(filter(None, (prepared.degraded, ranked.degraded)))
        if request.recorded and not degraded:
            store_ranking(key, ranked, kind)
        found = read_passages(ranked.ranking, scope)
    found = select_results(request, ranked, found, model.name)
    scores = sorted((one.score for one in found), reverse=True)
    response = SearchResponse(
        query=asked.text or asked.question or asked.element,
        quality=quality_of(scores, model.name, asks_one=ranked.asks_one),
        top=scores[0] if scores else None,
        filters=ranked.filters,
        fallback=ranked.fallback,
        cached=is_hit,
        latency_ms=(perf_counter() - started) * 1000,
        results=found,
        degraded=degraded,
        reformulated=ranked.reformulated,
        reranked=ranked.reranked,
    )
    return replace(response, log=log_search(request, response, model.name)) if request.recorded else response


def cache_query_vectors(request: SearchRequest) -> None:
    """Embed and cache the texts of a search before somebody waits for it. Finds and logs nothing. Raises
    UnknownElement."""
    model, request = embedding_model(), replace(request, flags=flags_for_request(request))
    scope, asked = scope_for_request(request, model), asked_from(request)
    prepare_search(request, asked, scope, model)
    # Once there is an answer, each part of the question is measured alone.
    with_answer = replace(asked, answer=asked.answer or asked.question)
    with suppress(ModelError, EmptyText):
        vectors_for_texts(_texts_with_letters(texts_to_measure(with_answer)), model)


def flags_for_request(request: SearchRequest) -> Switched:
    return flags_for(None) if request.flags is None else request.flags


def scope_for_request(request: SearchRequest, model: EmbeddingModel) -> Scope:
    """A certification standard is no answer to a question about one of its own elements."""
    return Scope(
        tenant=request.tenant, shared=request.shared, model=model.name, standards=not request.element
    )


def asked_from(request: SearchRequest, element: AcsElement | None = None) -> Asked:
    """What the query is built from. An element is searched with its Task's title and its parent: "Airports" says little
    without "Chart symbols"."""
    if request.element and element is None:
        element = element_named(request.element)
    text = ""
    if element:
        parent = element.parent.text.rstrip(":. ") if element.parent else ""
        text = ". ".join(filter(None, (element.task.title, parent, element.text.rstrip(": "))))
    return Asked(
        text=request.query,
        element=text,
        question=request.question,
        answer=request.answer,
        task=element.task.title if element else "",
        code=element.task.code if element else "",
        served=element.code if element else "",
    )


# --- The query and its vector --------------------------------------------------------------------------------


def prepare_search(
    request: SearchRequest,
    asked: Asked,
    scope: Scope,
    model: EmbeddingModel,
    glossary: Glossary | None = None,
) -> PreparedSearch:
    """The query, its vector, and the filters that its words and its Task imply."""
    if glossary is None:
        glossary = glossary_for(scope.tenant)
    query, vector, degraded = _embed_query(asked, scope, model, glossary, use_cache=request.recorded)
    inferred = Filters()
    if FILTER in flags_for_request(request):
        inferred = replace(filters_from(f"{asked.text} {asked.question}"), task=asked.code)
    return PreparedSearch(
        asked=asked,
        query=query,
        scope=scope,
        vector=vector,
        inferred=inferred,
        glossary=glossary,
        degraded=degraded,
    )


def _embed_query(
    asked: Asked, scope: Scope, model: EmbeddingModel, glossary: Glossary, *, use_cache: bool
) -> tuple[Query, list[float], str]:
    """The query without its chatter, its vector, and why the vector is not the model's. No vector for punctuation
    alone; a vector of zeros if the model is away or too slow."""
    plain = build_query(asked, glossary=glossary)
    if not plain.semantic:
        return plain, [], ""
    try:
        measured = _texts_with_letters(texts_to_measure(asked))
        uncached = set(split_into_parts(asked.answer) if use_cache else measured)  # an answer is said once
        parts = vectors_for_texts(measured, model, uncached=uncached)
        query = build_query(asked, part_similarities(parts, scope), glossary) if parts else plain
        texts = [strand.text for strand in query.strands]
        uncached.update(one.text for one in query.strands if not use_cache or one.name == "said")
        further = [text for text in texts if text not in parts]
        vectors = parts | vectors_for_texts(further, model, uncached=uncached)
        return query, fuse_vectors([vectors[text] for text in texts], query.shares), ""
    except EmptyText:
        return plain, [], ""
    except ModelError as error:
        log.warning("query_not_embedded", model=model.name, code=error.code, error=str(error))
        why = f"{model.name} made no vector ({error.code}): searched by words alone"
        return plain, [0.0] * model.dimensions, why


def _texts_with_letters(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if any(map(str.isalnum, text))]


def fuse_vectors(vectors: Sequence[Vector], shares: Sequence[float]) -> Vector:
    """One vector whose cosine with any passage is the sum of the cosines by share, up to a constant factor."""
    return vectors[0] if len(vectors) == 1 else weighted_mean(vectors, shares)


# --- The ranking ---------------------------------------------------------------------------------------------


def find_ranking(
    request: SearchRequest, prepared: PreparedSearch, model: EmbeddingModel
) -> tuple[PreparedSearch, CachedRanking]:
    """The ranking and what it was made from. A weak one is made again from a reformulated question, and the better of
    the two is taken."""
    ranked = _make_ranking(request, prepared)
    quality = quality_of_ranking(ranked, model.name)
    other = reformulate_query(prepared.asked, prepared.glossary)
    if quality == "strong" or other is None or prepared.degraded or request.arm in ("lexical", "vector"):
        return prepared, ranked
    again = prepare_search(request, other, prepared.scope, model, prepared.glossary)
    second = _make_ranking(request, again)
    if again.degraded or not is_better_quality(quality_of_ranking(second, model.name), quality):
        return prepared, ranked
    return again, replace(second, reformulated=other.text or other.element)


def _make_ranking(request: SearchRequest, prepared: PreparedSearch) -> CachedRanking:
    """Inferred filters are dropped if they find too little, the Task before the words; requested filters stay. If what
    serves the Task is not enough, other passages follow it; if it is, what serves the element comes first."""
    asks_one = prepared.query.asks_one
    if not prepared.vector:
        return CachedRanking((), request.filters.to_dict(), fallback=False, asks_one=asks_one)
    filters = request.filters.over(prepared.inferred)
    least = thresholds_for(prepared.scope.model, asks_one=asks_one).poor
    is_whole = request.arm in ("hybrid", "hybrid+rerank") and request.k > 0
    serving = prepared.asked.served if prepared.inferred.task and is_whole else ""
    deep = request
    if serving and request.arm == "hybrid":  # a reranker reads no more passages for it
        deep = replace(request, k=max(request.k, conf.SERVING_LOOKED_AT))
    for within in dict.fromkeys((filters, replace(filters, task=request.filters.task), request.filters)):
        found = rank_with_filters(deep, prepared, within)
        if within == request.filters or not is_too_poor([one.score for one in found.ranking], least):
            break
    ranking, first = found.ranking, len(found.ranking)
    wider = replace(within, task=request.filters.task)
    if wider != within and len(ranking) < request.k:
        known = {one.chunk_id for one in ranking}
        others = rank_with_filters(request, prepared, wider).ranking
        ranking = (*ranking, *(one for one in others if one.chunk_id not in known))
    elif serving:
        served = passages_serving(serving, [one.chunk_id for one in ranking], prepared.scope)
        ranking = tuple(sorted(ranking, key=lambda one: one.chunk_id not in served))
        first = len(served)
    return CachedRanking(
        ranking[: max(request.k, 0) + conf.SPARE_RESULTS],
        within.to_dict(),
        fallback=within != filters,
        asks_one=asks_one,
        reranked=found.by,
        degraded=found.failed,
        first=first,
    )


def rank_with_filters(
    request: SearchRequest, prepared: PreparedSearch, filters: Filters, most: int = conf.SEARCH_MAX_K
) -> Reranked:
    """One ranking by the request's arm, floor and number under these filters."""
    query = prepared.query
    wanted = min(max(request.k, 0), most)
    ranked = wanted + conf.SPARE_RESULTS if wanted else 0
    is_reranked = request.arm == "hybrid+rerank"
    ranking = rank_passages(
        Search(
            scope=prepared.scope,
            vector=prepared.vector,
            terms=query.terms,
            numbers=prepared.numbers,
            filters=filters,
            arm="lexical" if prepared.degraded else request.arm,
            k=max(conf.RERANK_LEAST, conf.RERANK_FACTOR * wanted) if is_reranked else ranked,
            floor=score_floor(request, prepared),
            shares=query.shares,
            company=query.asks_one,
        )
    )
    if not is_reranked:
        return Reranked(ranking)
    reranked = rerank_passages(ranking, query, prepared.scope)
    return replace(reranked, ranking=reranked.ranking[:ranked])


def score_floor(request: SearchRequest, prepared: PreparedSearch) -> float:
    """The threshold of the request, else the model's own for this kind of question."""
    if request.threshold is not None:
        return request.threshold
    return thresholds_for(prepared.scope.model, asks_one=prepared.query.asks_one).floor


def quality_of_ranking(ranked: CachedRanking, model: str) -> Quality:
    scores = sorted((one.score for one in ranked.ranking), reverse=True)
    return quality_of(scores, model, asks_one=ranked.asks_one)


def select_results(
    request: SearchRequest, ranked: CachedRanking, found: Sequence[Found], model: str
) -> tuple[Found, ...]:
    """The k passages that are given: those that say something new, with figures beside the good ones."""
    limits = thresholds_for(model, asks_one=ranked.asks_one)
    keep_order = request.arm != "hybrid"
    return add_figures(
        choose_results(found, request.k, keep_order=keep_order, first=ranked.first), limits.weak
    )
