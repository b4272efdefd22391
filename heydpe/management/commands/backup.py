"""`manage.py backup FILE`: save the database and the media to one file."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from heydpe.archive import ArchiveError, applied_migrations, back_up, configured_database


class Command(BaseCommand):
    help = "Save the database and all media files to FILE. Everything may keep running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="one JSON document on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = back_up(options["file"], configured_database(), settings.MEDIA_ROOT, applied_migrations())
        except ArchiveError as error:
            raise CommandError(str(error)) from error
        size = made.path.stat().st_size
        if options["json"]:
            told = {"file": str(made.path), "created": made.created, "media": made.files, "bytes": size}
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(f"{made.path}: the database and {made.files} media files, {size / 1e6:.1f} MB")
