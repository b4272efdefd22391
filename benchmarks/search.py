"""How long a search takes at 1,000 and at 10,000 passages, beside bare pgvector in the same run.

`python -m benchmarks.search` prints one JSON document. It works in a scratch database beside the configured one,
which is removed afterwards. Passages are 200 words drawn with a fixed seed so that few words are frequent and most
are rare, as in English; their vectors are random, which is the hardest case for the index. Queries are six words
and are answered by no cache. What is timed: the product's whole search (query built, both
legs, passages read, look-up logged) without embedding the query, each arm's ranking alone, and bare pgvector
finding the five nearest.
"""

import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from statistics import quantiles
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import scratch_database  # noqa: E402 - models need Django set up
from knowledge.models import Chunk, ChunkEmbedding, Document  # noqa: E402
from knowledge.retrieval.hybrid import Search, rank, scan_settings, statement_of  # noqa: E402
from knowledge.retrieval.query import Asked, build_query  # noqa: E402
from knowledge.retrieval.search import search  # noqa: E402
from knowledge.retrieval.searchable import Scope  # noqa: E402
from knowledge.retrieval.values import Arm, Filters, SearchRequest  # noqa: E402

SIZES = (1_000, 10_000)
QUERIES = 100
WORDS = 200
VOCABULARY = 5_000
DIMENSIONS = 384
SEED = 20260102
MODEL = "all-MiniLM-L6-v2"

_VOCABULARY = [f"w{hashlib.md5(str(n).encode()).hexdigest()[:7]}" for n in range(VOCABULARY)]
_FREQUENCY = list(accumulate(1 / (n + 1) for n in range(VOCABULARY)))


class Vectors:
    """An embedding model that costs nothing: what it takes is measured by `benchmarks.embedding`."""

    name = MODEL
    dimensions = DIMENSIONS
    window = 256
    external = False

    def __init__(self) -> None:
        self._chance = random.Random(SEED + 1)

    def embed_query(self, text: str) -> list[float]:
        return _vector(self._chance)

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [_vector(self._chance) for _ in texts]

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def measure(sizes: Sequence[int] = SIZES, queries: int = QUERIES) -> dict[str, Any]:
    """Milliseconds, p50 and p95, by number of passages and by way of searching."""
    chance = random.Random(SEED)
    with scratch_database(), override_settings(CACHES=no_cache()):
        figures, held = {}, 0
        for size in sizes:
            _fill(range(held, size), chance)
            held = size
            figures[str(size)] = {"milliseconds": _timed(queries, chance), "indexes": _indexes(chance)}
    return {
        "what": f"{queries} queries of six words, random vectors of {DIMENSIONS} dimensions",
        "passages": figures,
    }


def no_cache() -> dict[str, Any]:
    """No answer is kept; the flags are, as in a running process."""
    return {**settings.CACHES, "default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}


def _timed(queries: int, chance: random.Random) -> dict[str, dict[str, float]]:
    """Ways alternate, query by query, so that a busy machine slows all of them alike."""
    ways = _ways()
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(queries + WARM):
        text, vector = " ".join(_words(chance, 6)), _vector(chance)
        for way, run in ways.items():
            started = time.perf_counter()
            run(text, vector)
            taken[way].append((time.perf_counter() - started) * 1000)
    return {way: _percentiles(times[WARM:]) for way, times in taken.items()}


WARM = 5  # queries that only fill caches


def _percentiles(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times, n=20)
    return {"p50": round(cuts[9], 2), "p95": round(cuts[18], 2)}


def _ways() -> dict[str, Callable[[str, list[float]], object]]:
    model = Vectors()
    return {
        "search": lambda text, _: search(SearchRequest(query=text), model),
        "rank, hybrid": lambda text, vector: _rank(text, vector, "hybrid"),
        "rank, vector": lambda text, vector: _rank(text, vector, "vector"),
        "rank, lexical": lambda text, vector: _rank(text, vector, "lexical"),
        "bare pgvector": lambda _, vector: _bare(vector),
    }


def _search(text: str, vector: list[float], arm: Arm) -> Search:
    return Search(
        scope=Scope(tenant=None, model=MODEL),
        vector=vector,
        terms=build_query(Asked(text=text)).terms,
        numbers=(),
        filters=Filters(),
        arm=arm,
        k=5,
        floor=0.3,
    )


def _rank(text: str, vector: list[float], arm: Arm) -> object:
    return rank(_search(text, vector, arm))


def _bare(vector: list[float]) -> object:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT chunk_id FROM knowledge_chunkembedding WHERE model = %s AND state = 'current'"
            f" ORDER BY vector::vector({DIMENSIONS}) <=> %s::vector({DIMENSIONS}) LIMIT 5",
            [MODEL, str(vector)],
        )
        return cursor.fetchall()


def _indexes(chance: random.Random) -> list[str]:
    """The indexes that the plan of a hybrid search uses at this size."""
    wanted = _search(" ".join(_words(chance, 6)), _vector(chance), "hybrid")
    statement = statement_of(wanted)
    with connection.cursor() as cursor:
        cursor.execute(*scan_settings(wanted))
        cursor.execute(f"EXPLAIN {statement.sql}", statement.values)
        plan = " ".join(row[0] for row in cursor.fetchall())
    return [
        name for name in ("embedding_hnsw_minilm", "chunk_search_vector", "chunk_section") if name in plan
    ]


# The made-up library


def _fill(numbers: range, chance: random.Random) -> None:
    document, _ = Document.objects.get_or_create(
        title="Benchmark", defaults={"status": "published", "content_hash": "benchmark", "doc_type": "other"}
    )
    chunks = Chunk.objects.bulk_create(
        (_chunk(document, number, chance) for number in numbers), batch_size=500
    )
    ChunkEmbedding.objects.bulk_create(
        (ChunkEmbedding(chunk=chunk, model=MODEL, vector=_vector(chance)) for chunk in chunks), batch_size=500
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE knowledge_chunk SET search_vector = setweight(to_tsvector('english', heading), 'A')"
            " || setweight(to_tsvector('english', text), 'B') WHERE search_vector IS NULL"
        )
        cursor.execute("ANALYZE")


def _chunk(document: Document, number: int, chance: random.Random) -> Chunk:
    return Chunk(
        document=document,
        index=number,
        heading=" ".join(_words(chance, 4)),
        section=f"{number // 100}.{number % 100}",
        text=" ".join(_words(chance, WORDS)),
        page_start=1,
        page_end=1,
        content_hash=str(number),
    )


def _words(chance: random.Random, count: int) -> list[str]:
    return chance.choices(_VOCABULARY, cum_weights=_FREQUENCY, k=count)


def _vector(chance: random.Random) -> list[float]:
    return [chance.uniform(-1, 1) for _ in range(DIMENSIONS)]


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
