"""Paths on a command line become files to feed in, each with what its folder's `library.csv` says of it.

The table has a column `file` (a name below the folder) and any of `type title abbreviation edition
edition_date category tags status`; a cell left empty says nothing.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .markup import NOT_YET
from .sources import BadOption

LISTING = "library.csv"
_TAKEN = {".pdf", ".md", ".markdown", ".txt", ".text", *NOT_YET}
_COLUMNS = {
    name: name for name in ("title", "abbreviation", "edition", "edition_date", "category", "tags", "status")
} | {"type": "doc_type", "doc_type": "doc_type"}


@dataclass(frozen=True, slots=True)
class FoundFile:
    path: Path
    options: dict[str, str] = field(default_factory=dict)


def files_in(paths: Sequence[Path]) -> list[FoundFile]:
    """The files of all paths, folders searched to their end. Raises BadOption for a path that is not
    there.
    """
    found: list[FoundFile] = []
    for path in paths:
        if path.is_dir():
            found += _folder(path)
        elif path.is_file():
            listed = _listing(path.parent)
            found.append(FoundFile(path, listed.get(path.resolve(), {})))
        else:
            raise BadOption(f"there is no file or folder {path}")
    return found


def _folder(folder: Path) -> Iterator[FoundFile]:
    listed = _listing(folder)
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if (
            path.is_file()
            and not hidden
            and path.suffix.lower() in _TAKEN
            and path.name.lower() != "readme.md"
        ):
            yield FoundFile(path, listed.get(path.resolve(), {}))


def _listing(folder: Path) -> dict[Path, dict[str, str]]:
    table = folder / LISTING
    if not table.is_file():
        return {}
    with table.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        names = [name.strip().lower() for name in reader.fieldnames or ()]
        if "file" not in names:
            raise BadOption(f"{table} has no column “file”")
        unknown = set(names) - {"file", *_COLUMNS}
        if unknown:
            known = ", ".join(sorted(_COLUMNS))
            raise BadOption(
                f"{table} has unknown columns {', '.join(sorted(unknown))}; known are file, {known}"
            )
        rows = [
            {key.strip().lower(): (value or "").strip() for key, value in row.items() if key}
            for row in reader
        ]
    return {(folder / row["file"]).resolve(): _told(row) for row in rows if row["file"]}


def _told(row: dict[str, str]) -> dict[str, str]:
    return {_COLUMNS[name]: value for name, value in row.items() if name in _COLUMNS and value}
