"""Texts of a question become vectors, those that were asked before from the cache of all processes.

What comes up again is kept: elements, Tasks, questions. What a student says is said once, and is not kept. Hits, misses
and failed reads and writes are counted. A cache that is away costs a request to the model and no answer; it is left
alone for a moment then, so that a search does not wait for it again and again.
"""

import hashlib
import struct
from collections.abc import Collection, Mapping, Sequence

from django.core.cache import cache
from prometheus_client import Counter

from knowledge import conf
from knowledge.retrieval.candidates.relevance_probe import vectors_of
from llm.interfaces import EmbeddingModel
from llm.vectors import Vector

from .cache import count_failure, is_resting

HITS = Counter("heydpe_query_vector_hits_total", "Texts of questions whose vector was known")
MISSES = Counter("heydpe_query_vector_misses_total", "Texts of questions that had to be embedded")


def vectors_at_hand(
    texts: Sequence[str], model: EmbeddingModel, *, passing: Collection[str] = ()
) -> dict[str, Vector]:
    """A vector for each text; `passing` ones are neither looked for nor kept. Raises ModelError, and EmptyText."""
    lasting = [text for text in dict.fromkeys(texts) if text not in passing]
    known = _known(lasting, model)
    HITS.inc(len(known))
    MISSES.inc(len(lasting) - len(known))
    fresh = (
        vectors_of([text for text in texts if text not in known], model)
        if len(known) < len(set(texts))
        else {}
    )
    _keep({text: fresh[text] for text in lasting if text in fresh}, model)
    return known | fresh


def never_hit() -> bool:
    """Whether this process has looked for many and found none."""
    return _count(HITS) == 0 and _count(MISSES) >= conf.WATCHED_VECTORS


def _count(counter: Counter) -> float:
    return float(next(iter(counter.collect())).samples[0].value)


def _known(texts: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
    if not texts or is_resting():
        return {}
    keys = {_key(text, model): text for text in texts}
    try:
        stored = cache.get_many(list(keys))
    except Exception as error:  # a vendor's client has many: none may cost an answer
        count_failure("read", "vector", error)
        return {}
    return {keys[key]: _unpacked(packed) for key, packed in stored.items()}


def _keep(vectors: Mapping[str, Vector], model: EmbeddingModel) -> None:
    """Awaited; a write that fails is counted and logged."""
    if not vectors or is_resting():
        return
    try:
        cache.set_many(
            {_key(text, model): _packed(vector) for text, vector in vectors.items()},
            timeout=conf.QUERY_VECTOR_SECONDS,
        )
    except Exception as error:  # as above
        count_failure("write", "vector", error)


def _key(text: str, model: EmbeddingModel) -> str:
    """White space is all that two texts of one vector may differ in: some models heed capitals."""
    digest = hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()
    return f"query-vector:{model.name}:{model.dimensions}:{digest}"


def _packed(vector: Vector) -> bytes:
    """In full, so that a ranking is the same from the cache and without it."""
    return struct.pack(f"<{len(vector)}d", *vector)


def _unpacked(packed: bytes) -> Vector:
    return list(struct.unpack(f"<{len(packed) // 8}d", packed))
