"""The job that backs up the database and all media into the folder of backups (`desk/operations/backups.py`).

It writes the dump, then the archive, both under names that no list shows until the archive is complete.
"""

from pathlib import Path
from typing import Final

from django.conf import settings

from desk.operations.backups import backup_folder, backup_path, clear_partial
from knowledge.ingestion.errors import IngestionError, Stopped
from knowledge.ingestion.run import Run

from .archive import PARTIAL, ArchiveError, applied_migrations, configured_database, dump_database, pack

CODE: Final = "no_backup"


def dump(run: Run) -> None:
    """Dump the database. Raises IngestionError, which says what to do."""
    backup_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    clear_partial()
    place = _dump_of(run)
    place.unlink(missing_ok=True)
    place.touch(mode=0o600)
    try:
        dump_database(place, configured_database(), run.tick)
        run.counts["dump_bytes"] = place.stat().st_size
        run.keep()  # a job that was cancelled meanwhile comes to no further step, which would remove the file
    except BaseException as error:
        place.unlink(missing_ok=True)
        if isinstance(error, ArchiveError):
            raise IngestionError(str(error), CODE) from error
        raise


def store_files(run: Run) -> None:
    """Write the archive. Raises IngestionError, which says what to do."""
    place, path = _dump_of(run), backup_path(run.job)
    try:
        made = pack(path, place, settings.MEDIA_ROOT, applied_migrations(), run.tick)
    except ArchiveError as error:
        raise IngestionError(str(error), CODE) from error
    finally:
        place.unlink(missing_ok=True)
    run.counts |= {"backup": path.name, "media": made.files, "bytes": path.stat().st_size}
    try:
        run.keep()
    except Stopped:  # cancelled in the last moment
        path.unlink(missing_ok=True)
        raise


BACKUP_STEPS: Final = {"dump": dump, "files": store_files}


def _dump_of(run: Run) -> Path:
    return backup_path(run.job).with_suffix(f".dump{PARTIAL}")
