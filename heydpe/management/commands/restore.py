"""`manage.py restore FILE`: a backup becomes the database and the media again."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from heydpe.archive import ArchiveError, restore
from heydpe.databases import close_connections, database_of_settings, known_migrations, tables


class Command(BaseCommand):
    help = "Puts a backup back, whole or not at all; what the database holds now is lost (--force)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="replace what the database holds now")
        parser.add_argument("--json", action="store_true", help="one JSON document on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        if tables() and not options["force"]:
            raise CommandError(
                "The database is not empty. --force replaces all that is in it, and all media."
            )
        database, known = database_of_settings(), known_migrations()
        close_connections()
        try:
            put_back = restore(options["file"], database, settings.MEDIA_ROOT, known)
        except ArchiveError as error:
            raise CommandError(str(error)) from error
        call_command("migrate", verbosity=0, interactive=False)  # a backup of an older version
        cache.clear()
        told = {"file": str(put_back.path), "created": put_back.created, "media": put_back.files}
        line = f"Restored what was backed up at {put_back.created}, with {put_back.files} media files"
        self.stdout.write(json.dumps(told) if options["json"] else line)
