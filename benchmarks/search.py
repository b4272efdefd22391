"""How long a search takes at every size and under every filter, and what it finds, compared with bare pgvector.

`python -m benchmarks.search` prints one JSON document; `SEARCH_SIZES=1000,10000` measures other sizes than 10,000,
50,000, 100,000 and 1,000,000 passages. It works in scratch databases beside the configured one, which are removed
afterwards, on a library made of the FAA's own text (`benchmarks.crowd`). Questions are the golden ones, with vectors of
the local model; no cache answers. "bare HNSW" is the plain nearest-50 query of pgvector over the same table and index,
without joins, transaction or settings, with the working list (ef_search) that the product takes without filters.

* search: the query is built, both legs, k = 10, vector given, without filters, and under one by kind of document. Ways
  take turns of 20 questions, in a process that has answered all of them once; "words not met before" is that first
  time, when it has answered nothing but the stories.
* processor: what the same costs of this process and the server's; waiting for other programs does not count.
* grows: what it takes in this library over what it takes among the fewest passages, measured at the same time
  (`benchmarks.sizes`).
* seed 001: its function as it is written there, over a table as its own, called as its clients do.
* end to end: the product's door, with embedding, passages read, and the look-up logged, less embedding alone; the
  middle of the differences by question, of questions of one sentence (longer ones have several vectors).
* filters: recall@10 of the vectors under filters of 0.1 % to 100 % against comparing with all, at 50,000 passages: of
  vectors of passages with noise, and of the golden questions, for which any HNSW index finds less; and of both legs
  together for these questions, against the same search that compares all. The time of a whole search under each.
* words: recall@10 of the words' leg against the same with no list left out, for short questions and for stories.
* small school: recall@10 of a tenant of 50 passages in the index of all.
"""

import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from statistics import mean, median
from typing import Any

import django
import numpy as np
from django.db import connection
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.crowd import CATEGORIES, OF_A_DOCUMENT, SEED, Crowd, real_passages  # noqa: E402 - models need Django set up
from benchmarks.scratch import copied, no_cache, scratch_database  # noqa: E402
from benchmarks.search_ways import (  # noqa: E402
    ROUNDS,
    K,
    Processor,
    Question,
    Way,
    bare,
    percentiles,
    questions_of,
    ratio,
    search_for,
    timed,
    ways_of,
    working_list,
)
from benchmarks.sizes import growth  # noqa: E402
from knowledge import conf  # noqa: E402
from knowledge.library_version import index_words, read_index_state  # noqa: E402
from knowledge.models import Document, Tenant  # noqa: E402
from knowledge.retrieval.candidates import (  # noqa: E402
    rank_passages,
    selectivity_for,
    vector_literal,
)
from knowledge.retrieval.query.builder import Asked, texts_to_measure  # noqa: E402
from knowledge.retrieval.search import search  # noqa: E402
from knowledge.retrieval.searchable import Scope, filter_condition, searchable_condition  # noqa: E402
from knowledge.retrieval.values import Filters, SearchRequest  # noqa: E402
from llm.interfaces import EmbeddingModel  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

SIZES = (10_000, 50_000, 100_000, 1_000_000)
FILTERED, SEEDED = 50_000, 100_000  # the sizes at which filters are measured, and the seed's SQL
SEED_ROUNDS = 40
LISTED = 100  # a shorter working list for bare HNSW


def measure(sizes: Sequence[int] = SIZES) -> dict[str, Any]:
    """Milliseconds, ratios and recall by number of passages."""
    figures: dict[str, Any] = {}
    grows: dict[str, Any] = {}
    with scratch_database() as large, override_settings(CACHES=no_cache()), ExitStack() as stack:
        model = embedding_model()
        short, stories = questions_of(model)
        crowd = Crowd(real_passages(model.name), kept=FILTERED)
        for size in sizes:
            started = time.perf_counter()
            crowd.grow(size)
            loaded = round(time.perf_counter() - started)
            if size == sizes[0]:
                small = stack.enter_context(copied())
            figures[f"{size:,}"] = {"seconds to load": loaded, **_at(size, crowd, model, short, stories)}
            if size != sizes[0]:
                found = growth(small, large)
                grows |= {f"{way}, {size:,} beside {sizes[0]:,}": one for way, one in found.items()}
            print(f"{size:,}: {figures[f'{size:,}']} {grows}", file=sys.stderr, flush=True)
    return {
        "what": f"p50 and p95 in milliseconds of {ROUNDS} questions, k = {K}; ratios are of p50 unless they say "
        "otherwise",
        "grows": grows,
        "passages": figures,
    }


def _at(
    size: int, crowd: Crowd, model: EmbeddingModel, short: Sequence[Question], stories: Sequence[Question]
) -> dict[str, Any]:
    found = _latency(short, stories, model, seeded=size == SEEDED)
    found["words, recall@10"] = {
        "short questions": _word_recall(short[:50], model),
        "stories": _word_recall(stories[:30], model),
    }
    found["stories, search beside bare HNSW"] = _beside_bare(stories, model)
    if size in (SEEDED, sizes_asked()[0]):
        found["end to end"] = _end_to_end(short, model)
    if size == FILTERED:
        found["filters"] = _filters(crowd, short, model)
        found["small school"] = _small_school(crowd, model)
    return found


# --- how long ------------------------------------------------------------


def _latency(
    questions: Sequence[Question], stories: Sequence[Question], model: EmbeddingModel, *, seeded: bool
) -> dict[str, Any]:
    ways = ways_of(model)
    for one in stories:
        ways["search"](one)
    taken = timed(questions, {"search, words not met before": ways["search"]}, len(questions), warm=0)
    working_list(LISTED)
    taken |= timed(questions, {_LISTED: ways["bare HNSW"]})
    working_list(conf.EF_SEARCH)
    taken |= timed(questions, ways)
    beside = {way: ratio(times, taken["bare HNSW"]) for way, times in taken.items() if way != "bare HNSW"}
    found = {
        "milliseconds": {way: percentiles(times) for way, times in taken.items()},
        "milliseconds of processor": {way: processor(questions, run) for way, run in ways.items()},
        "beside bare HNSW": beside,
        f"search, filtered, beside {_LISTED}": ratio(taken["search, filtered"], taken[_LISTED]),
    }
    if seeded:
        found |= _beside_the_seed(questions, model, ways["search"])
    return found


_LISTED = f"bare HNSW with a list of {LISTED}"


def _beside_the_seed(questions: Sequence[Question], model: EmbeddingModel, run: Way) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(_SEED.format(dimensions=model.dimensions))
        both = timed(questions, {"seed": _seed, "search": run}, SEED_ROUNDS)
        cursor.execute("DROP FUNCTION chunk_hybrid_search; DROP TABLE seed_chunks")
    return {
        "seed 001, milliseconds": percentiles(both["seed"]),
        "seed 001 beside search": ratio(both["seed"], both["search"]),
    }


def processor(questions: Sequence[Question], run: Way, rounds: int = 150) -> float | None:
    """Milliseconds of processor of one question. None where the server is on another machine."""
    taken = Processor.of_this_connection()
    begun = taken.milliseconds()
    for at in range(rounds):
        run(questions[at % len(questions)])
    ended = taken.milliseconds()
    return None if begun is None or ended is None else round((ended - begun) / rounds, 2)


def _beside_bare(questions: Sequence[Question], model: EmbeddingModel) -> float:
    ways: dict[str, Way] = {
        "bare": lambda one: bare(one, model),
        "search": lambda one: rank_passages(search_for(one, model)),
    }
    taken = timed(questions, ways, 40)
    return ratio(taken["search"], taken["bare"])


def _end_to_end(questions: Sequence[Question], model: EmbeddingModel) -> dict[str, float]:
    plain = [one for one in questions if not texts_to_measure(Asked(text=one.text))]
    ways: dict[str, Way] = {
        "embedding": lambda one: model.embed_query(one.text),
        "search": lambda one: search(SearchRequest(query=one.text, k=K), model),
    }
    taken = timed(plain, ways, 100)
    more = [whole - part for whole, part in zip(taken["search"], taken["embedding"], strict=True)]
    return {"embedding": percentiles(taken["embedding"])["p50"], "more": round(median(more), 2)}


def _seed(one: Question) -> object:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM chunk_hybrid_search(%s, %s::vector, %s)", [one.text, vector_literal(one.vector), K]
        )
        return cursor.fetchall()


# Its table (text, vector and words of a passage are one row) and its function: both measures of every passage, a
# threshold on the first.
_SEED = """
    CREATE TABLE seed_chunks AS
    SELECT c.id, c.document_id, c.heading::text, c.text AS content, c.page_start, c.page_end,
           e.vector::vector({dimensions}) AS embedding, c.search_vector AS fts
    FROM knowledge_chunk c JOIN knowledge_chunkembedding e ON e.chunk_id = c.id;
    CREATE INDEX ON seed_chunks USING gin (fts);
    CREATE INDEX ON seed_chunks USING hnsw (embedding vector_cosine_ops);
    ANALYZE seed_chunks;
    CREATE FUNCTION chunk_hybrid_search(
        query_text text, query_embedding vector({dimensions}), match_count int DEFAULT 6,
        similarity_threshold float DEFAULT 0.3, filter_doc_type text DEFAULT NULL,
        filter_abbreviation text DEFAULT NULL)
    RETURNS TABLE (id uuid, document_id uuid, heading text, content text, page_start int, page_end int,
                   doc_title text, doc_abbreviation text, score float)
    LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT c.id, c.document_id, c.heading, c.content, c.page_start, c.page_end,
               d.title::text, d.abbreviation::text,
               (0.65 * (1 - (c.embedding <=> query_embedding))
                + 0.35 * ts_rank(c.fts, plainto_tsquery(query_text), 32))::float AS score
        FROM seed_chunks c JOIN knowledge_document d ON d.id = c.document_id
        WHERE c.embedding IS NOT NULL AND 1 - (c.embedding <=> query_embedding) > similarity_threshold
          AND (filter_doc_type IS NULL OR d.doc_type = filter_doc_type)
          AND (filter_abbreviation IS NULL OR d.abbreviation = filter_abbreviation)
        ORDER BY score DESC LIMIT match_count $$"""


# --- what is found ------------------------------------------------------------


def _filters(crowd: Crowd, questions: Sequence[Question], model: EmbeddingModel) -> dict[str, Any]:
    """Recall of the golden questions, which lie far from all passages, and of vectors that lie among them."""
    found = {}
    among = _among(crowd)
    for name in [name for name, _ in CATEGORIES] + ["100 %"]:
        filters = Filters() if name == "100 %" else Filters(category=name)
        allowed = _members(crowd, Scope(tenant=None, model=model.name), filters)
        ways: dict[str, Way] = {
            "bare": lambda one: bare(one, model),
            "search": lambda one, filters=filters: rank_passages(search_for(one, model, filters=filters)),  # type: ignore[misc]
        }
        taken = timed(questions, ways, 100)
        golden, near = (
            [
                recall(rank_passages(search_for(one, model, "vector", filters)), nearest(one, crowd, allowed))
                for one in some
            ]
            for some in (questions[:100], among)
        )
        found[name] = {
            "passages": len(allowed),
            "way": "exact"
            if selectivity_for(Scope(tenant=None, model=model.name), filters, read_index_state()).is_narrow
            else "HNSW",
            "recall@10": round(mean(near), 4),
            "recall@10 of golden questions": round(mean(golden), 4),
            "recall@10 of golden questions, both legs": _recall_of_both(questions[:100], model, filters),
            "p95 of search": percentiles(taken["search"])["p95"],
            "p95 beside bare HNSW": round(
                percentiles(taken["search"])["p95"] / percentiles(taken["bare"])["p95"], 2
            ),
            "p95 beside p50 of bare HNSW": round(
                percentiles(taken["search"])["p95"] / median(taken["bare"]), 2
            ),
        }
    return found


def _recall_of_both(questions: Sequence[Question], model: EmbeddingModel, filters: Filters) -> float:
    """Of a whole search, against the same search that compares all."""
    searches = [search_for(one, model, filters=filters) for one in questions]
    followed = [rank_passages(one) for one in searches]
    rows, conf.EXACT_ROWS = conf.EXACT_ROWS, 10**9
    try:
        compared = [[one.chunk_id for one in rank_passages(search)] for search in searches]
    finally:
        conf.EXACT_ROWS = rows
    return round(mean(map(recall, followed, compared)), 4)


def _among(crowd: Crowd) -> list[Question]:
    """Vectors like those of passages: one of theirs, and noise half as long."""
    chance = np.random.default_rng(SEED)
    noise = chance.standard_normal((100, crowd.vectors.shape[1]), np.float32)
    noise /= 2 * np.linalg.norm(noise, axis=1, keepdims=True)
    vectors = crowd.vectors[chance.integers(len(crowd.vectors), size=100)] + noise
    return [Question("", vector.tolist()) for vector in vectors]


def _members(crowd: Crowd, scope: Scope, filters: Filters) -> dict[int, Any]:
    """The passages that may be found, by their place in the crowd."""
    wanted = searchable_condition(scope) & filter_condition(filters)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT d.id, c.index, c.id FROM knowledge_chunk c JOIN knowledge_document d ON d.id = c.document_id"
            f" JOIN knowledge_chunkembedding e ON e.chunk_id = c.id WHERE {wanted.sql}",
            wanted.values,
        )
        rows = cursor.fetchall()
    place = {document: at * OF_A_DOCUMENT for at, document in enumerate(crowd.documents)}
    return {place[document] + index: chunk for document, index, chunk in rows}


def nearest(one: Question, crowd: Crowd, allowed: dict[int, str]) -> list[str]:
    """The ten that comparing with all finds."""
    places = np.fromiter(allowed, np.int64)
    cosines = crowd.vectors[places] @ np.asarray(one.vector, np.float32)
    return [allowed[int(places[at])] for at in np.argsort(-cosines)[:K]]


def recall(found: Iterable[Any], right: Sequence[Any]) -> float:
    return len({one.chunk_id for one in found} & set(right)) / max(1, len(right))


def _word_recall(questions: Sequence[Question], model: EmbeddingModel) -> float:
    bounded = [rank_passages(search_for(one, model, "lexical")) for one in questions]
    limit, conf.LEXICAL_POSTINGS = conf.LEXICAL_POSTINGS, 10**9
    try:
        whole = [
            [one.chunk_id for one in rank_passages(search_for(question, model, "lexical"))]
            for question in questions
        ]
    finally:
        conf.LEXICAL_POSTINGS = limit
    return round(mean(recall(found, right) for found, right in zip(bounded, whole, strict=True)), 4)


def _small_school(crowd: Crowd, model: EmbeddingModel) -> dict[str, Any]:
    """One document becomes a school's own: 50 passages, and 50,000 of others in the same index."""
    school = Tenant.objects.create(slug="small-school", name="Small school")
    Document.objects.filter(pk=crowd.documents[7]).update(tenant=school)
    index_words()
    own = Scope(tenant=school.pk, model=model.name, shared=False)
    allowed = _members(crowd, own, Filters())
    asked = [Question("", crowd.vectors[place].tolist()) for place in allowed]
    kept = [
        recall(rank_passages(search_for(one, model, "vector", scope=own)), nearest(one, crowd, allowed))
        for one in asked
    ]
    both = replace(own, shared=True)
    first = [rank_passages(search_for(one, model, "vector", scope=both))[0].chunk_id for one in asked]
    Document.objects.filter(pk=crowd.documents[7]).update(tenant=None)
    index_words()
    return {
        "passages": len(allowed),
        "recall@10": round(mean(kept), 4),
        "its own passage first, among all": round(
            mean(one == mine for one, mine in zip(first, allowed.values(), strict=True)), 4
        ),
    }


def sizes_asked() -> tuple[int, ...]:
    asked = os.environ.get("SEARCH_SIZES", "")
    return tuple(int(size) for size in asked.split(",")) if asked else SIZES


def main() -> None:
    json.dump(measure(sizes_asked()), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
