"""In the FAA's own documents a section, a frequency, a figure or an abbreviation finds the passages that have it."""

import re
from pathlib import Path

import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.document_model import ParsedDocument, RawPage
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.pdf import read_pdf
from knowledge.models import Chunk, Document
from knowledge.retrieval.glossary import glossary_for, read_glossary
from knowledge.retrieval.search import search
from knowledge.retrieval.values import Arm, SearchRequest
from tests.doubles import faa_files
from tests.doubles.library import MODEL, digest_of, make_document, make_searchable, make_vectors

FAA = faa_files.FAA
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.shared,
    pytest.mark.skipif(not FAA.is_dir(), reason="../shared/data/faa is not here"),
]


@pytest.fixture
def library() -> None:
    for path in faa_files.aim(3, 4, 5):
        store(path, "aim", markdown_document(path.read_text("utf-8"), file_name=path.name))
    part = FAA / "cfr" / "14cfr_part091.md"
    store(part, "cfr", markdown_document(part.read_text("utf-8"), file_name=part.name))
    chapter = FAA / "phak" / "phak_ch15.pdf"
    _, *pages = read_pdf(chapter)
    raw = [page for page in pages if isinstance(page, RawPage)]
    store(chapter, "handbook", paged_document(raw, file_name=chapter.name))
    make_searchable()


def store(path: Path, kind: str, document: ParsedDocument) -> Document:
    # Chapters share file names ("01 General"): the folder tells them apart.
    stored = make_document(f"{path.parent.name}: {path.stem}", doc_type=kind, abbreviation=path.stem[:20])
    drafts = chunk_pages(document, count_tokens=lambda text: len(text) // 4)
    chunks = Chunk.objects.bulk_create(
        Chunk(
            document=stored,
            index=at,
            text=draft.text,
            heading=draft.heading[:300],
            section=draft.section[:40],
            content_hash=digest_of(draft.text),
        )
        for at, draft in enumerate(drafts)
    )
    make_vectors(chunks)
    read_glossary(stored)
    return stored


def texts(query: str, arm: Arm = "hybrid", k: int = 3) -> list[str]:
    request = SearchRequest(query=query, threshold=0.0, arm=arm, k=k)
    return [f"{one.section} {one.heading}\n{one.text}" for one in search(request, MODEL).results]


@pytest.mark.long
def test_what_is_named_is_found(library: None) -> None:
    for told in ("121.5", "243.0", "122.9"):
        assert all(re.search(rf"(?<!\d){re.escape(told)}(?!\d)", text) for text in texts(told, k=2)), told
    for label in ("15-1", "15-3", "15-7"):
        assert re.search(rf"Figure {label}(?!\d)", texts(f"Figure {label}")[0]), label
    for section in ("91.155", "91.151", "3-2-4", "5-1-8"):
        assert texts(f"What does {section} say?")[0].startswith(f"{section} "), section
    for short, long in (
        ("METAR", "aviation routine weather report"),
        ("SVFR", "special VFR"),
        ("LAHSO", "land and hold short"),
    ):
        either = re.compile(rf"\b{short}s?\b|{long}", re.IGNORECASE)
        assert all(either.search(text) for query in (short, long) for text in texts(query, "lexical", 2)), (
            short
        )
    assert {"metar", "vor", "svfr", "cfit", "ads-b"} <= set(glossary_for(None).names)
