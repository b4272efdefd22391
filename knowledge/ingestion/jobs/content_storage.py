"""Write files to the storage, complete or not at all, and the same content only once.

Unfinished files, and temporary files of a run, are in `conf.UNFINISHED` on the same disk, so that a rename puts a file
in its place. A killed worker leaves its folder there; the sweep removes everything without a lease.
"""

import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from uuid import UUID, uuid4

from django.core.files.storage import default_storage
from django.db.models import Q
from django.db.models.functions import Now

from knowledge import conf
from knowledge.ingestion.errors import RefusedFile
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobState

_BLOCK = 1024 * 1024  # bytes copied at once
_MODE = 0o644  # as Django's storage gives it


def store_once(name: str, size: int, blocks: Iterable[bytes]) -> str:
    """Write a file whose name says its content, unless it is there with that size; returns the name."""
    place = Path(default_storage.path(name))
    if place.is_file() and place.stat().st_size == size:
        return name
    part = _unfinished_folder() / f"file-{uuid4().hex}"
    try:
        with part.open("xb") as out:
            for block in blocks:
                out.write(block)
            out.flush()
            os.fsync(out.fileno())  # its row may be committed before the disk has it
        part.chmod(_MODE)
        place.parent.mkdir(parents=True, exist_ok=True)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
    return name


def store_upload(file: IO[bytes], suffix: str) -> str:
    """Keep a file that a job works on and that becomes no document; returns its name in the storage."""
    digest = hashlib.sha256()
    size = 0
    while block := file.read(_BLOCK):
        digest.update(block)
        size += len(block)
    file.seek(0)
    name = f"uploads/{digest.hexdigest()}{suffix}"
    return store_once(name, size, iter(lambda: file.read(_BLOCK), b""))


def stored_size(name: str) -> int:
    """The bytes of a file in the storage; 0 if it is not there."""
    return default_storage.size(name) if name and default_storage.exists(name) else 0


@contextmanager
def copy_of_file(path: Path) -> Iterator[IO[bytes]]:
    """A copy of a file of this machine, which others may change meanwhile, up to the size limit. Raises RefusedFile,
    also for a file that changed while it was copied. A pipe in its place is not waited for."""
    with TemporaryFile(dir=_unfinished_folder()) as copy:
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
                before = os.fstat(file.fileno())
                if not stat.S_ISREG(before.st_mode):
                    raise RefusedFile(
                        "It is no file but a folder, a pipe or a device. Upload the file itself.", "no_file"
                    )
                left = conf.MAX_FILE_BYTES + 1  # one byte too many, so that the copy is seen to be too large
                while left > 0 and (block := file.read(min(_BLOCK, left))):
                    copy.write(block)
                    left -= len(block)
                after = os.fstat(file.fileno())
        except OSError as error:
            raise RefusedFile(
                f"The file cannot be opened: {error.strerror}. See that it is there and may be read.",
                "unreadable",
            ) from error
        if left > 0 and (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise RefusedFile(
                "The file changed while it was read. Wait until it is complete and upload it again.",
                "changed",
            )
        copy.seek(0)
        yield copy


@contextmanager
def work_folder(job_id: UUID, fence: int) -> Iterator[Path]:
    """A folder for the temporary files of one run."""
    folder = _unfinished_folder() / f"job-{job_id}-{fence}"
    folder.mkdir(exist_ok=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def clear_unfinished() -> int:
    """Remove what killed processes left; returns how many files and folders. They are listed before the leases are
    read, since a run's folder is younger than its lease."""
    found = list(_unfinished_folder().iterdir())
    stopped = Q(state=JobState.CANCELLED, finished_at__gte=Now() - timedelta(seconds=conf.UNFINISHED_SECONDS))
    running = IngestionJob.objects.filter(
        stopped | Q(state__in=(JobState.RUNNING, JobState.CANCELLING))  # its worker may still be in a step
    )
    held = {f"job-{job}-{fence}" for job, fence in running.values_list("pk", "fence")}
    removed = 0
    for path in found:
        with suppress(FileNotFoundError):
            # Files have no lease, so their age decides whether one is still being written.
            is_young = path.is_file() and time.time() - path.stat().st_mtime < conf.UNFINISHED_SECONDS
            if path.name not in held and not is_young:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
                removed += 1
    return removed


def _unfinished_folder() -> Path:
    folder = Path(default_storage.path(conf.UNFINISHED))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
