"""Documents of a labelled set become a library of their own, which is gone again when the measurement is over.

It belongs to a tenant that reads no shared library and that nobody is a member of. What a broken run left is removed
by the next one. Texts are cut and embedded as ingestion does it; only files, pages and figures are missing. Vectors of
texts stay in the embedding cache, as those of any text do.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.search import SearchVector
from django.db import connection
from django.db.models import Value

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

PREFIX = "scratch-evaluation-"
AT_ONCE = 50  # texts that are cut and embedded before the next ones are
LOCK = 0x4845_5945  # one evaluation at a time: each removes what another left

Tick = Callable[[int, int], None]


class Busy(RuntimeError):
    """Another evaluation is running against this database."""


@contextmanager
def scratch_library(
    texts: Sequence[Text], model: EmbeddingModel, tick: Tick = lambda done, of: None
) -> Iterator[tuple[Tenant, dict[str, str]]]:
    """A tenant with these texts, and the name of the text behind the id of each document. Raises Busy."""
    with _alone():
        remove_leftovers()
        tenant = Tenant.objects.create(slug=f"{PREFIX}{uuid4().hex[:12]}", name="Evaluation")
        try:
            yield tenant, _fill(tenant, texts, model, tick)
        finally:
            remove_leftovers()


@contextmanager
def _alone() -> Iterator[None]:
    """The lock is a session's of its own: a search gives its connection back while a model works, and another comes. It
    goes with the process, however that ends."""
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
            if not cursor.fetchone()[0]:
                raise Busy("another evaluation is running: wait for its end")
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    finally:
        own.close()


def remove_leftovers() -> None:
    """All that any evaluation left: documents, passages, vectors and searches go with their tenant."""
    Tenant.objects.filter(slug__startswith=PREFIX).delete()


def _fill(tenant: Tenant, texts: Sequence[Text], model: EmbeddingModel, tick: Tick) -> dict[str, str]:
    names: dict[str, str] = {}
    for at in range(0, len(texts), AT_ONCE):
        tick(at, len(texts))
        some = texts[at : at + AT_ONCE]
        documents = Document.objects.bulk_create(_document(tenant, text) for text in some)
        names |= {str(document.pk): text.name for document, text in zip(documents, some, strict=True)}
        drafts = [_chunks(text, model) for text in some]
        rows = [
            _row(document, draft)
            for document, found in zip(documents, drafts, strict=True)
            for draft in found
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


def _document(tenant: Tenant, text: Text) -> Document:
    return Document(
        tenant=tenant,
        title=(text.title or text.name)[:300],
        status="published",
        paged=False,
        content_hash=content_hash(text.name),
    )


def _chunks(text: Text, model: EmbeddingModel) -> tuple[ChunkDraft, ...]:
    title = " ".join(text.title.split())
    source = f"# {title}\n\n## {title}\n\n{text.text}\n" if title else f"{text.text}\n"
    try:
        document = markdown_document(source, file_name="text.md")
    except IngestionError:  # nothing in it: nothing of it can be found
        return ()
    return tuple(
        chunk_pages(
            document,
            strategy=strategy_named(settings.CHUNKING, model.name),
            count_tokens=model.count_tokens,
            embed=partial(_vectors, model),
        )
    )


def _vectors(model: EmbeddingModel, sentences: Sequence[str]) -> list[list[float]]:
    return embed_texts(model, sentences)[0]


def _row(document: Document, draft: ChunkDraft) -> Chunk:
    return Chunk(
        document=document,
        index=draft.index,
        heading=draft.heading[:300],
        section=draft.section[:40],
        text=draft.text,
        tokens=draft.tokens,
        kind=draft.kind,
        content_hash=draft.content_hash,
    )
