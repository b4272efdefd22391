"""A folder is walked to its end and never out of it; what is passed over is named with the reason."""

import os
from pathlib import Path

import pytest

from knowledge.ingestion.folder_import import FoundFile, PassedOver, files_in
from knowledge.ingestion.source_files import BadOption


def found(*paths: Path) -> dict[str, dict[str, str]]:
    return {one.path.name: one.options for one in files_in(paths) if isinstance(one, FoundFile)}


def passed(*paths: Path) -> dict[str, str]:
    return {one.path.name: one.why for one in files_in(paths) if isinstance(one, PassedOver)}


def test_documents_of_every_kind_are_found_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "deep" / "no suffix").write_bytes(b"%PDF-1.7")
    (tmp_path / "deep" / "er" / "page.aspx").write_bytes(b"<!doctype html><p>x")
    (tmp_path / "b.md").write_text("# B")
    for name in (".hidden.md", "README.md", "LICENSE.txt"):
        (tmp_path / name).write_text("x")
    assert set(found(tmp_path)) == {"a.pdf", "no suffix", "page.aspx", "b.md"}


def test_what_is_no_document_is_passed_over_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    (tmp_path / "old.zip").write_bytes(b"PK\x03\x04")
    (tmp_path / "notes.xyz").write_text("words")
    os.mkfifo(tmp_path / "pipe.pdf")
    why = passed(tmp_path)
    assert "JPEG picture" in why["photo.jpg"]
    assert "ZIP archive" in why["old.zip"]
    assert "type .xyz cannot be read" in why["notes.xyz"]
    assert "a pipe" in why["pipe.pdf"]
    assert found(tmp_path) == {}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "other.md").write_text("# Other")
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "inside.md").write_text("# Inside")
    (folder / "out.md").symlink_to(tmp_path / "secret.md")
    (folder / "up").symlink_to(tmp_path)
    (folder / "nowhere.md").symlink_to(tmp_path / "gone.md")
    (folder / "round.md").symlink_to(folder / "round.md")
    assert set(found(folder)) == {"inside.md"}
    why = passed(folder)
    assert "leads out of the folder" in why["out.md"]
    assert "link to another folder" in why["up"]
    assert "cannot be opened" in why["nowhere.md"]
    assert "cannot be opened" in why["round.md"]


def test_each_folder_is_told_by_its_own_table(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.md").write_text("# A")
    (tmp_path / "sub" / "b.md").write_text("# B")
    (tmp_path / "library.csv").write_text("file,type\na.md,sop\nsub/b.md,poh\n")
    (tmp_path / "sub" / "library.csv").write_text("file,title\nb.md,Named below\n")
    assert found(tmp_path) == {"a.md": {"doc_type": "sop"}, "b.md": {"title": "Named below"}}
    assert found(tmp_path / "a.md") == {"a.md": {"doc_type": "sop"}}


def test_a_file_that_is_named_twice_is_fed_in_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A")
    assert len(files_in([tmp_path, tmp_path / "a.md", tmp_path])) == 1


@pytest.mark.parametrize("name", ["gone.pdf", "n" * 5000, "a\x00b"])
def test_a_path_that_is_not_there_says_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadOption, match=r"no file or folder|no name of a file"):
        files_in([tmp_path / name])
