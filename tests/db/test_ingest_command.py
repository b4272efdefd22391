"""`manage.py ingest`: one JSON document on stdout, what was refused, and the status."""

import json
import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledge.models import Document, Tenant
from llm import registry
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.source_files import handbook

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _models() -> Iterator[None]:
    before = registry._door.wiring
    registry.configure(chat={}, embedding=HashingEmbedding)
    yield
    registry._door.wiring = before


def ingest(*arguments: str) -> Any:
    out = StringIO()
    call_command("ingest", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_a_file_becomes_a_document(tmp_path: Path) -> None:
    path = handbook(tmp_path / "phak_ch07.pdf")
    (one,) = ingest(str(path))["documents"]
    document = Document.objects.get()
    assert one["id"] == str(document.pk)
    assert {
        key: one[key] for key in ("path", "abbreviation", "doc_type", "pages", "images", "skipped", "error")
    } == {
        "path": str(path),
        "abbreviation": "PHAK",
        "doc_type": "handbook",
        "pages": 3,
        "images": 3,
        "skipped": 0,
        "error": None,
    }
    assert one["chunks"] > 0
    assert one["links"] > 0
    assert one["seconds"] >= 0


def test_a_folder_is_told_by_its_table_and_options_go_before_it(tmp_path: Path) -> None:
    handbook(tmp_path / "one.pdf", 1)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "two.md").write_text("# Two\n\nSome text of the club.\n")
    (tmp_path / "ignored.bin").write_bytes(b"x")
    (tmp_path / "library.csv").write_text('file,type,title,tags\none.pdf,sop,Ours,"a,b"\nsub/two.md,poh,,\n')
    found = {
        one["path"].rsplit("/", 1)[1]: one for one in ingest(str(tmp_path), "--category", "club")["documents"]
    }
    assert {name: (one["doc_type"], one["title"]) for name, one in found.items()} == {
        "one.pdf": ("sop", "Ours"),
        "two.md": ("poh", "Two"),
    }
    assert Document.objects.get(title="Ours").tags == ["a", "b"]
    assert set(Document.objects.values_list("category", flat=True)) == {"club"}


def test_a_school_s_file_is_its_own(tmp_path: Path) -> None:
    school = Tenant.objects.create(slug="alpha", name="Alpha")
    ingest(str(handbook(tmp_path / "a.pdf", 1)), "--tenant", "alpha", "--type", "sop")
    assert Document.objects.get().tenant == school


def test_one_refused_file_does_not_stop_the_others(tmp_path: Path) -> None:
    handbook(tmp_path / "good_phak.pdf", 1)
    (tmp_path / "bad.pdf").write_bytes(b"no pdf")
    (tmp_path / "wall.html").write_text("<title>Just a moment...</title><p>Checking your browser.</p>")
    found = {one["path"].rsplit("/", 1)[1]: one["error"] for one in ingest(str(tmp_path))["documents"]}
    assert found["good_phak.pdf"] is None
    assert "not a PDF" in found["bad.pdf"]
    assert "keeps programs out" in found["wall.html"]


WRONG = [
    (["/nowhere/at/all.pdf"], "no file or folder"),
    (["{file}", "--type", "novel"], "known are"),
    (["{file}", "--tenant", "nobody"], "no tenant"),
    (["{file}", "--chunking", "semantic"], "known are fixed"),
    (["{file}", "--edition-date", "soon"], "not a date"),
]


@pytest.mark.parametrize(("arguments", "says"), WRONG)
def test_a_wrong_argument_is_status_2(tmp_path: Path, arguments: list[str], says: str) -> None:
    path = str(handbook(tmp_path / "a.pdf", 1))
    with pytest.raises(CommandError, match=says) as error:
        ingest(*(argument.format(file=path) for argument in arguments))
    assert error.value.returncode == 2
    assert not Document.objects.exists()


def test_when_every_file_is_refused_the_status_is_2_and_stdout_says_why(tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"no pdf")
    out = StringIO()
    with pytest.raises(CommandError, match="not a PDF") as error:
        call_command("ingest", str(tmp_path / "bad.pdf"), "--json", stdout=out)
    assert error.value.returncode == 2
    assert "not a PDF" in json.loads(out.getvalue())["documents"][0]["error"]


def test_a_name_that_is_no_utf_8_stops_nothing(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text(
        "The club parks on the grass by day.\n" * 9
    )
    (tmp_path / "two.md").write_text("# Two\n\nSome text of the club.\n")
    found = ingest(str(tmp_path))["documents"]
    assert [one["error"] for one in found] == [None, None]
    assert {Path(one["path"]).name for one in found} == {"caf?.txt", "two.md"}
