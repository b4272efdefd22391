"""Paths on a command line become files to ingest, each with what its folder's `library.csv` says of it.

A folder is walked to its end, and never out of it: a link that leads elsewhere, what is no file (a pipe, a
device) and what cannot be opened are passed over, as is what nobody would take for a document (pictures,
archives, programs), each with the reason. Which kinds of file are read decides their content.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.library_csv import FAA_LISTING, LISTING, Told, fits_folder, listed_files
from knowledge.ingestion.parsing.detect import HEAD, SUFFIXES, Format, format_of
from knowledge.ingestion.source_files import BadOption, readable_name

_TOLD = ("polyglot",)  # refusals of what may pass for a document, whatever its suffix
_ABOUT = ("readme", "license", "licence", "copying", "changelog")  # they speak of the folder, not of flying


@dataclass(frozen=True, slots=True)
class FoundFile:
    path: Path
    options: Told = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Something in a folder that is not ingested, and why. `code` is that of a refusal, where somebody may have taken
    it for a document; it is empty for what nobody would.
    """

    path: Path
    why: str
    code: str = ""


Found = FoundFile | PassedOver


def files_in(paths: Sequence[Path], table: Path | None = None) -> list[Found]:
    """What stands at all paths, folders searched to their end; a file that is met twice counts once. `table` speaks of
    each folder beside its own, which goes before it. Raises BadOption for a path that is not there and for a table that
    is wrong.
    """
    if table is not None and not table.is_file():
        raise BadOption(f"there is no table {readable_name(str(table))}")
    found: dict[Path, Found] = {}
    for path in paths:
        for one in _at(path, table):
            found.setdefault(one.path.absolute(), one)
    return list(found.values())


def _at(path: Path, table: Path | None) -> Iterator[Found]:
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:
        raise BadOption(f"{readable_name(str(path))[:200]} is no name of a file or folder") from error
    if is_folder:
        yield from _folder(path, table)
    elif is_file:
        yield FoundFile(path, listed_files(path.parent).get(path.resolve(), {}))
    else:
        raise BadOption(f"there is no file or folder {readable_name(str(path))}")


def _folder(folder: Path, table: Path | None) -> Iterator[Found]:
    root = folder.resolve()
    if table is None and fits_folder(FAA_LISTING, folder):
        table = FAA_LISTING
    told: dict[Path, Told] = listed_files(folder, table) if table else {}
    closed: list[OSError] = []
    for inside, folders, names in os.walk(folder, onerror=closed.append, followlinks=False):
        told |= listed_files(Path(inside))
        folders.sort()
        yield from (_link(Path(inside) / name) for name in folders if (Path(inside) / name).is_symlink())
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in sorted(names):
            path = Path(inside) / name
            if name != LISTING and not _is_about(name):
                yield _file(path, root, told)
    yield from (_unreadable(Path(str(error.filename)), error) for error in closed)


def _is_about(name: str) -> bool:
    return name.startswith(".") or name.lower().partition(".")[0] in _ABOUT


def _link(path: Path) -> PassedOver:
    return PassedOver(path, "It is a link to another folder; ingest that folder itself.", "link")


def _unreadable(path: Path, error: Exception) -> PassedOver:
    why = error.strerror if isinstance(error, OSError) and error.strerror else "a link that leads nowhere"
    return PassedOver(
        path, f"It cannot be opened: {why}. See that it is there and may be read.", "unreadable"
    )


def _file(path: Path, root: Path, told: dict[Path, Told]) -> Found:
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(root):
            return PassedOver(
                path, "It is a link that leads out of the folder; ingest that file itself.", "link"
            )
        if not stat.S_ISREG(real.stat().st_mode):
            return PassedOver(path, "It is no file but a pipe, a socket or a device; remove it.", "no_file")
        if refused := _no_document(path):
            return PassedOver(path, str(refused), refused.code if refused.code in _TOLD else "")
    except (OSError, RuntimeError) as error:
        return _unreadable(path, error)
    return FoundFile(path, told.get(real, {}))


def _no_document(path: Path) -> RefusedFile | None:
    """Why a file without a suffix that we know is none of ours; one with it is uploaded, and refused with its reason
    if it is not what it says.
    """
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return None
    with path.open("rb") as file:
        start = file.read(HEAD)
    try:
        found = format_of(suffix, start)
    except RefusedFile as error:
        return error
    known = found in (Format.PDF, Format.HTML, Format.XML)
    return None if known else RefusedFile("It is no document.", "unknown_type")
