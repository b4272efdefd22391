"""Lesson 21: `page_start` was 0 for every chunk. Here a paged source without pages fails ingestion."""

from pathlib import Path

import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.document_model import Description, Paragraph, ParsedDocument, Section
from knowledge.ingestion.errors import PagesMissing
from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import STEPS, run_job
from knowledge.ingestion.run import Run
from knowledge.models import Chunk, Document, IngestionJob
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.source_files import handbook

pytestmark = pytest.mark.django_db(transaction=True)


def without_pages() -> ParsedDocument:
    section = Section(heading="A", level=1, path=("A",), paragraphs=(Paragraph(text="Text from nowhere."),))
    return ParsedDocument(description=Description(title="A", doc_type="ac"), paged=True, sections=(section,))


def test_text_without_a_page_is_refused() -> None:
    with pytest.raises(PagesMissing):
        chunk_pages(without_pages(), count_tokens=lambda text: len(text.split()))


def test_the_job_fails_and_stores_nothing(tmp_path: Path) -> None:
    def loses_pages(run: Run) -> None:
        run.parsed = without_pages()
        STEPS["chunk"](run)

    job = submit_file(handbook(tmp_path / "ac 90-1.pdf"), wake=False)
    run_job(job.pk, model=HashingEmbedding(), steps={**STEPS, "chunk": loses_pages})
    job.refresh_from_db()
    assert (job.state, job.counts["code"]) == ("failed", "pages_missing")
    assert "could not be cited" in job.error
    assert not Document.objects.exists()


def test_every_chunk_of_a_paged_source_has_pages_and_lines(tmp_path: Path) -> None:
    job = submit_file(handbook(tmp_path / "phak.pdf"), wake=False)
    run_job(job.pk, model=HashingEmbedding())
    assert IngestionJob.objects.get(pk=job.pk).state == "succeeded"
    chunks = list(Chunk.objects.all())
    assert chunks
    assert all(found.page_start and found.page_end and found.lines and found.page_label for found in chunks)
    assert Chunk.objects.filter(image_links__strategy="figure_ref").exists()
