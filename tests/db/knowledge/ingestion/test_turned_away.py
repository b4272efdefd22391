"""What the command turns away leaves a row for the operator, whatever the file is called and whatever becomes of it."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from knowledge.documents.maintenance_report import refused_files
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.jobs.jobs import submit_file, submit_upload
from knowledge.models import Document, IngestionJob
from knowledge.models.tenancy import Role
from llm import registry
from tests.doubles.claims import make_user
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.hostile import ALL

pytestmark = pytest.mark.django_db(transaction=True)
# Some of each kind: turned away at the door, when they are read, and not at all.
SOME = (
    "denied.pdf",
    "archive_and.pdf",
    "empty.pdf",
    "locked.pdf",
    "no_pages.pdf",
    "ten_thousand_pages.pdf",
    "wall.html",
    "laughs.xml",
    "hidden_pale.pdf",
    "orders.txt",
)


@pytest.fixture(autouse=True)
def _storage(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@contextmanager
def quick_vectors() -> Iterator[None]:
    before = registry._door.wiring
    registry.configure_models(chat={}, embedding=HashingEmbedding)
    yield
    registry._door.wiring = before


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "library").mkdir()
    return tmp_path / "library"


def ingest(*arguments: str) -> Any:
    out = StringIO()
    with quick_vectors():
        call_command("ingest", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_a_folder_of_hostile_files_gives_rows_with_reasons_and_the_good_documents(
    folder: Path, client: Client
) -> None:
    files = {one.name: one for one in ALL if one.name in SOME}
    assert len(files) == len(SOME)
    for one in files.values():
        one.write(folder)
    (folder / "good.md").write_text("# Rules of the club\n\nAlways look out for other aircraft.\n")
    found = {Path(one["path"]).name: one for one in ingest(str(folder))["documents"]}
    assert found["good.md"]["error"] is None
    assert found["hidden_pale.pdf"]["unseen"] == {"page 1": 7}
    refused = {one.name: one for one in refused_files(IngestionJob.objects.all())}
    assert {name: one.code in files[name].becomes for name, one in refused.items()} == dict.fromkeys(
        refused, True
    )
    assert refused.keys() == {name for name, one in files.items() if "read" not in one.becomes}
    client.force_login(make_user("olga", Role.OPERATOR))
    page = client.get("/operations/").content.decode()
    assert all(name in page for name in refused)
    assert "locked with a password" in page


def test_what_is_turned_away_again_keeps_its_one_row(folder: Path) -> None:
    (folder / "bad.pdf").write_bytes(b"no pdf")
    (folder / "good.md").write_text("# Rules\n\nAlways look out for other aircraft.\n")
    ingest(str(folder))
    ingest(str(folder))
    assert IngestionJob.objects.filter(source_name="bad.pdf").count() == 1


def test_links_pipes_and_folders_with_the_names_of_documents(folder: Path) -> None:
    (folder.parent / "secret.md").write_text("# Secret\n\nNobody may read this.\n")
    (folder / "out.md").symlink_to(folder.parent / "secret.md")
    (folder / "passwords.txt").symlink_to("/etc/passwd")
    (folder / "zeros.pdf").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.pdf")
    (folder / "folder.pdf").mkdir()
    (folder / "folder.pdf" / "inside.md").write_text("# Inside\n\nA folder may be called as it likes.\n")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    answer = ingest(str(folder))
    assert [Path(one["path"]).name for one in answer["documents"]] == ["inside.md"]
    told = dict(IngestionJob.objects.filter(state="failed").values_list("source_name", "error"))
    assert told.keys() == {"out.md", "passwords.txt", "zeros.pdf", "pipe.pdf"}
    assert "leads out of the folder" in told["out.md"]
    assert "a pipe" in told["pipe.pdf"]
    assert Document.objects.count() == 1


NAMES = ["../../etc/cron.d/x.pdf", "a\x1b[2J\r\nb.pdf", "n" * 5000 + ".pdf", "\u202efdp.exe.pdf", "-rf.pdf"]


@pytest.mark.parametrize("name", NAMES, ids=["up", "steering", "long", "turning", "option"])
def test_a_bad_name_does_no_harm_to_the_row_or_the_storage(name: str, folder: Path) -> None:
    with pytest.raises(RefusedFile):
        submit_upload(SimpleUploadedFile(name, b"no pdf"), tenant=None)
    job = submit_upload(SimpleUploadedFile(name.replace(".pdf", ".md"), b"# Rules\n\nLook out."), tenant=None)
    kept = [*IngestionJob.objects.values_list("source_name", flat=True)]
    assert len(kept) == 2
    for one in kept:
        assert len(one) <= 200
        assert one.isprintable()
        assert "/" not in one
    assert job.file.name == f"library/{job.content_hash}.md"


def test_a_file_that_is_gone_when_its_turn_comes(folder: Path) -> None:
    with pytest.raises(RefusedFile, match="No such file") as refused:
        submit_file(folder / "gone.pdf", wake=False)
    assert refused.value.code == "unreadable"
    assert IngestionJob.objects.get().source_name == "gone.pdf"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    (folder / "mine.md").write_text("# Mine")
    (folder / "mine.md").chmod(0)
    with pytest.raises(RefusedFile, match="Permission denied"):
        submit_file(folder / "mine.md", wake=False)


@pytest.mark.long
def test_a_file_that_grows_while_it_is_read(folder: Path) -> None:
    path, over = folder / "growing.md", threading.Event()
    path.write_bytes(b"Words of a rule.\n" * 2_000_000)

    def grow() -> None:
        with path.open("ab", buffering=0) as file:
            while not over.wait(0.0005):
                file.write(b"More.\n")

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        with pytest.raises(RefusedFile, match="changed while it was read") as refused:
            submit_file(path, wake=False)
    finally:
        over.set()
        writer.join()
    assert refused.value.code == "changed"
    assert not (path.parent.parent / "media" / "library").exists()


def test_a_file_without_end_is_refused_at_the_limit(folder: Path) -> None:
    path = folder / "endless.pdf"
    with path.open("wb") as file:
        file.write(b"%PDF-1.7\n")
        file.truncate(20 * 1024**3)  # takes no room on the disk
    with pytest.raises(RefusedFile, match="larger than 200 MB"):
        submit_file(path, wake=False)
