"""The folder of backups: what is in it, and the job that adds one. The worker writes them (`heydpe/backup_jobs.py`)."""

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from knowledge.ingestion.jobs.jobs import submit_work
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind

FOLDER: Final = "backups"  # below the data folder
SUFFIX: Final = ".tar"
NAME: Final = re.compile(r"[A-Za-z0-9._-]+\.tar")
LEFT_SECONDS: Final = 24 * 3600
"""Age of an unfinished file that a killed worker left: no backup takes a day."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A complete backup: name, bytes, time of its end."""

    name: str
    size: int
    at: datetime


def request_backup(*, created_by: Any = None, wake: bool = True) -> IngestionJob:
    """A job that makes a backup, the open one if there is one."""
    return submit_work(JobKind.BACKUP, "Backup", created_by=created_by, large=False, wake=wake)


def backup_folder() -> Path:
    return Path(settings.DATA_DIR) / FOLDER


def backup_path(job: IngestionJob) -> Path:
    """The file of a job's backup; every start of the job writes the same."""
    return backup_folder() / f"heydpe-{job.created_at:%Y-%m-%d-%H%M%S}-{str(job.pk)[:8]}{SUFFIX}"


def backups() -> list[Backup]:
    """The complete backups, the latest first."""
    found, folder = [], backup_folder()
    for path in folder.iterdir() if folder.is_dir() else ():
        if NAME.fullmatch(path.name) and path.is_file():
            told = path.stat()
            found.append(Backup(path.name, told.st_size, datetime.fromtimestamp(told.st_mtime, UTC)))
    return sorted(found, key=lambda one: one.at, reverse=True)


def remove_backup(name: str) -> bool:
    """Remove a backup for good. False if there is none of that name."""
    if name not in {one.name for one in backups()}:
        return False
    (backup_folder() / name).unlink(missing_ok=True)
    return True


def clear_partial() -> None:
    """Remove unfinished files of workers that died long ago."""
    for path in backup_folder().glob("*.partial"):
        if time.time() - path.stat().st_mtime > LEFT_SECONDS:
            path.unlink(missing_ok=True)
