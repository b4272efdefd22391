"""A scan is kept as a picture and flagged; its text is recognised when an operator wants it."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.ocr import can_recognise
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.reread_jobs import rechunk_document, recognise_document
from knowledge.models import Document, IngestionJob
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.embedding import HashingEmbedding

pytestmark = pytest.mark.django_db
installed = pytest.mark.skipif(not can_recognise(), reason="tesseract is not installed here")

TEXT = (
    "No pilot may take off from a runway that is closed. The tower says when it is open again, and a pilot who "
    "is in doubt asks on 121.5 before the aircraft moves. Fuel for thirty minutes is carried by day."
)


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A page with a text layer, and one that is a picture of text."""
    document = pymupdf.open()
    written = document.new_page()
    written.insert_textbox(
        (72, 72, 540, 300), "Procedures of the school. Every student reads them.", fontsize=12
    )
    drawn = pymupdf.open()
    drawn.new_page(width=420, height=160).insert_textbox((20, 20, 400, 150), TEXT, fontsize=13)
    picture = drawn[0].get_pixmap(dpi=200).tobytes("png")
    page = document.new_page(width=420, height=160)
    page.insert_image(page.rect, stream=picture)
    document.save(tmp_path / "school_sop.pdf")
    return tmp_path / "school_sop.pdf"


def ingested(path: Path) -> Document:
    job = submit_file(path, options={"doc_type": "sop"}, wake=False)
    document = finished(job).document
    assert document is not None
    return document


def finished(job: IngestionJob) -> IngestionJob:
    run_job(job.pk, model=HashingEmbedding())
    job.refresh_from_db()
    assert job.state == "succeeded", job.error
    return job


def needing(document: Document) -> list[int]:
    return list(document.pages.filter(needs_ocr=True).values_list("number", flat=True))


def words(document: Document) -> str:
    return " ".join(" ".join(document.chunks.values_list("text", flat=True)).split())


def test_a_scanned_page_is_kept_as_a_picture_and_flagged(scan: Path) -> None:
    document = ingested(scan)
    assert needing(document) == [2]
    (image,) = document.images.all()
    assert (image.page, image.category) == (2, "scan")
    assert "closed" not in words(document)


def test_a_document_of_scans_alone_is_kept_as_a_draft(tmp_path: Path, scan: Path) -> None:
    with pymupdf.open(scan) as file:
        file.select([1])
        file.save(tmp_path / "scans.pdf")
    document = ingested(tmp_path / "scans.pdf")
    assert (document.status, document.chunks.count(), needing(document)) == ("draft", 0, [1])


@installed
def test_its_text_is_recognised_where_it_is_printed(scan: Path) -> None:
    document = ingested(scan)
    job = finished(recognise_document(document, wake=False))
    assert job.counts["recognised"] == 1
    assert TEXT in words(document)
    assert needing(document) == []
    assert document.pages.get(number=2).recognised
    line = next(one for chunk in document.chunks.all() for one in chunk.lines if one["page"] == 2)
    x0, y0, x1, y1 = line["bbox"]
    assert 16 < x0 < 24 < 340 < x1 < 402
    assert 16 < y0 < y1 < 42
    assert document.images.get().category == "scan"


@installed
def test_a_document_of_scans_alone_can_be_found_afterwards(tmp_path: Path, scan: Path) -> None:
    with pymupdf.open(scan) as file:
        file.select([1])
        file.save(tmp_path / "scans.pdf")
    document = ingested(tmp_path / "scans.pdf")
    Document.objects.filter(pk=document.pk).update(doc_type="sop")
    finished(recognise_document(document, wake=False))
    document.refresh_from_db()
    assert (document.status, document.chunks.count()) == ("published", 1)


@pytest.mark.long
@installed
def test_chunking_it_anew_does_not_lose_the_text(scan: Path) -> None:
    document = ingested(scan)
    finished(recognise_document(document, wake=False))
    finished(rechunk_document(document, wake=False))
    assert TEXT in words(document)


@installed
def test_nothing_is_recognised_twice(scan: Path) -> None:
    document = ingested(scan)
    one, other = (recognise_document(document, wake=False) for _ in range(2))
    assert one.pk == other.pk
    finished(one)
    with pytest.raises(IngestionError, match="No page of this document"):
        recognise_document(document, wake=False)


def test_without_tesseract_it_is_said_what_to_do(scan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = ingested(scan)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(IngestionError, match="apt-get install tesseract-ocr"):
        recognise_document(document, wake=False)
    assert not IngestionJob.objects.filter(options__ocr=True).exists()


@installed
def test_the_command_recognises_all_that_needs_it(scan: Path) -> None:
    document = ingested(scan)
    (told,) = command()["documents"]
    assert (told["id"], told["pages"], told["error"]) == (str(document.pk), 1, None)
    assert command() == {"documents": []}


def command() -> Any:
    out = StringIO()
    call_command("recognise", "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


@installed
def test_the_operator_starts_it_on_the_page(scan: Path, operator: Client) -> None:
    document = ingested(scan)
    page = reverse("desk:upkeep_document", args=[document.pk])
    assert b"<button>Run OCR</button>" in operator.get(page).content
    operator.post(reverse("desk:change_document", args=[document.pk, "recognise"]))
    finished(IngestionJob.objects.get(options__ocr=True))
    assert b"<button>Run OCR</button>" not in operator.get(page).content
    shown = operator.get(reverse("library:page", args=[document.pk, 2])).content
    assert b"The text of this page comes from OCR" in shown


@installed
def test_the_api_answers_with_the_job_and_with_a_conflict_where_there_is_nothing_to_do(
    scan: Path, operator: Client
) -> None:
    document = ingested(scan)
    address = f"/api/v1/documents/{document.pk}/recognise/"
    answer = operator.post(address)
    assert answer.status_code == 202
    finished(IngestionJob.objects.get(pk=answer.json()["id"]))
    refused = operator.post(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_recognise")


def test_a_student_may_not(scan: Path, client: Client) -> None:
    document = ingested(scan)
    client.force_login(make_user("sam", Role.STUDENT))
    assert client.post(f"/api/v1/documents/{document.pk}/recognise/").status_code == 403


def test_the_jobs_say_which_pictures_were_refused_and_which_pages_need_it(
    scan: Path, operator: Client
) -> None:
    ingested(scan)
    shown = " ".join(operator.get(reverse("desk:jobs_now")).content.decode().split())
    assert "1 picture refused (1 × part of a scanned page)" in shown
    assert "1 page needs OCR" in shown
