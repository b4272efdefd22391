"""A folder's table says what its files do not; a wrong one says what is wrong, by line."""

from pathlib import Path

import pytest

from knowledge.ingestion.library_csv import COLUMNS, read_library_table
from knowledge.ingestion.source_files import BadOption

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for name in ("a.pdf", "b.pdf", "sub/c.md"):
        (tmp_path / name).write_bytes(b"x")
    return tmp_path


def listed(folder: Path, table: str | bytes) -> dict[str, dict[str, str]]:
    (folder / "library.csv").write_bytes(table if isinstance(table, bytes) else table.encode())
    return {
        str(path.relative_to(folder.resolve())): told for path, told in read_library_table(folder).items()
    }


def test_cells_become_options_and_empty_ones_say_nothing(folder: Path) -> None:
    table = 'File, TYPE ,title,tags\na.pdf,ac,"One, and more","x,y"\n\nsub/c.md,,Two,\n'
    assert listed(folder, table) == {
        "a.pdf": {"doc_type": "ac", "title": "One, and more", "tags": "x,y"},
        "sub/c.md": {"title": "Two"},
    }


@pytest.mark.parametrize("separator", [";", "\t"])
def test_what_spreadsheets_write_for_a_comma_is_read(folder: Path, separator: str) -> None:
    table = f"file{separator}type\r\na.pdf{separator}poh\r\n".encode("utf-8-sig")
    assert listed(folder, table) == {"a.pdf": {"doc_type": "poh"}}


WRONG = [
    ("name,type\na.pdf,ac\n", "line 1: there is no column “file”; known are file"),
    ("file,colour\na.pdf,red\n", "line 1: unknown columns colour; known are"),
    ("file,type,type\n", "line 1: the column type stands there twice"),
    ("", "line 1: there is no column"),
    ("file,type\na.pdf,novel\nb.pdf,ac\n", "line 2: type 'novel' is not known; known are cfr"),
    ("file,edition_date\na.pdf,soon\n", "line 2: edition date 'soon' is not a date like"),
    ("file,status\na.pdf,gone\n", "line 2: status 'gone' is not known"),
    ("file,type\n../a.pdf,ac\n", "line 2: ../a.pdf leads out of the folder"),
    ("file,type\n/etc/passwd,ac\n", "line 2: /etc/passwd leads out of the folder"),
    ("file,type\nsub/../../x,ac\n", "line 2: sub/../../x leads out of the folder"),
    ("file,type\nmissing.pdf,ac\n", "line 2: there is no file missing.pdf"),
    ("file,type\n,ac\n", "line 2: the column “file” is empty"),
    ("file,type\na.pdf,ac\na.pdf,poh\n", "line 3: a.pdf is listed twice"),
    ("file,title\na.pdf,One, two\n", "line 2: has more cells than the table has columns"),
    ('file,title\na.pdf,"One\n', "line 2: unexpected end"),
    (b"file,title\na.pdf,caf\xe9\n", "line 2: is not UTF-8"),
    (b"file,title\na.pdf,x\x00\n", "line 2: is not text"),
    ("file,title\n" + "n" * 5000 + ",x\n", "line 2: n+ is no name of a file"),
]


@pytest.mark.parametrize(("table", "says"), WRONG)
def test_a_wrong_table_says_what_is_wrong_by_line(folder: Path, table: str | bytes, says: str) -> None:
    with pytest.raises(BadOption, match=says) as error:
        listed(folder, table)
    assert "library.csv" in str(error.value)


def test_every_wrong_line_is_named_at_once(folder: Path) -> None:
    with pytest.raises(BadOption, match=r"line 2: .*; line 4: .*"):
        listed(folder, "file,type\na.pdf,novel\nb.pdf,ac\nsub/c.md,song\n")


def test_every_column_is_documented() -> None:
    page = (ROOT / "docs" / "operations" / "library-csv.md").read_text()
    assert not [name for name in ("file", *COLUMNS) if f"`{name}`" not in page and name != "doc_type"]
