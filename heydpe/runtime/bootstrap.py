"""Make a new or older database ready for use: tables, the demo or the static files, the folder that
HEYDPE_LIBRARY names, the items.

The runner runs it as `python -m heydpe.runtime.bootstrap`; each step prints what it did.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import CommandError, call_command

from heydpe.env import read_environment

from .cli import FAILED, SERVICE_AWAY, ServiceAway, migration_lock, require_database, translated_outages


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
    django.setup()
    try:
        require_database()
        with translated_outages():
            with migration_lock():
                _run_step(
                    "tables", lambda: _run_quietly("up to date", "migrate", verbosity=0, interactive=False)
                )
                if settings.DEBUG:
                    _run_step("demo", lambda: _run_quietly("loaded", "demo"))
            if not settings.DEBUG:  # else Django finds each where it lies
                _run_step(
                    "static files",
                    lambda: _run_quietly("collected", "collectstatic", verbosity=0, interactive=False),
                )
            _run_step("library", _load_library)
            # The worker looks for the items' passages later.
            _run_step("items", lambda: _run_quietly("loaded", "load_items", "--later"))
    except ServiceAway as error:
        print(error, file=sys.stderr, flush=True)
        return SERVICE_AWAY
    except CommandError as error:
        print(f"A step of the start failed: {error}", file=sys.stderr, flush=True)
        return FAILED
    return 0


def _run_step(name: str, action: Callable[[], str]) -> None:
    start = time.monotonic()
    done = action()
    if done:
        print(f"  {time.monotonic() - start:5.1f} s  {name}: {done}", flush=True)


def _run_quietly(done: str, *command: str, **options: Any) -> str:
    with open(os.devnull, "w") as nowhere:
        call_command(*command, stdout=nowhere, **options)
    return done


def _load_library() -> str:
    """Once for each folder. A folder that fails is reported and tried again at the next start; the rest goes on."""
    environment = read_environment()
    folder = environment.library
    marker = environment.data_dir / "library_loaded"
    if not folder or (marker.exists() and folder in marker.read_text().splitlines()):
        return ""
    if not Path(folder).is_dir():
        return f"HEYDPE_LIBRARY names {folder}, which is no folder; it is left out"
    print(f"  Reading {folder}; a handbook takes about half a minute.", flush=True)
    try:
        call_command("ingest", folder)
    except CommandError as error:
        return f"{folder} could not be read: {error}"
    with marker.open("a") as file:
        file.write(folder + "\n")
    return f"{folder} loaded"


if __name__ == "__main__":
    sys.exit(main())
