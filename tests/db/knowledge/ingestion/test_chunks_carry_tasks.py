"""Chunks carry the Tasks whose references line names their document or section."""

from pathlib import Path

import pytest

from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.models import AcsArea, AcsTask, Chunk, ChunkTask, Document, Standard
from knowledge.standards.chunk_task_tags import mark_library, mark_tasks
from tests.doubles.embedding import HashingEmbedding

pytestmark = pytest.mark.django_db(transaction=True)

PART = """# Part 91. Rules of the club

### §91.155   Minimums of the club.

\\(a\\) No member may fly when the visibility is less than 5 statute miles by day.

### §91.157   Special minimums.

\\(a\\) A member may fly with 3 statute miles when the tower says so.
"""
REFERENCES = {
    "A": [{"document": "14 CFR", "section": "part 91"}, {"document": "AIM", "section": ""}],
    "B": [{"document": "14 CFR", "section": "§ 91.157"}],
    "C": [{"document": "FAA-H-8083-25", "section": ""}],
}


@pytest.fixture
def tasks() -> Standard:
    standard = Standard.objects.create(number="FAA-S-ACS-6C", certificate="private", title="Private")
    area = AcsArea.objects.create(standard=standard, numeral="I", title="Preflight", order=0)
    for letter, references in REFERENCES.items():
        AcsTask.objects.create(
            area=area, letter=letter, code=f"PA.I.{letter}", title=letter, references=references
        )
    return standard


def ingested(path: Path) -> Document:
    path.write_text(PART)
    job = submit_file(path, wake=False)
    run_job(job.pk, model=HashingEmbedding())
    return Document.objects.get()


def carried() -> dict[str, set[str]]:
    return {chunk.section: {task.task_code for task in chunk.tasks.all()} for chunk in Chunk.objects.all()}


def test_a_chunk_carries_the_tasks_that_name_its_part_or_section(tasks: Standard, tmp_path: Path) -> None:
    ingested(tmp_path / "14cfr_part091.md")
    assert carried() == {"91.155": {"PA.I.A"}, "91.157": {"PA.I.A", "PA.I.B"}}


def test_marking_again_changes_nothing_and_leaves_what_people_said(tasks: Standard, tmp_path: Path) -> None:
    document = ingested(tmp_path / "14cfr_part091.md")
    ChunkTask.objects.create(chunk=Chunk.objects.get(section="91.155"), task_code="PA.I.C", origin="reviewer")
    before = set(ChunkTask.objects.values_list())
    mark_tasks(document)
    assert set(ChunkTask.objects.values_list()) == before


def test_a_standard_that_is_loaded_later_marks_what_is_there(tasks: Standard, tmp_path: Path) -> None:
    Standard.objects.update(current=False)
    ingested(tmp_path / "14cfr_part091.md")
    assert carried() == {"91.155": set(), "91.157": set()}
    Standard.objects.update(current=True)
    mark_library()
    assert carried()["91.157"] == {"PA.I.A", "PA.I.B"}
    AcsTask.objects.filter(letter="A").delete()
    mark_library()
    assert carried() == {"91.155": set(), "91.157": {"PA.I.B"}}


def test_a_document_whose_kind_somebody_tells_later_is_marked_when_it_is_marked_again(
    tasks: Standard, tmp_path: Path
) -> None:
    document = ingested(tmp_path / "14cfr_part091.md")
    Document.objects.update(doc_type="sop")
    document.refresh_from_db()
    mark_tasks(document)
    assert carried() == {"91.155": set(), "91.157": set()}
