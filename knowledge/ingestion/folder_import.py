"""Find the files to ingest at paths of a command line, each with what its folder's `library.csv` says of it.

A folder is walked completely, and never left. Links that lead elsewhere, pipes, devices, files that cannot be opened,
and files that are clearly not documents are skipped, each with the reason.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.library_csv import (
    FAA_TABLE,
    TABLE_NAME,
    FileOptions,
    fits_folder,
    read_library_table,
)
from knowledge.ingestion.parsing.detect import HEAD_BYTES, SUFFIXES, Format, detect_format
from knowledge.ingestion.source_files import BadOption, readable_name

_REPORTED = ("polyglot",)  # refusals of files that may be documents, whatever their suffix
_ABOUT = ("readme", "license", "licence", "copying", "changelog")  # files about the folder itself


@dataclass(frozen=True, slots=True)
class FoundFile:
    path: Path
    options: FileOptions = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Something in a folder that is not ingested, and why. `code` is that of a refusal if it may pass for a document,
    else empty."""

    path: Path
    why: str
    code: str = ""


Found = FoundFile | PassedOver


def files_in(paths: Sequence[Path], table: Path | None = None) -> list[Found]:
    """All files at these paths, folders walked to their end; a file that is met twice counts once. `table` describes
    the files of each folder; the folder's own table overrides it. Raises BadOption for a path that is not there and for
    a table that is wrong."""
    if table is not None and not table.is_file():
        raise BadOption(f"there is no table {readable_name(str(table))}")
    found: dict[Path, Found] = {}
    for path in paths:
        try:
            is_folder, is_file = path.is_dir(), path.is_file()
        except (OSError, ValueError) as error:
            raise BadOption(f"{readable_name(str(path))[:200]} is no name of a file or folder") from error
        if not is_folder and not is_file:
            raise BadOption(f"there is no file or folder {readable_name(str(path))}")
        if is_folder:
            for one in _walk_folder(path, table):
                found.setdefault(one.path.absolute(), one)
        else:
            options = read_library_table(path.parent).get(path.resolve(), {})
            found.setdefault(path.absolute(), FoundFile(path, options))
    return list(found.values())


def _walk_folder(folder: Path, table: Path | None) -> Iterator[Found]:
    root = folder.resolve()
    if table is None and fits_folder(FAA_TABLE, folder):
        table = FAA_TABLE
    told: dict[Path, FileOptions] = read_library_table(folder, table) if table else {}
    closed: list[OSError] = []
    for inside, folders, names in os.walk(folder, onerror=closed.append, followlinks=False):
        told |= read_library_table(Path(inside))
        folders.sort()
        for name in folders:
            if (Path(inside) / name).is_symlink():
                why = "It is a link to another folder; ingest that folder itself."
                yield PassedOver(Path(inside) / name, why, "link")
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in sorted(names):
            is_about = name.startswith(".") or name.lower().partition(".")[0] in _ABOUT
            if name != TABLE_NAME and not is_about:
                yield _check_entry(Path(inside) / name, root, told)
    yield from (_pass_unreadable(Path(str(error.filename)), error) for error in closed)


def _pass_unreadable(path: Path, error: Exception) -> PassedOver:
    why = error.strerror if isinstance(error, OSError) and error.strerror else "a link that leads nowhere"
    return PassedOver(
        path, f"It cannot be opened: {why}. See that it is there and may be read.", "unreadable"
    )


def _check_entry(path: Path, root: Path, told: dict[Path, FileOptions]) -> Found:
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(root):
            return PassedOver(
                path, "It is a link that leads out of the folder; ingest that file itself.", "link"
            )
        if not stat.S_ISREG(real.stat().st_mode):
            return PassedOver(path, "It is no file but a pipe, a socket or a device; remove it.", "no_file")
        if path.suffix.lower() not in SUFFIXES:  # a known suffix is refused at its upload, with the reason
            with path.open("rb") as file:
                head = file.read(HEAD_BYTES)
            if detect_format(path.suffix.lower(), head) not in (Format.PDF, Format.HTML, Format.XML):
                return PassedOver(path, "It is no document.")
    except RefusedFile as refused:
        return PassedOver(path, str(refused), refused.code if refused.code in _REPORTED else "")
    except (OSError, RuntimeError) as error:
        return _pass_unreadable(path, error)
    return FoundFile(path, told.get(real, {}))
