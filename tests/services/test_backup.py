"""A backup brings back what was there, or says why not and changes nothing."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from heydpe.archive import ArchiveError, Database, back_up, restore
from heydpe.runtime.paths import paths_for

from .watching import query

MIGRATIONS = frozenset({("knowledge", "0001_first")})


@pytest.fixture
def filled(running: Path) -> Path:
    query(running, "create extension if not exists vector")
    query(running, "create table thing (name text, place vector(3))")
    query(running, "insert into thing values ('a runway', '[1,2,3]')")
    (running / "media" / "pages").mkdir(parents=True)
    (running / "media" / "pages" / "1.png").write_bytes(b"a picture")
    return running


def database(data_dir: Path) -> Database:
    return Database(conninfo=paths_for(data_dir).addresses.database_url, password="", version=18)


def saved(data_dir: Path) -> Path:
    path = data_dir / "backup.tar"
    assert back_up(path, database(data_dir), data_dir / "media", MIGRATIONS).files == 1
    return path


def put_back(data_dir: Path, path: Path) -> None:
    restore(path, database(data_dir), data_dir / "media", MIGRATIONS)


def test_what_was_backed_up_comes_back_and_what_came_later_goes(filled: Path) -> None:
    path = saved(filled)
    query(filled, "update thing set name = 'changed'")
    query(filled, "create table later (n int)")
    (filled / "media" / "later.png").write_bytes(b"another")
    (filled / "media" / "pages" / "1.png").unlink()
    put_back(filled, path)
    assert query(filled, "select name from thing") == "a runway"
    assert query(filled, "select to_regclass('later')") is None
    assert query(filled, "select (place <-> '[1,2,3]')::int from thing") == 0
    assert [file.name for file in (filled / "media").rglob("*.png")] == ["1.png"]


def refused(data_dir: Path, path: Path, why: str) -> None:
    with pytest.raises(ArchiveError, match=why):
        put_back(data_dir, path)
    assert query(data_dir, "select name from thing") == "a runway"
    assert (data_dir / "media" / "pages" / "1.png").read_bytes() == b"a picture"
    assert list(data_dir.glob("restore-*")) == []


def test_a_file_that_is_no_backup_changes_nothing(filled: Path) -> None:
    path = filled / "notes.txt"
    path.write_text("not a tar")
    refused(filled, path, "no backup")
    refused(filled, filled / "missing.tar", "no file")


@pytest.mark.long
def test_a_backup_that_was_cut_off_changes_nothing(filled: Path) -> None:
    path = saved(filled)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    refused(filled, path, "cut off")


@pytest.mark.long
def test_a_backup_with_other_contents_than_written_changes_nothing(filled: Path) -> None:
    path = saved(filled)
    path.write_bytes(path.read_bytes().replace(b"a picture", b"a forgery"))
    refused(filled, path, "damaged")


@pytest.mark.long
def test_a_dump_that_fails_halfway_changes_nothing(filled: Path) -> None:
    query(filled, "create view uses_it as select name from thing")
    path = saved(filled)
    broken = Database(
        conninfo=paths_for(filled).addresses.database_url + "?options=-cdefault_transaction_read_only=on",
        password="",
        version=18,
    )
    with pytest.raises(ArchiveError, match="nothing was changed"):
        restore(path, broken, filled / "media", MIGRATIONS)
    assert query(filled, "select name from uses_it") == "a runway"


@pytest.mark.long
def test_a_backup_of_a_newer_version_changes_nothing(filled: Path) -> None:
    path = filled / "backup.tar"
    back_up(path, database(filled), filled / "media", MIGRATIONS | {("exams", "0099_later")})
    refused(filled, path, "newer version")


def test_a_hostile_archive_writes_nothing_outside(filled: Path) -> None:
    path = filled / "hostile.tar"
    with tarfile.open(path, "w") as tar:
        member = tarfile.TarInfo("../../outside")
        member.size = 4
        tar.addfile(member, io.BytesIO(b"evil"))
    refused(filled, path, "no backup")
    assert not (filled.parent / "outside").exists()


@pytest.mark.long
def test_an_existing_file_is_not_overwritten(filled: Path) -> None:
    path = saved(filled)
    with pytest.raises(ArchiveError, match="exists already"):
        back_up(path, database(filled), filled / "media", MIGRATIONS)


@pytest.mark.long
def test_the_manifest_tells_what_is_inside(filled: Path) -> None:
    with tarfile.open(saved(filled)) as tar:
        manifest = json.load(tar.extractfile("manifest.json"))  # type: ignore[arg-type]
    assert set(manifest["files"]) == {"database.dump", "media/pages/1.png"}
    assert manifest["migrations"] == [["knowledge", "0001_first"]]
