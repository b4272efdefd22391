"""A library of any size, made of the FAA's own text, for measuring the search.

The documents of `../shared/data/faa` are ingested as `manage.py ingest` does it. A passage of the crowd is one of
theirs with every third sentence taken from three others, under the heading of the first. Its vector is that of the
first and those of the others in the same shares, with noise added. So words are as frequent as in the real ones, and no
two passages lie at the same place. All is drawn with a fixed seed.
Documents have 50 passages. Their categories name the share of the library that has them: "0.1 %" and so on.
"""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np
from django.core.management import call_command
from django.db import connection
from numpy.typing import NDArray

from knowledge.library_version import index_words
from knowledge.models import ChunkEmbedding, Document

FAA = Path(__file__).resolve().parents[2] / "shared" / "data" / "faa"
SEED = 20260102
GUESTS = 3  # passages from which each third sentence comes
NOISE = 0.2  # length of what is added to a vector of length 1
OF_A_DOCUMENT = 50
LETTERS = 1000  # of a passage: some 90 different words, as a passage of the real ones has
CATEGORIES = (("0.1 %", 1), ("1 %", 10), ("10 %", 100), ("50 %", 500))  # documents of each thousand
AT_ONCE = 50_000

Vectors = NDArray[np.float32]
Drawn = NDArray[np.int64]
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+")


@dataclass(frozen=True, slots=True)
class Real:
    """The passages that were ingested."""

    model: str
    vectors: Vectors
    headings: tuple[str, ...]
    sections: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    doc_types: tuple[str, ...]


def real_passages(model: str) -> Real:
    """Ingested here and then removed: the crowd is all that is searched."""
    call_command("ingest", str(FAA), "--status", "published", "--json", stdout=StringIO())
    rows = list(
        ChunkEmbedding.objects.filter(model=model, state="current", chunk__document__status="published")
        .exclude(chunk__kind__in=("toc", "index"))
        .select_related("chunk__document")
        .order_by("chunk__document__title", "chunk__index")
    )
    real = Real(
        model=model,
        vectors=np.asarray([np.asarray(row.vector) for row in rows], np.float32),
        headings=tuple(row.chunk.heading for row in rows),
        sections=tuple(row.chunk.section for row in rows),
        sentences=tuple(tuple(_SENTENCE.split(" ".join(row.chunk.text.split()))) for row in rows),
        doc_types=tuple(row.chunk.document.doc_type for row in rows),
    )
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {Document._meta.db_table} CASCADE")
        cursor.execute("TRUNCATE knowledge_posting, knowledge_extent, knowledge_staleblock")
    return real


class Crowd:
    """Passages 0, 1, 2 … in the order in which they are added; their vectors are kept for comparing with all."""

    def __init__(self, real: Real, *, kept: int) -> None:
        self.real, self.size = real, 0
        self.vectors = np.zeros((kept, real.vectors.shape[1]), np.float32)
        self.documents: list[uuid.UUID] = []

    def grow(self, size: int) -> None:
        """Up to so many passages, indexes and lists of words with them."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_get_indexdef('embedding_hnsw_minilm'::regclass)")
            (definition,) = cursor.fetchone()
            cursor.execute("DROP INDEX embedding_hnsw_minilm")
            cursor.execute("DROP INDEX IF EXISTS chunk_search_vector")
        for start in range(self.size, size, AT_ONCE):
            self._add(range(start, min(size, start + AT_ONCE)))
        self.size = size
        index_words()
        with connection.cursor() as cursor:
            cursor.execute("SET maintenance_work_mem = '4GB'")
            cursor.execute("SET max_parallel_maintenance_workers = 2")
            cursor.execute(definition)
            if size <= WITH_GIN:
                cursor.execute(
                    "CREATE INDEX chunk_search_vector ON knowledge_chunk USING gin (search_vector)"
                )
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
            cursor.execute("CHECKPOINT")  # else it is written while times are measured

    def _add(self, numbers: range) -> None:
        chance = np.random.default_rng(SEED + numbers.start)
        drawn = chance.integers(len(self.real.headings), size=(len(numbers), 1 + GUESTS))
        vectors = self._vectors(drawn, chance)
        keep = range(numbers.start, min(numbers.stop, len(self.vectors)))
        self.vectors[keep.start : keep.stop] = vectors[: len(keep)]
        ids = [uuid.UUID(bytes=chance.bytes(16), version=4) for _ in numbers]
        self._copy_documents(numbers, drawn[:, 0])
        self._copy_passages(numbers, drawn, ids)
        self._copy_vectors(ids, vectors)

    def _vectors(self, drawn: Drawn, chance: np.random.Generator) -> Vectors:
        mixed = 2 * self.real.vectors[drawn[:, 0]] + self.real.vectors[drawn[:, 1:]].mean(axis=1)
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        noise = chance.standard_normal(mixed.shape, np.float32)
        mixed += noise * (NOISE / np.linalg.norm(noise, axis=1, keepdims=True))
        found: Vectors = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
        return found

    def _copy_documents(self, numbers: range, bases: Drawn) -> None:
        rows = []
        for first in range(numbers.start, numbers.stop, OF_A_DOCUMENT):
            number = first // OF_A_DOCUMENT
            rows.append(
                Document(
                    title=f"Book {number}",
                    doc_type=self.real.doc_types[bases[first - numbers.start]],
                    abbreviation=f"BOOK {number}",
                    category=category_of(number),
                    status="published",
                    content_hash=f"{number}",
                )
            )
        self.documents += [row.pk for row in Document.objects.bulk_create(rows)]

    def _copy_passages(self, numbers: range, drawn: Drawn, ids: Sequence[uuid.UUID]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_ARRIVING)
            with cursor.copy("COPY arriving FROM STDIN") as copy:
                for number, parts, one in zip(numbers, drawn.tolist(), ids, strict=True):
                    document = self.documents[number // OF_A_DOCUMENT]
                    heading, section = self.real.headings[parts[0]], self.real.sections[parts[0]]
                    text = self._text(parts, number)
                    copy.write_row((one, document, number % OF_A_DOCUMENT, heading, section, text))
            cursor.execute("ALTER TABLE knowledge_chunk DISABLE TRIGGER USER")
            cursor.execute(_INSERT)
            cursor.execute("ALTER TABLE knowledge_chunk ENABLE TRIGGER USER")
            cursor.execute(_MARK)
            cursor.execute("DROP TABLE arriving")

    def _text(self, parts: Sequence[int], number: int) -> str:
        """Sentences of the first, each third of one of the others; where in it they begin depends on the number."""
        said: list[str] = []
        while sum(map(len, said)) < LETTERS and len(said) < 40:
            at = len(said)
            of = parts[0] if at % 3 < 2 else parts[1 + at // 3 % GUESTS]
            sentences = self.real.sentences[of]
            said.append(sentences[(number + at) % len(sentences)])
        return " ".join(said)[: 2 * LETTERS]

    def _copy_vectors(self, ids: Sequence[uuid.UUID], vectors: Vectors) -> None:
        with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.write(_HEAD + _rows(ids, self.real.model, vectors) + b"\xff\xff")


WITH_GIN = (
    100_000  # passages up to which the index of full text search is built, which the seed's SQL may use
)

_ARRIVING = """
    CREATE TEMP TABLE arriving
    (id uuid, document uuid, index int, heading text, section text, body text)"""

_INSERT = """
    INSERT INTO knowledge_chunk (id, document_id, index, heading, section_path, section, anchor, text, page_start,
        page_end, page_label, lines, tokens, kind, content_hash, search_vector, certificate, aircraft_class, created_at)
    SELECT id, document, index, heading, '[]', section, '', body, 1, 1, '1', '[]', 200, 'body', md5(id::text),
           setweight(to_tsvector('english', section || ' ' || heading), 'A')
           || setweight(to_tsvector('english', body), 'B'), '', '', now()
    FROM arriving"""

_MARK = """
    INSERT INTO knowledge_staleblock (block)
    SELECT DISTINCT c.ordinal / 8192 FROM knowledge_chunk c JOIN arriving a ON a.id = c.id"""

_COPY = "COPY knowledge_chunkembedding (chunk_id, model, vector, state, windows) FROM STDIN (FORMAT binary)"
_HEAD = b"PGCOPY\n\xff\r\n\x00" + bytes(8)


def _rows(ids: Sequence[uuid.UUID], model: str, vectors: Vectors) -> bytes:
    """Rows as COPY takes them, all of one length."""
    name, dimensions = model.encode(), vectors.shape[1]
    row = np.dtype(
        [
            ("columns", ">i2"),
            ("n1", ">i4"),
            ("id", "V16"),
            ("n2", ">i4"),
            ("model", f"S{len(name)}"),
            ("n3", ">i4"),
            ("dimensions", ">i2"),
            ("unused", ">i2"),
            ("vector", ">f4", (dimensions,)),
            ("n4", ">i4"),
            ("state", "S7"),
            ("n5", ">i4"),
            ("windows", ">i2"),
        ]
    )
    rows = np.zeros(len(ids), row)
    for column, value in {
        "columns": 5,
        "n1": 16,
        "n2": len(name),
        "model": name,
        "n3": 4 + 4 * dimensions,
        "dimensions": dimensions,
        "n4": 7,
        "state": b"current",
        "n5": 2,
        "windows": 1,
    }.items():
        rows[column] = value
    rows["id"] = np.frombuffer(b"".join(one.bytes for one in ids), "V16")
    rows["vector"] = vectors
    return rows.tobytes()


def category_of(document: int) -> str:
    """The first documents of each thousand have the first category, and so on; but spread by a step that meets all."""
    place, reached = document * 387 % 1000, 0
    for name, share in CATEGORIES:
        reached += share
        if place < reached:
            return name
    return "rest"
