"""A search request becomes passages: the one door through which the library is searched.

The query is built with the element under test, filters are inferred from its words, the ranking is made or
found in the cache, a poor one is made again without the inferred filters, and every look-up is logged. No database
connection is held while a model makes the vector; where none can be made, words alone are searched, and it is said.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from time import perf_counter

import structlog
from django.conf import settings

from knowledge import conf
from knowledge.flags import FILTER, Switched, flags_for
from knowledge.library_version import Generations, generations_of
from knowledge.models import AcsElement
from knowledge.retrieval.candidates.hybrid import Search, rank
from knowledge.retrieval.candidates.relevance_probe import nearness_of, summed
from knowledge.retrieval.glossary import glossary_for
from knowledge.retrieval.query.abbreviations import Glossary
from knowledge.retrieval.query.builder import Asked, Query, build_query, reformulated, to_measure
from knowledge.retrieval.query.decomposition import parts_in
from knowledge.retrieval.query.filters import filters_from, mentions_in
from knowledge.retrieval.query.quality import is_better, quality_of, thresholds_for
from knowledge.retrieval.results.passages import chosen, read_from, with_figures
from knowledge.retrieval.search_log import kind_of, log_search
from knowledge.standards.elements import element_named
from llm.errors import EmptyText, ModelError
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model

from . import cache
from .query.quality import is_too_poor
from .query_vectors import vectors_at_hand
from .rerank import Reread, configured, rerank
from .searchable import Scope
from .values import Filters, Found, Quality, Ranked, SearchRequest, SearchResponse

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """All that a search knows before it asks the database. `vector` is empty where the question has no words;
    `degraded` says why it is not what the model would have made."""

    asked: Asked
    query: Query
    scope: Scope
    vector: list[float]
    inferred: Filters
    glossary: Glossary
    degraded: str = ""


def search(
    request: SearchRequest, model: EmbeddingModel | None = None, *, element: AcsElement | None = None
) -> SearchResponse:
    """The best passages for a request, best first, and how good they are.

    Raises UnknownElement for a code that no standard has. `model` is the registry's unless a test gives one; `element`
    is the row of the request's element, where it has been read before.
    """
    started = perf_counter()
    model = model or embedding_model()
    request = replace(request, flags=flags_of(request))
    asked = asked_from(request, element)
    scope = scope_of(request, model)
    generations = generations_of(request.tenant)
    key = _key(request, asked, scope, generations)
    kind = kind_of(request)
    remembered = cache.kept(key, kind) if request.recorded else None
    found = read_from(remembered.ranking, scope) if remembered else ()
    hit = remembered is not None and len(found) == len(remembered.ranking)
    degraded = ""
    if remembered is None or not hit:
        glossary = glossary_for(request.tenant, generations)
        prepared, remembered = answered(request, prepare(request, asked, scope, model, glossary), model)
        degraded = "; ".join(filter(None, (prepared.degraded, remembered.degraded)))
        if request.recorded and not degraded:
            cache.keep(key, remembered, kind)
        found = read_from(remembered.ranking, scope)
    found = given_of(request, remembered, found, model.name)
    response = _response(request, asked, model.name, remembered, found, hit, started)
    response = replace(response, degraded=degraded)
    return replace(response, log=log_search(request, response, model.name)) if request.recorded else response


def make_ready(request: SearchRequest, model: EmbeddingModel | None = None) -> None:
    """Have at hand what is known of a search before somebody waits for it: the vectors of all that is asked. Finds
    nothing and logs nothing. Raises UnknownElement."""
    model, request = model or embedding_model(), replace(request, flags=flags_of(request))
    scope, asked = scope_of(request, model), asked_from(request)
    prepare(request, asked, scope, model)
    # Beside an answer each part is measured alone.
    awaited = replace(asked, answer=asked.answer or asked.question)
    with suppress(ModelError, EmptyText):
        vectors_at_hand(_with_letters(to_measure(awaited)), model)


def scope_of(request: SearchRequest, model: EmbeddingModel) -> Scope:
    """For an element its own standard is no answer."""
    return Scope(
        tenant=request.tenant, shared=request.shared, model=model.name, standards=not request.element
    )


def asked_from(request: SearchRequest, element: AcsElement | None = None) -> Asked:
    """What the query is made of; the element by its own text, its parent's and its Task's title."""
    if request.element and element is None:
        element = element_named(request.element)
    return Asked(
        text=request.query,
        element=element_text(element) if element else "",
        question=request.question,
        answer=request.answer,
        task=element.task.title if element else "",
        code=element.task.code if element else "",
    )


def element_text(element: AcsElement) -> str:
    """A sub-element says little without the element that it belongs to: "Airports" of "Chart symbols"."""
    parent = element.parent.text.rstrip(":. ") if element.parent else ""
    return ". ".join(filter(None, (element.task.title, parent, element.text.rstrip(": "))))


def _key(request: SearchRequest, asked: Asked, scope: Scope, generations: Generations) -> str:
    return cache.key_of(
        asked={name: " ".join(text.lower().split()) for name, text in asdict(asked).items()},
        scope=asdict(scope),
        filters=request.filters.to_dict(),
        limits=(request.k, request.threshold, request.arm),
        blend=settings.SEARCH_BLEND,
        reranker=configured() if request.arm == "hybrid+rerank" else "",
        inferring=FILTER in flags_of(request),
        generations=generations,
    )


def flags_of(request: SearchRequest) -> Switched:
    return flags_for(None) if request.flags is None else request.flags


def answered(
    request: SearchRequest, prepared: Prepared, model: EmbeddingModel
) -> tuple[Prepared, cache.Kept]:
    """The ranking that is given, and what it was made from. A weak one is made again from a reformulated question, and
    the better is taken."""
    kept = made(request, prepared)
    verdict = quality_of_kept(kept, model.name)
    other = reformulated(prepared.asked, prepared.glossary)
    if verdict == "strong" or other is None or prepared.degraded or request.arm in ("lexical", "vector"):
        return prepared, kept
    again = prepare(request, other, prepared.scope, model, prepared.glossary)
    second = made(request, again)
    if again.degraded or not is_better(quality_of_kept(second, model.name), verdict):
        return prepared, kept
    return again, replace(second, reformulated=other.text or other.element)


def given_of(
    request: SearchRequest, kept: cache.Kept, found: Sequence[Found], model: str
) -> tuple[Found, ...]:
    """What is given of the passages that were ranked: those that say something new, with figures beside the good."""
    limits = thresholds_for(model, asks_one=kept.asks_one)
    given = chosen(found, request.k, settled=request.arm != "hybrid", first=kept.first)
    return with_figures(given, limits.weak)


def quality_of_kept(kept: cache.Kept, model: str) -> Quality:
    scores = sorted((one.score for one in kept.ranking), reverse=True)
    return quality_of(scores, model, asks_one=kept.asks_one)


def floor_of(request: SearchRequest, prepared: Prepared) -> float:
    """What was asked for, else the model's own for this kind of question."""
    if request.threshold is not None:
        return request.threshold
    return thresholds_for(prepared.scope.model, asks_one=prepared.query.asks_one).floor


def prepare(
    request: SearchRequest,
    asked: Asked,
    scope: Scope,
    model: EmbeddingModel,
    glossary: Glossary | None = None,
) -> Prepared:
    """The query, its vector, and the filters that its words imply. `glossary` is the tenant's, where it is at hand."""
    if glossary is None:
        glossary = glossary_for(scope.tenant)
    query, vector, degraded = _asked_of(asked, scope, model, glossary, anew=not request.recorded)
    inferred = _inferred(asked) if FILTER in flags_of(request) else Filters()
    return Prepared(
        asked=asked,
        query=query,
        scope=scope,
        vector=vector,
        inferred=inferred,
        glossary=glossary,
        degraded=degraded,
    )


def _inferred(asked: Asked) -> Filters:
    """What the words of a question name, and the Task that is tested."""
    return replace(filters_from(f"{asked.text} {asked.question}"), task=asked.code)


def _asked_of(
    asked: Asked, scope: Scope, model: EmbeddingModel, glossary: Glossary, *, anew: bool
) -> tuple[Query, list[float], str]:
    """The query without its chatter, and its vector: none for signs alone. Where the model is away or too slow, one
    that is near nothing, and what was wrong. `anew` asks the model for what is known, too."""
    plain = build_query(asked, glossary=glossary)
    if not plain.semantic:
        return plain, [], ""
    try:
        measured = _with_letters(to_measure(asked))
        passing = set(measured if anew else parts_in(asked.answer))  # what one student says is said once
        parts = vectors_at_hand(measured, model, passing=passing)
        query = build_query(asked, nearness_of(parts, scope), glossary) if parts else plain
        texts = [strand.text for strand in query.strands]
        passing.update(strand.text for strand in query.strands if anew or strand.name == "said")
        further = [text for text in texts if text not in parts]
        vectors = parts | vectors_at_hand(further, model, passing=passing)
        return query, summed([vectors[text] for text in texts], query.shares), ""
    except EmptyText:
        return plain, [], ""
    except ModelError as error:
        log.warning("query_not_embedded", model=model.name, code=error.code, error=str(error))
        said = f"{model.name} made no vector ({error.code}): searched by words alone"
        return plain, [0.0] * model.dimensions, said


def _with_letters(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if any(map(str.isalnum, text))]


def made(request: SearchRequest, prepared: Prepared) -> cache.Kept:
    """A ranking. Filters that were only inferred are dropped where they find too little, the Task before the words;
    what was asked for stays. Where what serves the Task is not enough, other passages follow it."""
    asks_one = prepared.query.asks_one
    if not prepared.vector:
        return cache.Kept((), request.filters.to_dict(), fallback=False, asks_one=asks_one)
    filters = request.filters.over(prepared.inferred)
    least = thresholds_for(prepared.scope.model, asks_one=asks_one).poor
    for within in dict.fromkeys((filters, _of_any_task(request, filters), request.filters)):
        read = reread_of(request, prepared, within)
        if within == request.filters or not is_too_poor([ranked.score for ranked in read.ranking], least):
            break
    return cache.Kept(
        _filled(request, prepared, within, read.ranking),
        within.to_dict(),
        fallback=within != filters,
        asks_one=asks_one,
        reranked=read.by,
        degraded=read.failed,
        first=len(read.ranking),
    )


def _of_any_task(request: SearchRequest, filters: Filters) -> Filters:
    return replace(filters, task=request.filters.task)


def _filled(
    request: SearchRequest, prepared: Prepared, within: Filters, ranking: tuple[Ranked, ...]
) -> tuple[Ranked, ...]:
    """The ranking, and behind it what serves other Tasks, as long as there is room."""
    wider = _of_any_task(request, within)
    if wider == within or len(ranking) >= request.k:
        return ranking
    given = {one.chunk_id for one in ranking}
    others = (one for one in ranking_of(request, prepared, wider) if one.chunk_id not in given)
    return (*ranking, *others)[: request.k + conf.SPARE_RESULTS]


def ranking_of(
    request: SearchRequest, prepared: Prepared, filters: Filters, most: int = conf.SEARCH_MAX_K
) -> tuple[Ranked, ...]:
    """One ranking by the request's arm, floor and number under these filters."""
    return reread_of(request, prepared, filters, most).ranking


def reread_of(
    request: SearchRequest, prepared: Prepared, filters: Filters, most: int = conf.SEARCH_MAX_K
) -> Reread:
    """The same, and what read it again, for the arm that does."""
    asked, query = prepared.asked, prepared.query
    wanted = min(max(request.k, 0), most)
    ranked = wanted + conf.SPARE_RESULTS if wanted else 0
    reranked = request.arm == "hybrid+rerank"
    named = mentions_in(f"{asked.text} {asked.question} {asked.answer}")
    ranking = rank(
        Search(
            scope=prepared.scope,
            vector=prepared.vector,
            terms=query.terms,
            numbers=named.numbers,
            filters=filters,
            arm="lexical" if prepared.degraded else request.arm,
            k=max(conf.RERANK_LEAST, conf.RERANK_FACTOR * wanted) if reranked else ranked,
            floor=floor_of(request, prepared),
            shares=query.shares,
            company=query.asks_one,
        )
    )
    if not reranked:
        return Reread(ranking)
    read = rerank(ranking, query, prepared.scope)
    return replace(read, ranking=read.ranking[:ranked])


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
        quality=quality_of(scores, model, asks_one=made.asks_one),
        top=scores[0] if scores else None,
        filters=made.filters,
        fallback=made.fallback,
        reformulated=made.reformulated,
        reranked=made.reranked,
        cached=hit,
        latency_ms=(perf_counter() - started) * 1000,
        results=found,
    )
