"""A temporary library for labeled documents, removed when the evaluation ends.

It belongs to a tenant that reads no shared library and has no members. The next evaluation removes what an interrupted
one left. Texts are chunked and embedded as ingestion does it, without files, pages and figures. Their vectors stay in
the embedding cache.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.search import SearchVector
from django.db import connection
from django.db.models import Value

from knowledge.db.connections import try_lock
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages, content_hash
from knowledge.ingestion.chunking.strategies import strategy_named
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.ingestion.storage import LANGUAGE
from knowledge.ingestion.vectors.embedding import embed_chunks, embed_texts
from knowledge.library_version import library_changed
from knowledge.models import Chunk, Document, Tenant
from llm.interfaces import EmbeddingModel

from .beir import Text
from .labeled_files import Tick, ignore_progress

PREFIX = "scratch-evaluation-"
AT_ONCE = 50  # texts that are chunked and embedded together
LOCK = "desk.evaluation"  # one evaluation at a time: each removes the leftovers of others


class Busy(RuntimeError):
    """Another evaluation is running against this database."""


@contextmanager
def scratch_library(
    texts: Sequence[Text], model: EmbeddingModel, tick: Tick = ignore_progress
) -> Iterator[tuple[Tenant, dict[str, str]]]:
    """A tenant with these texts, and the name of each document's text by the document's id. Raises Busy."""
    with try_lock(LOCK) as ours:
        if not ours:
            raise Busy("another evaluation is running: wait until it ends")
        remove_leftovers()
        tenant = Tenant.objects.create(slug=f"{PREFIX}{uuid4().hex[:12]}", name="Evaluation")
        try:
            yield tenant, _fill_library(tenant, texts, model, tick)
        finally:
            remove_leftovers()


def remove_leftovers() -> None:
    """Documents, passages, vectors and searches are deleted with their tenant."""
    Tenant.objects.filter(slug__startswith=PREFIX).delete()


def _fill_library(tenant: Tenant, texts: Sequence[Text], model: EmbeddingModel, tick: Tick) -> dict[str, str]:
    names: dict[str, str] = {}
    for at in range(0, len(texts), AT_ONCE):
        tick(at, len(texts))
        some = texts[at : at + AT_ONCE]
        documents = Document.objects.bulk_create(
            Document(
                tenant=tenant,
                title=(text.title or text.name)[:300],
                status="published",
                paged=False,
                content_hash=content_hash(text.name),
            )
            for text in some
        )
        names |= {str(document.pk): text.name for document, text in zip(documents, some, strict=True)}
        rows = [
            Chunk(
                document=document,
                index=draft.index,
                heading=draft.heading[:300],
                section=draft.section[:40],
                text=draft.text,
                tokens=draft.tokens,
                kind=draft.kind,
                content_hash=draft.content_hash,
            )
            for document, text in zip(documents, some, strict=True)
            for draft in _chunk_text(text, model)
        ]
        embed_chunks(Chunk.objects.bulk_create(rows), model)
    tick(len(texts), len(texts))
    named = SearchVector("section", "heading", config=Value(LANGUAGE), weight="A")
    words = named + SearchVector("text", config=Value(LANGUAGE), weight="B")
    Chunk.objects.filter(document__tenant=tenant).update(search_vector=words)
    library_changed(tenant.pk)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE knowledge_document, knowledge_chunk, knowledge_chunkembedding")
    return names


def _chunk_text(text: Text, model: EmbeddingModel) -> tuple[ChunkDraft, ...]:
    title = " ".join(text.title.split())
    source = f"# {title}\n\n## {title}\n\n{text.text}\n" if title else f"{text.text}\n"
    try:
        document = markdown_document(source, file_name="text.md")
    except IngestionError:  # an empty text
        return ()
    return tuple(
        chunk_pages(
            document,
            strategy=strategy_named(settings.CHUNKING, model.name),
            count_tokens=model.count_tokens,
            embed=lambda sentences: embed_texts(model, sentences)[0],
        )
    )
