"""`manage.py restore FILE`: restore the database and the media from a backup."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db.models.functions import Now

from heydpe.archive import ArchiveError, configured_database, known_migrations, restore
from heydpe.runtime.cli import close_connections, table_names
from knowledge.ingestion.jobs.jobs import OPEN_STATES
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind, JobState


class Command(BaseCommand):
    help = "Restore a backup, all or nothing. With --force it replaces what the database holds now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="replace a database that is not empty")
        parser.add_argument("--json", action="store_true", help="one JSON document on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        if table_names() and not options["force"]:
            raise CommandError("The database is not empty. --force replaces everything in it, and all media.")
        database, known = configured_database(), known_migrations()
        close_connections()
        try:
            restored = restore(options["file"], database, settings.MEDIA_ROOT, known)
        except ArchiveError as error:
            raise CommandError(str(error)) from error
        call_command("migrate", verbosity=0, interactive=False)  # a backup of an older version
        cache.clear()
        # The job that made this backup was under way when it was made; no worker shall repeat it.
        open_backups = IngestionJob.objects.filter(kind=JobKind.BACKUP, state__in=OPEN_STATES)
        open_backups.update(state=JobState.SUCCEEDED, lease_until=None, finished_at=Now())
        told = {"file": str(restored.path), "created": restored.created, "media": restored.files}
        line = f"Restored the backup of {restored.created}, with {restored.files} media files"
        self.stdout.write(json.dumps(told) if options["json"] else line)
