"""Chunks become vectors, through a cache, in batches: every chunk has exactly one of the current model in
the end.

A text that was embedded once is not embedded again, whatever document it stands in. Cache writes are
awaited and counted. No transaction is open and no connection held while the model works.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from prometheus_client import Counter

from knowledge import conf
from knowledge.connections import give_connection_back
from knowledge.models import Chunk, ChunkEmbedding, Document, EmbeddingCache
from knowledge.models.documents import VectorState
from llm.interfaces import EmbeddingModel

from .chunking import content_hash
from .errors import EmbeddingIncomplete

HITS = Counter("heydpe_embedding_cache_hits_total", "Texts whose vector was known")
MISSES = Counter("heydpe_embedding_cache_misses_total", "Texts that had to be embedded")
FAILED_WRITES = Counter("heydpe_embedding_cache_failed_writes_total", "Vectors that could not be kept")

Vector = list[float]
Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class CacheCount:
    """What the cache did for one run."""

    hits: int = 0
    misses: int = 0
    failed_writes: int = 0

    def __add__(self, other: "CacheCount") -> "CacheCount":
        return CacheCount(
            self.hits + other.hits, self.misses + other.misses, self.failed_writes + other.failed_writes
        )


def embedded_text(chunk: Chunk) -> str:
    """What of a chunk is embedded: its text, under its heading where the text does not itself begin with
    it.
    """
    return (
        chunk.text
        if not chunk.heading or chunk.heading in chunk.text[:400]
        else f"{chunk.heading}\n\n{chunk.text}"
    )


def embed_document(
    document: Document,
    model: EmbeddingModel,
    tick: Tick = lambda done, total: None,
    prove: Callable[[], None] = lambda: None,
) -> CacheCount:
    """Give each chunk of a document its vector. Raises EmbeddingIncomplete if one is left without. `prove` raises in
    the transaction of each batch when the job is no longer ours.
    """
    waiting = list(chunks_without_vector(document, model.name))
    count = CacheCount()
    for at, batch in _batches(waiting):
        tick(at, len(waiting))
        vectors, counted = embed_texts(model, [embedded_text(chunk) for chunk in batch])
        with transaction.atomic():
            prove()
            _store_vectors(model, batch, vectors)
        count += counted
    tick(len(waiting), len(waiting))
    check_embedded(document, model.name)
    return count


def embed_chunks(chunks: Sequence[Chunk], model: EmbeddingModel) -> CacheCount:
    """Give those of these chunks a vector that have none, whatever edition they stand in."""
    rows = ChunkEmbedding.objects.filter(
        model=model.name, state=VectorState.CURRENT, chunk__in=[chunk.pk for chunk in chunks]
    )
    done = set(rows.values_list("chunk_id", flat=True))
    count = CacheCount()
    for _, batch in _batches([chunk for chunk in chunks if chunk.pk not in done]):
        vectors, counted = embed_texts(model, [embedded_text(chunk) for chunk in batch])
        _store_vectors(model, batch, vectors)
        count += counted
    return count


def chunks_without_vector(document: Document, model_name: str) -> Iterator[Chunk]:
    done = ChunkEmbedding.objects.filter(
        model=model_name, state=VectorState.CURRENT, chunk__document=document
    )
    found = document.chunks.exclude(pk__in=done.values("chunk_id")).only("id", "heading", "text", "document")
    return found.order_by("index").iterator(chunk_size=500)


def check_embedded(document: Document, model_name: str) -> None:
    left = sum(1 for _ in chunks_without_vector(document, model_name))
    if left:
        raise EmbeddingIncomplete(f"{left} passages have no vector of {model_name}. Start the job again.")


def embed_texts(model: EmbeddingModel, texts: Sequence[str]) -> tuple[list[Vector], CacheCount]:
    """Vectors in the order of the texts, from the cache where it has them."""
    keys = [content_hash(text) for text in texts]
    known = _known_vectors(model.name, keys)
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    give_connection_back()
    fresh = dict(zip(missing, model.embed_passages(list(missing.values())), strict=True)) if missing else {}
    failed = _keep(model.name, fresh)
    HITS.inc(len(texts) - len(fresh))
    MISSES.inc(len(fresh))
    FAILED_WRITES.inc(failed)
    return [(known | fresh)[key] for key in keys], CacheCount(len(texts) - len(fresh), len(fresh), failed)


def _known_vectors(model_name: str, keys: Sequence[str]) -> dict[str, Vector]:
    rows = EmbeddingCache.objects.filter(model=model_name, text_hash__in=set(keys))
    return {key: _unpacked(bytes(packed)) for key, packed in rows.values_list("text_hash", "vector")}


def _keep(model_name: str, fresh: dict[str, Vector]) -> int:
    """Keep new vectors; the number that could not be kept, which costs time later and nothing else."""
    rows = [
        EmbeddingCache(model=model_name, text_hash=key, vector=_packed(vector))
        for key, vector in fresh.items()
    ]
    try:
        with transaction.atomic():
            EmbeddingCache.objects.bulk_create(rows, ignore_conflicts=True)
    except DatabaseError:
        return len(rows)
    return 0


def _store_vectors(model: EmbeddingModel, chunks: Sequence[Chunk], vectors: Sequence[Vector]) -> None:
    rows = [
        ChunkEmbedding(
            chunk=chunk,
            model=model.name,
            vector=vector,
            state=VectorState.CURRENT,
            windows=-(-max(1, chunk_tokens) // max(1, model.window)),
        )
        for chunk, vector, chunk_tokens in zip(
            chunks, vectors, (model.count_tokens(chunk.text) for chunk in chunks), strict=True
        )
    ]
    ChunkEmbedding.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["chunk", "model"],
        update_fields=["vector", "state", "windows"],
    )


def _batches(chunks: Sequence[Chunk]) -> Iterator[tuple[int, Sequence[Chunk]]]:
    for at in range(0, len(chunks), conf.EMBED_BATCH):
        yield at, chunks[at : at + conf.EMBED_BATCH]


def _packed(vector: Vector) -> bytes:
    return struct.pack(f"<{len(vector)}f", *vector)


def _unpacked(packed: bytes) -> Vector:
    return list(struct.unpack(f"<{len(packed) // 4}f", packed))
