"""A ranking is kept for an hour, and for no moment longer than the library stays as it is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone

from knowledge.documents.lifecycle import (
    archive_document,
    deprecate_document,
    describe_document,
    label_document,
    publish_document,
)
from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.reread_jobs import rechunk_document
from knowledge.ingestion.vectors.sets import build_set, switch_to_set
from knowledge.models import Chunk, Document
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest, SearchResponse
from tests.doubles.vector_models import REMOTE, two_models
from tests.doubles.vendors import Vectors
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db(transaction=True)
RULES = """# Rules of the club

## 1.1 Airspeed indicator

The airspeed indicator is checked before each flight, and whoever finds that a mark is worn tells the mechanic.

## 1.2 Tail wheel

The tail wheel is greased by whoever lands last in the evening, and the tin is put back upon its shelf.
"""
Change = Callable[[Document, Path], object]


def asked() -> SearchResponse:
    return search(SearchRequest(query="Who checks the airspeed indicator?"))


def feed(path: Path, text: str = RULES) -> Document:
    path.write_text(text)
    job = submit_file(path, options={"doc_type": "sop", "abbreviation": path.stem}, wake=False)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.document is not None, job.error
    return job.document


def archive(document: Document, folder: Path) -> None:
    archive_document(document)


def publish(document: Document, folder: Path) -> None:
    publish_document(Document.objects.get(abbreviation="other"))


def deprecate(document: Document, folder: Path) -> None:
    deprecate_document(document, "old", timezone.now())


def label(document: Document, folder: Path) -> None:
    label_document(document, category="instruments", tags=[])


def describe(document: Document, folder: Path) -> None:
    describe_document(
        document,
        doc_type="sop",
        title="Rules of our club",
        abbreviation="ROC",
        edition="",
        edition_date=None,
    )


def add(document: Document, folder: Path) -> None:
    feed(folder / "third.md", RULES.replace("checked", "read"))


def read_again(document: Document, folder: Path) -> None:
    run_job(rechunk_document(document, wake=False).pk)


def edit_passage(document: Document, folder: Path) -> None:
    Chunk.objects.filter(text__contains="airspeed").delete()


def embed_again(document: Document, folder: Path) -> None:
    run_job(build_set(REMOTE, wake=False).pk)
    switch_to_set(REMOTE)


def delete(document: Document, folder: Path) -> None:
    document.delete()


@pytest.mark.parametrize(
    "change",
    sample_of(
        [archive, publish, deprecate, label, describe, add, read_again, edit_passage, embed_again, delete], 2
    ),
    ids=lambda change: change.__name__,
)
def test_at_once(tmp_path: Path, change: Change) -> None:
    with two_models(Vectors()):
        document = feed(tmp_path / "club.md")
        archive_document(feed(tmp_path / "other.md", RULES.replace("mechanic", "chief")))
        assert not asked().cached
        assert asked().cached
        change(document, tmp_path)
        assert not asked().cached


def test_white_space_and_capitals_are_no_other_question(tmp_path: Path) -> None:
    feed(tmp_path / "club.md")
    assert not asked().cached
    assert search(SearchRequest(query="  who checks the AIRSPEED\nindicator? ")).cached
