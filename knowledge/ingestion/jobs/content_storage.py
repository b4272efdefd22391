"""Bytes become a file of the storage: it is there whole, or not at all, and once for the same content.

What is being written, and what a run makes on its way, lies in `conf.UNFINISHED`, beside what is kept, so that a file
comes to its place by a rename. A worker that is killed leaves its folder there; the sweep clears away whatever
belongs to no lease that holds.
"""

import os
import shutil
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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

_BLOCK = 1024 * 1024  # bytes that are copied at once
_MODE = 0o644  # as Django's storage gives it


def keep_once(name: str, size: int, blocks: Iterable[bytes]) -> str:
    """The name, once a file of that name and size is in the storage. The name says the content."""
    place = Path(default_storage.path(name))
    if not place.is_file() or place.stat().st_size != size:
        _write(place, blocks)
    return name


def _write(place: Path, blocks: Iterable[bytes]) -> None:
    part = _unfinished() / f"file-{uuid4().hex}"
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


@contextmanager
def own_copy(path: Path) -> Iterator[IO[bytes]]:
    """A file of this machine as it is now: others may write to it, move it or take it away while it is looked at.
    Raises RefusedFile, also for a file that changed while it was copied.
    """
    with TemporaryFile(dir=_unfinished()) as copy:
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
                _copy(file, copy)
        except OSError as error:
            raise RefusedFile(
                f"The file cannot be opened: {error.strerror}. See that it is there and may be read.",
                "unreadable",
            ) from error
        copy.seek(0)
        yield copy


def _copy(file: IO[bytes], copy: IO[bytes]) -> None:
    """The bytes of a file, as far as they may be read; a pipe in its place is not waited for."""
    before = os.fstat(file.fileno())
    if not stat.S_ISREG(before.st_mode):
        raise RefusedFile(
            "It is no file but a folder, a pipe or a device. Upload the file itself.", "no_file"
        )
    left = (
        conf.MAX_FILE_BYTES + 1
    )  # one more than is read: whoever looks at the copy sees that it is too much
    while left > 0 and (block := file.read(min(_BLOCK, left))):
        copy.write(block)
        left -= len(block)
    after = os.fstat(file.fileno())
    if left > 0 and (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise RefusedFile(
            "The file changed while it was read. Wait until it is written to its end and feed it in again.",
            "changed",
        )


@contextmanager
def work_folder(job_id: UUID, fence: int) -> Iterator[Path]:
    """A folder for what one run makes on its way."""
    folder = _unfinished() / f"job-{job_id}-{fence}"
    folder.mkdir(exist_ok=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def clear_unfinished() -> int:
    """Remove what killed processes left; how much that was. A run's folder is younger than its lease: what is there
    before we look at the leases is held by one of them, or by nobody.
    """
    found = list(_unfinished().iterdir())
    stopped = Q(state=JobState.CANCELLED, finished_at__gte=Now() - timedelta(seconds=conf.UNFINISHED_SECONDS))
    running = IngestionJob.objects.filter(
        stopped | Q(state__in=(JobState.RUNNING, JobState.CANCELLING))  # its worker may still be in a step
    )
    held = {f"job-{job}-{fence}" for job, fence in running.values_list("pk", "fence")}
    left = [path for path in found if path.name not in held and not _is_being_written(path)]
    for path in left:
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    return len(left)


def _is_being_written(path: Path) -> bool:
    """Files have no lease, so their age decides."""
    try:
        return path.is_file() and time.time() - path.stat().st_mtime < conf.UNFINISHED_SECONDS
    except FileNotFoundError:
        return True


def _unfinished() -> Path:
    folder = Path(default_storage.path(conf.UNFINISHED))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
