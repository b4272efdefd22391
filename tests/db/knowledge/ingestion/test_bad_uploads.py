"""A file that cannot be a document is refused in words, on the page and by the API, and nothing is stored of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.models import Document, IngestionJob
from tests.doubles.demo_library import Demo
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.source_files import locked, one_page, without_pages

pytestmark = pytest.mark.django_db(transaction=True)


def no_pdf(path: Path) -> Path:
    path.write_text("this is no PDF")
    return path


def empty(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def cut_off(path: Path) -> Path:
    whole = one_page(path, ["Some words on a page."]).read_bytes()
    path.write_bytes(whole[: len(whole) // 3])
    return path


def program(path: Path) -> Path:
    path.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(64))
    return path


Make = Callable[[Path], Path]
AT_ONCE: list[tuple[Make, str, str]] = [
    (no_pdf, "file.pdf", "not a PDF"),
    (empty, "file.pdf", "empty"),
    (empty, "file.md", "empty"),
    (no_pdf, "file.exe", "cannot be read"),
    (no_pdf, "file", "without a suffix"),
    (program, "file.md", "is a program"),
]
WHEN_READ: list[tuple[Make, str]] = [
    (locked, "password"),
    (without_pages, "no pages"),
    (cut_off, "damaged"),
]


@pytest.fixture
def operator(demo: Demo, client: Client, settings: LazySettings, tmp_path: Path) -> Client:
    settings.MEDIA_ROOT = tmp_path / "media"
    client.force_login(demo.operator)
    return client


def upload(client: Client, path: Path) -> tuple[Any, Any]:
    """What the page said, and what the API answered."""
    file = SimpleUploadedFile(path.name, path.read_bytes())
    page = client.post("/operations/upload/", {"files": [file]}, follow=True)
    file.seek(0)
    return page, client.post("/api/v1/documents/", {"file": file})


@pytest.mark.parametrize(("make", "name", "said"), AT_ONCE)
def test_what_can_be_seen_at_once_is_refused_at_once(
    operator: Client, tmp_path: Path, make: Make, name: str, said: str
) -> None:
    before = IngestionJob.objects.exclude(file="").count()  # a refusal leaves a row that nobody can run
    page, answer = upload(operator, make(tmp_path / name))
    assert said in " ".join(map(str, page.context["messages"]))
    assert page.status_code == 200
    assert answer.status_code == 400
    assert said in answer.json()["message"]
    assert answer.json()["fields"]["file"]
    assert IngestionJob.objects.exclude(file="").count() == before


def test_a_file_over_the_limit_is_refused(operator: Client, tmp_path: Path, settings: LazySettings) -> None:
    settings.UPLOAD_LIMIT_BYTES = 1024 * 1024
    path = one_page(tmp_path / "big.pdf", ["Some words."])
    with path.open("ab") as file:
        file.write(b"%" + b"x" * 1024 * 1024)
    page, answer = upload(operator, path)
    assert "larger than 1 MB" in " ".join(map(str, page.context["messages"]))
    assert (answer.status_code, "larger than 1 MB" in answer.json()["message"]) == (400, True)


def test_no_file_at_all(operator: Client) -> None:
    page = operator.post("/operations/upload/", {}, follow=True)
    assert "Choose at least one file" in " ".join(map(str, page.context["messages"]))
    for body in ({}, {"file": "words"}):
        answer = operator.post("/api/v1/documents/", body)
        assert (answer.status_code, set(answer.json()["fields"])) == (400, {"file"})


@pytest.mark.parametrize(("make", "said"), WHEN_READ)
def test_what_only_reading_shows_fails_the_job_in_words(
    operator: Client, tmp_path: Path, make: Make, said: str
) -> None:
    documents = Document.objects.count()
    job = submit_file(make(tmp_path / "file.pdf"), wake=False)
    run_job(job.pk, model=HashingEmbedding())
    job.refresh_from_db()
    assert (job.state, said in job.error) == ("failed", True), job.error
    assert "Traceback" not in job.error
    assert Document.objects.count() == documents
    page = operator.get("/operations/").content.decode()
    assert said in page
    assert operator.get(f"/api/v1/jobs/{job.pk}/").json()["error"] == job.error


def test_one_bad_file_does_not_stop_the_others(operator: Client, tmp_path: Path) -> None:
    files = [
        SimpleUploadedFile("bad.pdf", b"no"),
        SimpleUploadedFile("good.md", b"# Rules\n\nA pilot must look before taxiing."),
    ]
    page = operator.post("/operations/upload/", {"files": files}, follow=True)
    said = [str(message) for message in page.context["messages"]]
    assert "bad.pdf: The file is not a PDF" in said[0]
    assert "good.md is queued" in said[1]


def test_a_student_feeds_in_nothing(demo: Demo, client: Client) -> None:
    client.force_login(demo.student)
    file = SimpleUploadedFile("good.md", b"# Rules")
    assert client.post("/operations/upload/", {"files": [file]}).status_code == 403
    assert client.post("/api/v1/documents/", {"file": file}).status_code == 403
