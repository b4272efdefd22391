"""Chunks become vectors, through a cache, in batches: every chunk has exactly one of each model that is kept in
the end.

A text that was embedded once is not embedded again, whatever document it stands in. Each batch is stored before the
next one is asked for, so that work goes on where it stopped. Cache writes are awaited; what a batch took is told, also
when it failed. No transaction is open and no connection held while the model works.
"""

import struct
import time
from collections.abc import Callable, Iterator, Sequence

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from prometheus_client import Counter

from knowledge import conf
from knowledge.db.connections import give_connection_back
from knowledge.ingestion.chunking.chunker import content_hash
from knowledge.ingestion.chunking.token_counting import EmbeddingCount
from knowledge.ingestion.errors import EmbeddingIncomplete
from knowledge.models import Chunk, ChunkEmbedding, Document, EmbeddingCache
from knowledge.models.documents import VectorState
from llm.interfaces import EmbeddingModel
from llm.metering import metered

HITS = Counter("heydpe_embedding_cache_hits_total", "Texts whose vector was known")
MISSES = Counter("heydpe_embedding_cache_misses_total", "Texts that had to be embedded")
FAILED_WRITES = Counter("heydpe_embedding_cache_failed_writes_total", "Vectors that could not be kept")
TOKENS = Counter("heydpe_embedding_tokens_total", "Tokens that were embedded", ["model"])
REQUESTS = Counter("heydpe_embedding_requests_total", "Requests for vectors that left the process", ["model"])
RETRIES = Counter("heydpe_embedding_retries_total", "Requests that were made once more", ["model"])

Vector = list[float]
Tick = Callable[[int, int], None]
Tell = Callable[[EmbeddingCount], None]
Prove = Callable[[], None]


def _silent(*_: object) -> None:
    pass


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
    tick: Tick = _silent,
    tell: Tell = _silent,
    prove: Prove = _silent,
) -> EmbeddingCount:
    """Give each chunk of a document its vector. `tell` hears what each batch took; `prove` raises in the transaction
    of each batch when the job is no longer ours. Raises EmbeddingIncomplete if one is left without."""
    count = _embed(list(chunks_without_vector(document, model.name)), model, tick, tell, prove)
    check_embedded(document, model.name)
    return count


def embed_chunks(chunks: Sequence[Chunk], model: EmbeddingModel) -> EmbeddingCount:
    """Give those of these chunks a vector that have none, whatever edition they stand in."""
    rows = ChunkEmbedding.objects.filter(
        model=model.name, state=VectorState.CURRENT, chunk__in=[chunk.pk for chunk in chunks]
    )
    done = set(rows.values_list("chunk_id", flat=True))
    return _embed([chunk for chunk in chunks if chunk.pk not in done], model)


def embed_library(
    in_use: str,
    model: EmbeddingModel,
    tick: Tick = _silent,
    tell: Tell = _silent,
    prove: Prove = _silent,
) -> EmbeddingCount:
    """Give each chunk that has a vector of the model in use one of this model, too, some at a time, however many there
    are. Chunks that come meanwhile bring theirs with them."""
    total, done, count = chunks_behind(model.name, in_use).count(), 0, EmbeddingCount()
    last = None
    tick(0, total)
    while batch := _next_behind(model.name, in_use, last):
        count += _embed(batch, model, _silent, tell, prove)
        last, done = batch[-1].pk, done + len(batch)
        tick(min(done, total), total)
    return count


def _next_behind(model_name: str, in_use: str, last: object) -> list[Chunk]:
    rows = chunks_behind(model_name, in_use).only("id", "heading", "text", "document", "content_hash")
    after = rows if last is None else rows.filter(pk__gt=last)
    return list(after.order_by("pk")[: conf.EMBED_BATCH])


def chunks_behind(model_name: str, in_use: str) -> QuerySet[Chunk]:
    """Chunks that have a vector of the model in use and none of this one."""
    return Chunk.objects.filter(_has_vector(in_use), ~_has_vector(model_name))


def _has_vector(model_name: str) -> Exists:
    return Exists(
        ChunkEmbedding.objects.filter(model=model_name, state=VectorState.CURRENT, chunk=OuterRef("pk"))
    )


def chunks_without_vector(document: Document, model_name: str) -> Iterator[Chunk]:
    found = document.chunks.filter(~_has_vector(model_name))
    rows = found.only("id", "heading", "text", "document", "content_hash")
    return rows.order_by("index").iterator(chunk_size=500)


def check_embedded(document: Document, model_name: str) -> None:
    left = document.chunks.filter(~_has_vector(model_name)).count()
    if left:
        raise EmbeddingIncomplete(f"{left} passages have no vector of {model_name}. Start the job again.")


def _embed(
    chunks: Sequence[Chunk],
    model: EmbeddingModel,
    tick: Tick = _silent,
    tell: Tell = _silent,
    prove: Prove = _silent,
) -> EmbeddingCount:
    count = EmbeddingCount()
    for at in range(0, len(chunks), conf.EMBED_BATCH):
        batch = chunks[at : at + conf.EMBED_BATCH]
        tick(at, len(chunks))
        vectors, counted = embed_texts(model, [embedded_text(chunk) for chunk in batch], tell)
        _store_vectors(model, batch, vectors, prove)
        count += counted
    tick(len(chunks), len(chunks))
    return count


def embed_texts(
    model: EmbeddingModel, texts: Sequence[str], tell: Tell = _silent
) -> tuple[list[Vector], EmbeddingCount]:
    """Vectors in the order of the texts, from the cache where it has them. `tell` hears what it took, also when the
    model fails."""
    keys = [content_hash(text) for text in texts]
    known = _known_vectors(model.name, keys)
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    give_connection_back()
    fresh, took = _fresh_vectors(model, missing, tell)
    failed = _keep(model.name, fresh)
    count = took + EmbeddingCount(hits=len(texts) - len(fresh), misses=len(fresh), failed_writes=failed)
    HITS.inc(count.hits)
    MISSES.inc(count.misses)
    FAILED_WRITES.inc(failed)
    tell(count)
    return [(known | fresh)[key] for key in keys], count


def _fresh_vectors(
    model: EmbeddingModel, missing: dict[str, str], tell: Tell
) -> tuple[dict[str, Vector], EmbeddingCount]:
    """The vectors of texts that are not known, and what they took."""
    if not missing:
        return {}, EmbeddingCount()
    began, whole = time.monotonic(), False
    with metered() as meter:
        try:
            vectors = model.embed_passages(list(missing.values()))
            whole = True
        finally:
            tokens = meter.tokens or (sum(map(model.count_tokens, missing.values())) if whole else 0)
            took = EmbeddingCount(
                tokens=tokens,
                requests=meter.requests,
                retries=meter.retries,
                seconds=time.monotonic() - began,
            )
            _count(model.name, took)
            if not whole:
                tell(took)
    return dict(zip(missing, vectors, strict=True)), took


def _count(name: str, took: EmbeddingCount) -> None:
    TOKENS.labels(name).inc(took.tokens)
    REQUESTS.labels(name).inc(took.requests)
    RETRIES.labels(name).inc(took.retries)


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


def _store_vectors(
    model: EmbeddingModel, chunks: Sequence[Chunk], vectors: Sequence[Vector], prove: Prove
) -> None:
    """The vectors of those chunks that still say what was embedded; one that went or changed meanwhile gets none."""
    rows = [
        ChunkEmbedding(
            chunk=chunk,
            model=model.name,
            vector=vector,
            state=VectorState.CURRENT,
            windows=-(-max(1, model.count_tokens(chunk.text)) // max(1, model.window)),
        )
        for chunk, vector in zip(chunks, vectors, strict=True)
    ]
    with transaction.atomic():
        prove()
        now = Chunk.every.select_for_update(no_key=True).filter(pk__in=[chunk.pk for chunk in chunks])
        said = {pk: (text, heading) for pk, text, heading in now.values_list("pk", "content_hash", "heading")}
        ChunkEmbedding.objects.bulk_create(
            [row for row in rows if said.get(row.chunk_id) == (row.chunk.content_hash, row.chunk.heading)],
            update_conflicts=True,
            unique_fields=["chunk", "model"],
            update_fields=["vector", "state", "windows"],
        )


def _packed(vector: Vector) -> bytes:
    return struct.pack(f"<{len(vector)}f", *vector)


def _unpacked(packed: bytes) -> Vector:
    return list(struct.unpack(f"<{len(packed) // 4}f", packed))
