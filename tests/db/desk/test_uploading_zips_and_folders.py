"""Zips and folders with a `library.csv` are uploaded: good files become jobs, the others are named with the reason."""

import io
import random
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from knowledge import conf
from knowledge.models import IngestionJob
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
GOOD = b"# Rules\n\nLook first, then turn the key."


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


def zipped(entries: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return out.getvalue()


def upload(client: Client, *files: tuple[str, bytes], **sent: str) -> list[str]:
    given = [SimpleUploadedFile(name, content) for name, content in files]
    page = client.post("/operations/upload/", {"files": given, **sent}, follow=True)
    assert page.status_code == 200
    return [str(message) for message in page.context["messages"]]


def queued() -> dict[str, dict[str, Any]]:
    return {job.source_name: job.options for job in IngestionJob.objects.filter(state="queued")}


def refused() -> dict[str, str]:
    return {job.source_name: job.error for job in IngestionJob.objects.filter(state="failed")}


def test_the_files_of_a_zip_are_jobs_with_what_its_table_says(operator: Client) -> None:
    table = b'file,type,title,tags\nbooks/one.md,sop,Tie-down rules,"night,ropes"\n'
    entries = {"library.csv": table, "books/one.md": GOOD, "two.md": GOOD + b"!", "__MACOSX/._two.md": b"x"}
    said = upload(operator, ("all.zip", zipped(entries)), doc_type="handbook", edition_date="2026-01-31")
    assert said == ["2 files are queued."]
    both = queued()
    assert both["one.md"]["doc_type"] == "sop"  # the row wins over the form
    assert both["one.md"]["title"] == "Tie-down rules"
    assert both["one.md"]["tags"] == ["night", "ropes"]
    assert both["two.md"] == {"doc_type": "handbook", "edition_date": "2026-01-31"}


def test_loose_files_have_their_table_among_them(operator: Client) -> None:
    table = b"file,type,category\none.md,sop,club\n"
    upload(operator, ("library.csv", table), ("one.md", GOOD), ("two.md", GOOD + b"!"))
    assert queued() == {"one.md": {"doc_type": "sop", "category": "club"}, "two.md": {}}


def upload_folder(client: Client, *files: tuple[str, bytes], **sent: str) -> Any:
    """As a browser sends a folder: with its path in each file's name, and an empty field beside it."""
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in sent.items()]
    named = [("", b""), *files]
    parts += [f'name="files"; filename="{name}"\r\n\r\n'.encode() + content for name, content in named]
    head = b"--edge\r\nContent-Disposition: form-data; "
    body = b"".join(head + part + b"\r\n" for part in parts) + b"--edge--\r\n"
    return client.post("/operations/upload/", body, "multipart/form-data; boundary=edge", follow=True)


def test_a_folders_table_names_files_in_its_subfolders(operator: Client) -> None:
    table = b"file,type,title\nac/one.md,sop,First\nfaa/one.md,ac,Second\n"
    files = [("books/library.csv", table), ("books/ac/one.md", GOOD), ("books/faa/one.md", GOOD + b"!")]
    page = upload_folder(operator, *files, ("books/.DS_Store", b"x"), ("books/two.md", GOOD + b"?"))
    assert [str(one) for one in page.context["messages"]] == ["3 files are queued."]
    titles = {job.options.get("title") for job in IngestionJob.objects.filter(state="queued")}
    assert titles == {"First", "Second", None}


def test_the_names_of_a_folder_lead_nowhere_else(operator: Client, tmp_path: Path) -> None:
    long = "機" * 120 + ".md"
    names = (
        "../../out.md",
        "/etc/passwd.md",
        "a.md",
        "a.md/b.md",
        f"x/{long}",
        "x\\y\\c.md",
        "..",
        f"x/{long}",
    )
    page = upload_folder(operator, *((name, GOOD + bytes([65 + n])) for n, name in enumerate(names)))
    assert [str(one) for one in page.context["messages"]] == ["7 files are queued."]
    assert {"out.md", "passwd.md", "a.md", "b.md", "c.md"} <= set(queued())


def test_a_folder_holds_as_many_files_as_a_zip(operator: Client) -> None:
    files = [(f"books/{n}.md", GOOD + str(n).encode()) for n in range(150)]
    page = upload_folder(operator, *files)
    assert [str(one) for one in page.context["messages"]] == ["150 files are queued."]
    page = upload_folder(operator, *((f"books/{n}.md", b"x") for n in range(conf.UPLOAD_FILES + 1)))
    assert page.status_code == 413
    assert "at most 1,000 files" in page.content.decode()
    assert len(queued()) == 150


def test_a_form_of_another_site_uploads_nothing(operator: Client) -> None:
    operator.handler.enforce_csrf_checks = True
    assert upload_folder(operator, ("books/one.md", GOOD)).status_code == 403
    assert not IngestionJob.objects.exists()


def test_a_wrong_table_takes_nothing_and_says_every_line(operator: Client) -> None:
    table = b"file,type\nnone.md,sop\none.md,song\n"
    [said] = upload(operator, ("all.zip", zipped({"library.csv": table, "one.md": GOOD})))
    assert "line 2: there is no file none.md" in said
    assert "line 3: type 'song' is not known" in said
    assert "None of its files was taken" in said
    assert queued() == {}


def test_bad_files_of_a_zip_are_named_and_the_good_ones_load(operator: Client) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name in ("good.md", "../out.md", "/etc/passwd.md", "C:/boot.md", "inner.zip", "picture.exe"):
            file.writestr(name, GOOD)
        link = zipfile.ZipInfo("link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
        file.writestr("zeros.txt", b"0" * 3_000_000)
        file.writestr(
            "noise.exe", random.Random(1).randbytes(60_000)
        )  # so that the zip as a whole is no bomb
    upload(operator, ("mixed.zip", out.getvalue()))
    assert list(queued()) == ["good.md"]
    whys = refused()
    for name, why in {
        "mixed.zip › .. › out.md": "leads out of the zip",
        "mixed.zip › C: › boot.md": "leads out of the zip",
        "mixed.zip › inner.zip": "a zip within the zip",
        "mixed.zip › link.md": "a link, not a file",
        "mixed.zip › picture.exe": "cannot be read",
        "mixed.zip › zeros.txt": "times its size",
    }.items():
        assert why in whys[name], name
    assert any("passwd" in name and "leads out" in why for name, why in whys.items())


def test_a_file_that_is_locked_or_damaged_is_left_out(operator: Client) -> None:
    data = bytearray(
        zipped({"locked.md": GOOD, "torn.md": GOOD * 2, "good.md": GOOD * 3}, zipfile.ZIP_STORED)
    )
    directory = data.index(b"PK\x01\x02")
    data[directory + 8] |= 0x1  # locked.md is the first of the list
    torn = data.index(b"torn.md") + len(b"torn.md") + 5
    data[torn] ^= 0xFF
    upload(operator, ("some.zip", bytes(data)))
    assert list(queued()) == ["good.md"]
    assert "locked with a password" in refused()["some.zip › locked.md"]
    assert "damaged" in refused()["some.zip › torn.md"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (zipped({f"{n}.md": b"" for n in range(10_000)}), "10,000 files"),
        (zipped({"zeros.txt": b"0" * 30_000_000}), "times its size"),
        (b"PK\x03\x04 nothing", "damaged"),
        (zipped({"a/": b""}), "empty"),
    ],
    ids=["many", "bomb", "none", "empty"],
)
def test_a_zip_that_cannot_be_trusted_is_refused_as_a_whole(operator: Client, data: bytes, why: str) -> None:
    [said] = upload(operator, ("bad.zip", data))
    assert said.startswith("bad.zip: ")
    assert why in said
    assert queued() == {}
    assert why in refused()["bad.zip"]


def test_a_zip_that_lies_about_its_sizes_is_not_unpacked_further(operator: Client) -> None:
    whole = b"0" * 5_000_000
    data = bytearray(zipped({"zeros.txt": whole}))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):  # where its unpacked size stands
        at = data.index(mark) + offset
        data[at : at + 4] = (1000).to_bytes(4, "little")
    upload(operator, ("liar.zip", bytes(data)))
    assert queued() == {}
    assert "damaged" in refused()["liar.zip › zeros.txt"]


def test_more_than_fits_on_a_disk_is_refused_by_what_it_says(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "ZIP_BYTES", 1000)
    [said] = upload(operator, ("large.zip", zipped({"a.md": b"abc " * 400})))
    assert "Split it into several" in said


def test_it_goes_to_the_school_that_the_form_names(schools: Schools) -> None:
    client = schools.client("operator-of-two")
    client.post("/school/", {"school": "first"})
    upload(client, ("all.zip", zipped({"one.md": GOOD})), school="second")
    assert IngestionJob.objects.get().tenant == schools.second
    upload(client, ("two.md", GOOD + b"!"), school="*")  # not theirs: the one they act for
    assert IngestionJob.objects.get(source_name="two.md").tenant == schools.first
