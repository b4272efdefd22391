"""Embed chunks in batches, through a cache: in the end every chunk has exactly one vector of each kept model.

A text that was embedded once is not embedded again, whatever document it is in. Each batch is stored before the next
one is requested, so that a later run continues there. The cost of a batch is reported even if it failed. No transaction
is open and no connection held while the model works.
"""

import struct
import time
from collections.abc import Callable, Sequence

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
from llm.metering import open_meter

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
_EMBEDDED_FIELDS = ("id", "heading", "text", "document", "content_hash")


def _do_nothing(*_: object) -> None:
    pass


def embedded_text(chunk: Chunk) -> str:
    """The text of a chunk that is embedded: under its heading, unless the text begins with it."""
    if not chunk.heading or chunk.heading in chunk.text[:400]:
        return chunk.text
    return f"{chunk.heading}\n\n{chunk.text}"


def embed_document(
    document: Document,
    model: EmbeddingModel,
    tick: Tick = _do_nothing,
    tell: Tell = _do_nothing,
    prove: Prove = _do_nothing,
) -> EmbeddingCount:
    """Give each chunk of a document its vector. `tell` gets what each batch took; `prove` raises in the transaction of
    each batch if the job is no longer ours. Raises EmbeddingIncomplete if a chunk is left without one."""
    missing = document.chunks.filter(~_has_vector(model.name)).order_by("index")
    rows = missing.only(*_EMBEDDED_FIELDS).iterator(chunk_size=500)
    count = _embed_batches(list(rows), model, tick, tell, prove)
    check_embedded(document, model.name)
    return count


def embed_chunks(chunks: Sequence[Chunk], model: EmbeddingModel) -> EmbeddingCount:
    """Give a vector to those of these chunks that have none, whatever edition they are in."""
    rows = ChunkEmbedding.objects.filter(
        model=model.name, state=VectorState.CURRENT, chunk__in=[chunk.pk for chunk in chunks]
    )
    done = set(rows.values_list("chunk_id", flat=True))
    return _embed_batches([chunk for chunk in chunks if chunk.pk not in done], model)


def embed_library(
    in_use: str,
    model: EmbeddingModel,
    tick: Tick = _do_nothing,
    tell: Tell = _do_nothing,
    prove: Prove = _do_nothing,
) -> EmbeddingCount:
    """Give each chunk that has a vector of the model in use one of this model too, a batch at a time. Chunks that are
    stored meanwhile bring theirs with them."""
    behind = chunks_behind(model.name, in_use)
    rows = behind.only(*_EMBEDDED_FIELDS).order_by("pk")
    total, done, count = behind.count(), 0, EmbeddingCount()
    tick(0, total)
    batch = list(rows[: conf.EMBED_BATCH])
    while batch:
        count += _embed_batches(batch, model, _do_nothing, tell, prove)
        done += len(batch)
        tick(min(done, total), total)
        batch = list(rows.filter(pk__gt=batch[-1].pk)[: conf.EMBED_BATCH])
    return count


def chunks_behind(model_name: str, in_use: str) -> QuerySet[Chunk]:
    """Chunks that have a vector of the model in use and none of this one."""
    return Chunk.objects.filter(_has_vector(in_use), ~_has_vector(model_name))


def _has_vector(model_name: str) -> Exists:
    return Exists(
        ChunkEmbedding.objects.filter(model=model_name, state=VectorState.CURRENT, chunk=OuterRef("pk"))
    )


def check_embedded(document: Document, model_name: str) -> None:
    """Raise EmbeddingIncomplete if a chunk of the document has no vector of this model."""
    left = document.chunks.filter(~_has_vector(model_name)).count()
    if left:
        raise EmbeddingIncomplete(f"{left} passages have no vector of {model_name}. Start the job again.")


def _embed_batches(
    chunks: Sequence[Chunk],
    model: EmbeddingModel,
    tick: Tick = _do_nothing,
    tell: Tell = _do_nothing,
    prove: Prove = _do_nothing,
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
    model: EmbeddingModel, texts: Sequence[str], tell: Tell = _do_nothing
) -> tuple[list[Vector], EmbeddingCount]:
    """Vectors in the order of the texts, from the cache where it has them. `tell` gets what it took, also if the model
    fails. A new vector that cannot be cached only costs time later."""
    keys = [content_hash(text) for text in texts]
    rows = EmbeddingCache.objects.filter(model=model.name, text_hash__in=set(keys))
    known = {
        key: list(struct.unpack(f"<{len(packed) // 4}f", packed))
        for key, packed in rows.values_list("text_hash", "vector")
    }
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    give_connection_back()
    fresh, took = _embed_missing(model, missing, tell)
    new = [
        EmbeddingCache(model=model.name, text_hash=key, vector=struct.pack(f"<{len(vector)}f", *vector))
        for key, vector in fresh.items()
    ]
    failed = 0
    try:
        with transaction.atomic():
            EmbeddingCache.objects.bulk_create(new, ignore_conflicts=True)
    except DatabaseError:
        failed = len(new)
    count = took + EmbeddingCount(hits=len(texts) - len(fresh), misses=len(fresh), failed_writes=failed)
    HITS.inc(count.hits)
    MISSES.inc(count.misses)
    FAILED_WRITES.inc(failed)
    tell(count)
    return [(known | fresh)[key] for key in keys], count


def _embed_missing(
    model: EmbeddingModel, missing: dict[str, str], tell: Tell
) -> tuple[dict[str, Vector], EmbeddingCount]:
    """The vectors of texts that the cache does not have, and what they took."""
    if not missing:
        return {}, EmbeddingCount()
    began, whole = time.monotonic(), False
    with open_meter() as meter:
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
            TOKENS.labels(model.name).inc(took.tokens)
            REQUESTS.labels(model.name).inc(took.requests)
            RETRIES.labels(model.name).inc(took.retries)
            if not whole:
                tell(took)
    return dict(zip(missing, vectors, strict=True)), took


def _store_vectors(
    model: EmbeddingModel, chunks: Sequence[Chunk], vectors: Sequence[Vector], prove: Prove
) -> None:
    """Store vectors of the chunks that still have the embedded text; one that changed meanwhile gets none."""
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
