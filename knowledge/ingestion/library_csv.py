"""Read the table `library.csv` of a folder: descriptions that its files lack.

| column | what it holds |
|---|---|
| `file` | the file's name, relative to the folder; required |
| `type` | cfr, aim, handbook, ac, acs, poh, sop or other |
| `title`, `abbreviation` | as pilots call it |
| `edition`, `edition_date` | as printed ("25C"), and its date (2023-06-06) |
| `category`, `tags` | for the library's shelves; tags separated by commas |
| `status` | draft or published |

An empty cell has no effect. All errors of a table are reported at once, by line, and nothing is ingested until they are
fixed.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from knowledge.ingestion.source_files import BadOption, checked_options, readable_name

TABLE_NAME = "library.csv"
FAA_TABLE = Path(__file__).parents[2] / "docs" / "operations" / "library.csv.example"
"""The table of the FAA's files, for a folder that holds them all and has no table."""
COLUMNS: Mapping[str, str] = {
    name: name for name in ("title", "abbreviation", "edition", "edition_date", "category", "tags", "status")
} | {"type": "doc_type", "doc_type": "doc_type"}
_FILE = "file"
_LARGEST = 5 * 1024 * 1024  # bytes; a library of 10,000 files needs 1 MB
_SHOWN_LINES = 20  # wrong lines in one message

FileOptions = dict[str, str]


def fits_folder(table: Path, folder: Path) -> bool:
    """Whether a table from elsewhere describes this folder: all its files are there, and the folder has no table."""
    if not table.is_file() or (folder / TABLE_NAME).exists():
        return False
    try:
        read_library_table(folder, table)
    except BadOption:
        return False
    return True


def read_library_table(folder: Path, table: Path | None = None) -> dict[Path, FileOptions]:
    """The folder's table of its files, by their resolved path; empty without a table. `table` is one from elsewhere.
    Raises BadOption with every wrong line."""
    table = table or folder / TABLE_NAME
    if not table.is_file():
        return {}
    found: dict[Path, FileOptions] = {}
    wrong: list[str] = []
    try:
        for line, row in _read_rows(_read_text(table)):
            try:
                path = _find_file(folder, row)
                if path in found:
                    raise BadOption(f"{row[_FILE]} is listed twice")
                told = {COLUMNS[name]: value for name, value in row.items() if name in COLUMNS and value}
                checked_options(told)
                found[path] = told | ({"listed": "yes"} if "status" in told else {})
            except BadOption as error:
                wrong.append(f"line {line}: {readable_name(str(error))}")
        if wrong:
            more = f"; and {len(wrong) - _SHOWN_LINES} more lines" if len(wrong) > _SHOWN_LINES else ""
            raise BadOption(f"{'; '.join(wrong[:_SHOWN_LINES])}{more}")
    except BadOption as error:
        raise BadOption(f"{readable_name(str(table))}: {error}") from error
    return found


def _read_text(table: Path) -> str:
    data = table.read_bytes()
    if len(data) > _LARGEST:
        raise BadOption(f"is larger than {_LARGEST // 1024**2} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadOption(f"line {line}: is not UTF-8; save the table as “CSV UTF-8”") from error
    before, found, _ = text.partition("\x00")
    if found:
        raise BadOption(f"line {before.count(chr(10)) + 1}: is not text")
    return text


def _read_rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows that are not empty, with their line number. Raises BadOption, also for columns that are not known."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)  # spreadsheets write others than a comma
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower() for name in reader.fieldnames or ()]
        known = f"known are {_FILE}, {', '.join(sorted(COLUMNS))}"
        if _FILE not in names:
            raise BadOption(f"line 1: there is no column “{_FILE}”; {known}")
        if unknown := sorted(set(names) - {_FILE, *COLUMNS}):
            said = ", ".join(name or "(without a name)" for name in unknown)
            raise BadOption(f"line 1: unknown columns {readable_name(said)}; {known}")
        if double := sorted({name for name in names if names.count(name) > 1}):
            raise BadOption(f"line 1: the column {double[0]} stands there twice")
        reader.fieldnames = names
        for row in reader:
            if reader.restkey in row:
                raise BadOption(
                    f"line {reader.line_num}: has more cells than the table has columns; "
                    "put a value that holds a comma into quotation marks"
                )
            values = {name: (value or "").strip() for name, value in row.items()}
            if any(values.values()):
                yield reader.line_num, values
    except csv.Error as error:
        raise BadOption(f"line {max(1, reader.reader.line_num)}: {error}") from error


def _find_file(folder: Path, row: Mapping[str, str]) -> Path:
    """The file that a row describes. Raises BadOption if it is not in the folder."""
    name = row[_FILE].replace("\\", "/")
    if not name:
        raise BadOption(f"the column “{_FILE}” is empty")
    try:
        path = (folder / name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError, RuntimeError) as error:
        raise BadOption(f"{name[:80]} is no name of a file") from error
    if not path.is_relative_to(folder.resolve()):
        raise BadOption(f"{name} leads out of the folder")
    if not is_file:
        raise BadOption(f"there is no file {name}")
    return path
