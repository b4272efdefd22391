"""Unpack an uploaded zip into a folder: the good files, and each other one with the reason why it is left out.

Nothing of a zip is believed: neither its names, nor its sizes, nor that it ends. A zip that is a bomb, or holds more
than a person can look over, is refused as a whole before anything is written.
"""

import os
import stat
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from knowledge import conf
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.source_files import readable_name

_BLOCK = 1024 * 1024  # bytes unpacked at once
_END, _END_BYTES = b"PK\x05\x06", 65_557  # the record at a zip's end, and the bytes in which it begins
_LOCKED = 0x1  # the bit of an entry that is encrypted
_LEFTOVERS = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")  # what file managers put into a zip
NAME_BYTES = 255  # of a file system


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of a zip that is not unpacked, and why."""

    name: str
    why: str


def unpack_zip(file: IO[bytes], folder: Path) -> list[LeftOut]:
    """Write the good files into the folder under their own names; returns the others. Raises RefusedFile for a zip that
    is refused as a whole."""
    _check_count(file)
    try:
        with zipfile.ZipFile(file) as found:
            entries = [one for one in found.infolist() if not one.is_dir() and not _is_leftover(one.filename)]
            _check_limits(entries)
            return [left for one in entries if (left := _unpack_entry(found, one, folder)) is not None]
    except (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, ValueError, NotImplementedError) as error:
        raise RefusedFile(
            "The zip is damaged, or is none. Make it again, then upload that.", "broken"
        ) from error


def _is_leftover(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and (
        parts[0] == _LEFTOVERS[0] or parts[-1] in _LEFTOVERS or parts[-1].startswith("._")
    )


def _check_count(file: IO[bytes]) -> None:
    """Refuse a zip by the number of entries that its end states, before its list is read into memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_BYTES))
    end = file.read()
    at = end.rfind(_END)
    stated = int.from_bytes(end[at + 10 : at + 12], "little") if at >= 0 else 0
    if stated > 2 * conf.UPLOAD_FILES:  # folders and leftovers count there, too
        raise _too_many(stated)


def _too_many(count: int) -> RefusedFile:
    return RefusedFile(
        f"The zip holds {count:,} files; {conf.UPLOAD_FILES:,} are the most. Split it into several.",
        "over_limits",
    )


def _check_limits(entries: Sequence[zipfile.ZipInfo]) -> None:
    if not entries:
        raise RefusedFile("The zip is empty.", "empty")
    if len(entries) > conf.UPLOAD_FILES:
        raise _too_many(len(entries))
    size = sum(one.file_size for one in entries)
    packed = sum(one.compress_size for one in entries)
    if size > conf.ZIP_BYTES:
        raise RefusedFile(
            f"Unpacked, the zip has {size / 1024**2:,.0f} MB; {conf.ZIP_BYTES // 1024**2:,} MB are the most. "
            "Split it into several.",
            "over_limits",
        )
    if size > conf.ZIP_RATIO * max(packed, 1) and size > _BLOCK:
        raise RefusedFile(
            f"The zip unpacks to {size // max(packed, 1):,} times its size, as no document does. It was not opened.",
            "bomb",
        )


def _unpack_entry(found: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> LeftOut | None:
    name = readable_name(entry.filename)
    if why := _fault_of(entry):
        return LeftOut(name, why)
    path = folder.joinpath(*PurePosixPath(entry.filename).parts)
    if path.exists():
        return LeftOut(name, "The zip holds two files of this name; only the first is taken.")
    left = entry.file_size
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with found.open(entry) as packed, path.open("xb") as out:
            while block := packed.read(min(_BLOCK, left + 1)):
                left -= len(block)
                if left < 0:
                    raise zipfile.BadZipFile("longer than it says")
                out.write(block)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
        if path.is_file():
            path.unlink()
        return LeftOut(name, "It is damaged, or packed in a way that is not known. Upload it by itself.")
    return None


def _fault_of(entry: zipfile.ZipInfo) -> str:
    """Why an entry is not even looked into; empty if it may be."""
    raw = entry.orig_filename.replace("\\", "/")
    parts = PurePosixPath(raw).parts
    if raw.startswith("/") or ".." in parts or ":" in raw.partition("/")[0] or "\x00" in raw:
        return "Its name leads out of the zip. Pack the folder again."
    if any(len(part.encode("utf-8", "replace")) > NAME_BYTES for part in parts):
        return "Its name is too long. Shorten it."
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "It is a link, not a file. Pack the file itself."
    if entry.flag_bits & _LOCKED:
        return "It is locked with a password. Pack it without one."
    if raw.lower().endswith(".zip"):
        return "It is a zip within the zip. Upload it by itself."
    if entry.file_size > conf.ZIP_RATIO * max(entry.compress_size, 1) and entry.file_size > _BLOCK:
        return f"It unpacks to {entry.file_size // max(entry.compress_size, 1):,} times its size, as no document does."
    return ""
