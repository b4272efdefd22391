"""Folders, locks and small state files of the services. The kernel frees a lock when its holder dies."""

import contextlib
import fcntl
import json
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from .conf import FREE_DISK_LEAST_MB, LOG_LIMIT_BYTES
from .errors import ServicesError
from .places import Places


def make_folders(places: Places) -> None:
    """The folders of a data directory; private ones are 0700 and ours."""
    try:
        for folder in (places.data_dir, places.log):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (places.registry, places.users, places.redis):
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ServicesError(_folder_line(places.data_dir, error)) from error
    make_private_folder(places.sockets)
    _check_writable(places.registry)


def make_private_folder(folder: Path) -> None:
    """A 0700 folder of ours; somebody else's, or one that others may enter, is refused."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or (found.st_uid != os.geteuid() and os.geteuid() != 0):
        raise ServicesError(
            f"{folder} belongs to somebody else. Remove it, or choose another HEYDPE_DATA_DIR."
        )
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


def check_disk(data_dir: Path) -> None:
    free_mb = shutil.disk_usage(data_dir).free // (1024 * 1024)
    if free_mb < FREE_DISK_LEAST_MB:
        raise ServicesError(disk_line(data_dir, free_mb))


def disk_line(data_dir: Path, free_mb: int) -> str:
    return (
        f"The disk of {data_dir} is full: {free_mb} MB free, {FREE_DISK_LEAST_MB} MB are needed. "
        "Free some space, or set HEYDPE_DATA_DIR to a folder on another disk."
    )


def try_lock(path: Path) -> int | None:
    """An open descriptor that holds the lock, or None while another holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def is_locked(path: Path) -> bool:
    if not path.exists():
        return False
    descriptor = try_lock(path)
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def write_json(path: Path, values: Mapping[str, object]) -> None:
    """Whole or not at all: readers never see half a file."""
    partial = path.with_suffix(f".{os.getpid()}.partial")
    partial.write_text(json.dumps(values))
    partial.replace(path)


def read_json(path: Path) -> dict[str, object]:
    """The file's object; empty where there is none or it is damaged."""
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def rotate_log(path: Path) -> None:
    """One older copy is kept. The file is emptied in place: who has it open for appending writes on."""
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        shutil.copyfile(path, path.with_name(path.name + ".1"))
        os.truncate(path, 0)


def log_since(path: Path, offset: int, most: int = 20_000) -> str:
    """What was logged after `offset`, at most the last `most` bytes."""
    try:
        with path.open("rb") as file:
            file.seek(max(offset, path.stat().st_size - most))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _check_writable(folder: Path) -> None:
    if folder.stat().st_uid != os.geteuid() or not os.access(folder, os.W_OK):
        owner = folder.stat().st_uid
        raise ServicesError(
            f"{folder.parent} belongs to user {owner} and this is user {os.geteuid()}. "
            "Run as that user, or set HEYDPE_DATA_DIR to a folder of your own."
        )


def _folder_line(data_dir: Path, error: OSError) -> str:
    return (
        f"{data_dir} cannot be used ({error.strerror}). Set HEYDPE_DATA_DIR to a folder that can be written."
    )
